/** What differs in bodies with COMPAT=1 (server/RULES.md, COMPAT), over a few rows that show each rule. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { courseRow } from "../../support/worlds/catalogue-rows.ts";
import { publishRows } from "../../support/published/published.ts";
import { courses, NAMES, openCompat, REQUIREMENT, TREE } from "./compat-rows.ts";

type Json = Record<string, unknown>;

let opened: Awaited<ReturnType<typeof openCompat>>;
let compat: typeof opened.compat;
let plain: typeof opened.plain;
beforeAll(async () => {
  opened = await openCompat();
  ({ compat, plain } = opened);
});
afterAll(() => opened?.close());

/** Both answers: the payload, and the specification's body. */
async function both<T = Json>(path: string): Promise<{ payload: T; body: T }> {
  return { payload: (await compat.json<{ payload: T }>(path)).payload, body: await plain.json<T>(path) };
}

describe("/courses", () => {
  const preview = (id: string, department: string, courseNumber: string, title: string) => ({
    id,
    department,
    courseNumber,
    title,
  });
  const expected = {
    instructors: [
      { ucinetid: "ramberley", name: "Robin Amberley", shortenedName: "AMBERLEY, R." },
      { ucinetid: "qvane", name: "Quinn Vane", shortenedName: "VANE, Q." },
    ],
    prerequisites: [
      preview("MATH2A", "MATH", "2A", "Calculus"),
      preview("I&CSCI31", "I&C SCI", "31", "Introduction"),
      preview("AP10", "AP", "10", "Applied Puppetry"),
    ],
    dependencies: [
      preview("COMPSCI162", "COMPSCI", "162", "Automata"),
      preview("I&CSCI31", "I&C SCI", "31", "Introduction"),
    ],
    prerequisiteTree: REQUIREMENT,
    geList: [
      "GE Ia: Lower Division Writing",
      "GE Ib: Upper Division Writing",
      "GE II: Science and Technology",
      "GE III: Social & Behavioral Sciences",
      "GE IV: Arts and Humanities",
      "GE Va: Quantitative Literacy",
      "GE Vb: Formal Reasoning",
      "GE VI: Language Other Than English",
      "GE VII: Multicultural Studies",
      "GE VIII: International/Global Issues",
    ],
  };

  it("carry previews, object leaves and names of GE categories; every other field is the specification's", async () => {
    const { payload, body } = await both("/courses/COMPSCI161");
    expect(payload).toEqual({ ...body, ...expected });
    expect(payload).not.toHaveProperty("requirementTree");
    expect(body).toMatchObject({ prerequisiteTree: TREE, geList: courses[0]?.geList, prerequisiteList: NAMES });
    for (const field of ["instructors", "prerequisites", "dependencies", "requirementTree"])
      expect(body).not.toHaveProperty(field);
  });

  it("do so in every list, also where there is nothing to carry", async () => {
    for (const path of ["/courses", "/courses/all", "/courses?department=COMPSCI"]) {
      const { payload, body } = await both<Json[]>(path);
      expect(payload.map(({ id }) => id)).toEqual(body.map(({ id }) => id));
      expect(payload.find(({ id }) => id === "COMPSCI161")).toMatchObject(expected);
      const nothing = { instructors: [], prerequisites: [], dependencies: [], prerequisiteTree: {}, geList: [] };
      const other = payload.find(({ id }) => id === "COMPSCI162");
      expect(other).toEqual({ ...body.find(({ id }) => id === "COMPSCI162"), ...nothing });
    }
  });

  it("are the same rows in pages, however often they were sent", async () => {
    const { payload } = await both<Json[]>("/courses/all");
    const page = async (offset: number) => (await both<Json[]>(`/courses/all?limit=2&offset=${offset}`)).payload;
    expect([...(await page(2)), ...(await page(1))]).toEqual([...payload.slice(2, 4), ...payload.slice(1, 3)]);
    expect((await both<Json[]>("/courses?department=COMPSCI")).payload).toEqual(
      payload.filter(({ department }) => department === "COMPSCI"),
    );
  });

  it("are found by the codes of GE categories as before", async () => {
    const { payload } = await both<Json[]>("/courses?geCategory=GE-8");
    expect(payload.map(({ id }) => id)).toEqual(["COMPSCI161"]);
  });
});

describe("/instructors", () => {
  it("carry `ucinetid` beside `netid`, and previews of the courses of `courseHistory`", async () => {
    const more = {
      ucinetid: "ramberley",
      courses: [
        { id: "COMPSCI161", department: "COMPSCI", courseNumber: "161", title: "Algorithms" },
        { id: "I&CSCI31", department: "I&C SCI", courseNumber: "31", title: "Introduction" },
      ],
    };
    const { payload, body } = await both("/instructors/RAMBERLEY");
    expect(payload).toEqual({ ...body, ...more });
    expect(body).not.toHaveProperty("ucinetid");
    expect(body).not.toHaveProperty("courses");
    for (const path of ["/instructors", "/instructors/all", "/instructors?nameContains=amber"]) {
      const { payload: list, body: bare } = await both<Json[]>(path);
      expect(list.map(({ ucinetid }) => ucinetid)).toEqual(bare.map(({ netid }) => netid));
      expect(list.find(({ netid }) => netid === "ramberley")).toMatchObject(more);
    }
  });
});

describe("/larc", () => {
  it("has `days` and `bldg` in addition to `day` and `building`", async () => {
    const { payload, body } = await both<{ sections: Json[] }[]>("/larc?year=2024&quarter=Fall");
    const [entry] = body;
    expect(entry?.sections.map((section) => Object.keys(section))).toEqual(
      Array.from({ length: 2 }, () => ["day", "time", "instructor", "building"]),
    );
    const twice = (section: Json) => ({ ...section, days: section["day"], bldg: section["building"] });
    expect(payload).toEqual([{ ...entry, sections: entry?.sections.map(twice) }]);
  });
});

describe("/enrollmentHistory", () => {
  it("has section codes that are texts of five digits", async () => {
    const { payload, body } = await both<Json[]>("/enrollmentHistory?year=2019");
    expect(body.map(({ sectionCode }) => sectionCode)).toEqual([123, 10_001]);
    expect(payload).toEqual(
      body.map((record) => ({ ...record, sectionCode: String(record["sectionCode"]).padStart(5, "0") })),
    );
    expect((await both<Json[]>("/enrollmentHistory?sectionCode=00123")).payload).toHaveLength(1);
  });
});

describe("other formats", () => {
  it("are the specification's: no envelope, no further fields", async () => {
    for (const path of [
      "/courses/all",
      "/instructors/all",
      `/larc?year=2024&quarter=Fall`,
      "/enrollmentHistory?year=2019",
    ])
      for (const format of ["csv", "ndjson"]) {
        const asked = `${path}${path.includes("?") ? "&" : "?"}format=${format}`;
        const [one, other] = await Promise.all([compat.get(asked), plain.get(asked)]);
        expect([asked, one.status, await one.text()]).toEqual([asked, 200, await other.text()]);
      }
  });
});

it("previews are of the same snapshot as what they stand in", async () => {
  const [first = courseRow(), second = courseRow(), ...rest] = courses;
  await both("/instructors/all");
  await publishRows(opened.folder.artifacts, { courses: [first, { ...second, title: "Automata, anew" }, ...rest] });
  const titleIn = async () =>
    (await compat.json<{ payload: { dependencies: Json[] } }>("/courses/COMPSCI161")).payload.dependencies[0]?.[
      "title"
    ];
  await expect.poll(titleIn, { timeout: 20_000, interval: 50 }).toBe("Automata, anew");
  const { payload } = await both("/instructors/ramberley");
  expect(payload).toHaveProperty("courses.0.title", "Algorithms");
  expect((await both<Json[]>("/instructors/all")).payload).toContainEqual(payload);
  expect((await both<Json[]>("/courses/all")).payload).toContainEqual((await both("/courses/COMPSCI161")).payload);
  expect((await both("/courses/COMPSCI162")).payload).toMatchObject({ title: "Automata, anew" });
});
