/** What differs in bodies and in questions with COMPAT=1 (behaviour §10), over a few rows that show each rule. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Section } from "../../../../pipeline/contract/section.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { courseRow, personRow } from "../../../support/catalogue-rows.ts";
import { historyRow, periodRows } from "../formats/history-row.ts";
import { publishRows } from "../../../support/published.ts";
import { headingsOf, meeting, sectionRow } from "../../../support/section-rows.ts";

type Json = Record<string, unknown>;

const TREE = {
  AND: [
    { OR: ["MATH 2A", "AP CALCULUS AB", { AND: ["PHYSICS 3A", "AP PHYSICS 1"] }] },
    "I&CSCI 31",
    "ENTRY LEVEL WRITING",
    "AP 10",
  ],
};
const NAMES = ["MATH 2A", "AP CALCULUS AB", "PHYSICS 3A", "AP PHYSICS 1", "I&CSCI 31", "ENTRY LEVEL WRITING", "AP 10"];

const courses = [
  courseRow({
    department: "COMPSCI",
    courseNumber: "161",
    title: "Algorithms",
    prerequisiteTree: JSON.stringify(TREE),
    prerequisiteList: NAMES,
    prerequisiteFor: ["COMPSCI 162", "NOWHERE 1", "I&C SCI 31"],
    instructorHistory: ["ramberley", "nobody", "qvane"],
    geList: ["GE-1A", "GE-1B", "GE-2", "GE-3", "GE-4", "GE-5A", "GE-5B", "GE-6", "GE-7", "GE-8"],
    minUnits: 0.5,
    maxUnits: 4,
    description: 'Text with "quotes", \\ and Ünïcode 😀.',
  }),
  courseRow({ department: "COMPSCI", courseNumber: "162", title: "Automata" }),
  courseRow({ department: "I&C SCI", courseNumber: "31", title: "Introduction" }),
  courseRow({ department: "MATH", courseNumber: "2A", title: "Calculus" }),
  // A department whose code looks like an exam: what the catalogue lists is a course.
  courseRow({ department: "AP", courseNumber: "10", title: "Applied Puppetry" }),
];
const people = [
  personRow({
    courseHistory: { "COMPSCI 161": ["2024 Fall"], "DANCE 999": ["2024 Fall"], "I&C SCI 31": ["2023 Fall"] },
  }),
  personRow({ netid: "qvane", name: "Quinn Vane", shortenedName: "VANE, Q." }),
];
const sections = (
  [
    ["20000", { restrictions: "A", meetings: [meeting("TuTh", "9:00", "9:50", "ALP 2300")] }],
    ["20001", { restrictions: "A and L", meetings: [meeting("MWF", "9:00", "9:50", "ALP 2300")] }],
    ["20002", { restrictions: "", meetings: [meeting("Tu", "9:00", "9:50", "ALP 2300")] }],
    ["20003", { restrictions: "B or K", meetings: [meeting("SaSu", "9:00", "9:50", "ALP 2300")] }],
  ] satisfies [string, Partial<Section>][]
).map(([sectionCode, change]) => sectionRow({ sectionCode, ...change }));

let folder: Awaited<ReturnType<typeof openFolder>>;
let compat: Awaited<ReturnType<typeof serve>>;
let plain: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  folder = await openFolder();
  await publishRows(folder.artifacts, {
    courses,
    instructors: people,
    sections,
    headings: headingsOf(sections),
    larc: [
      {
        year: "2024",
        quarter: "Fall",
        courseNumber: "MATH 2A",
        courseName: "Calculus",
        sections: [
          { day: "MW", time: "9:00-9:50a", instructor: "Robin Amberley", building: "ON LINE" },
          { day: "TuTh", time: "1:00-1:50p", instructor: "Quinn Vane", building: "RH 101" },
        ],
      },
    ],
    enrollment_history: [historyRow("00123"), historyRow("10001")],
    enrollment_periods: [
      ...periodRows("00123", [["2019-10-01", "2019-10-02", "12"]]),
      ...periodRows("10001", [["2019-10-01", "2019-10-01", "7"]]),
    ],
  });
  compat = await serve({ ...folder.env, COMPAT: "1" });
  plain = await serve(folder.env);
});
afterAll(async () => {
  await compat?.close();
  await plain?.close();
  await folder?.remove();
});

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
    prerequisiteTree: {
      AND: [
        {
          OR: [
            { prereqType: "course", coreq: false, courseId: "MATH 2A" },
            { prereqType: "exam", examName: "AP CALCULUS AB" },
            {
              AND: [
                { prereqType: "course", coreq: false, courseId: "PHYSICS 3A" },
                { prereqType: "exam", examName: "AP PHYSICS 1" },
              ],
            },
          ],
        },
        { prereqType: "course", coreq: false, courseId: "I&CSCI 31" },
        { prereqType: "exam", examName: "ENTRY LEVEL WRITING" },
        { prereqType: "course", coreq: false, courseId: "AP 10" },
      ],
    },
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
    expect(body).toMatchObject({ prerequisiteTree: TREE, geList: courses[0]?.geList, prerequisiteList: NAMES });
    for (const field of ["instructors", "prerequisites", "dependencies"]) expect(body).not.toHaveProperty(field);
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

const TERM = "year=2024&quarter=Fall";
const codesIn = (text: string): string[] => [...text.matchAll(/"sectionCode":"(\d{5})"/g)].map(([, code = ""]) => code);
async function codesOf(server: typeof compat, query: string): Promise<string[]> {
  const response = await server.get(`/schedule?${TERM}&${query}`);
  const text = await response.text();
  expect([query, response.status, text]).toEqual([query, 200, expect.stringContaining("schools")]);
  return codesIn(text);
}

describe("questions", () => {
  it.each([
    ["cacheOnly=True", ["20000", "20001", "20002", "20003"]],
    ["cacheOnly=1", ["20000", "20001", "20002", "20003"]],
    ["cacheOnly=1&cache=True&includeCoCourses=0&sectionCodes=20001", ["20001"]],
    ["department=DANCE&cacheOnly=False", ["20000", "20001", "20002", "20003"]],
    ["cacheOnly=1&days=tuth", ["20000"]],
    ["cacheOnly=1&days=T", ["20000", "20002"]],
    ["cacheOnly=1&days=t", ["20000", "20002"]],
    ["cacheOnly=1&days=TTh", ["20000"]],
    ["cacheOnly=1&days=mwf", ["20001"]],
    ["cacheOnly=1&days=sa,SU", ["20003"]],
    ["cacheOnly=1&days=M,f", ["20001"]],
    ["cacheOnly=1&days=TuTh", ["20000"]],
  ])("booleans and days in looser forms: %s", async (query, found) => {
    expect(await codesOf(compat, query)).toEqual(found);
    const older = await compat.json<unknown>(`/websoc?${TERM}&${query}`);
    expect(codesIn(JSON.stringify(older))).toEqual(found);
  });

  it.each([
    ["cacheOnly=True", "true or false"],
    ["cacheOnly=1", "true or false"],
    ["cacheOnly=true&days=mwf", "days written with"],
    ["cacheOnly=true&days=T", "days written with"],
  ])("which stay 400 without COMPAT=1: %s", async (query, allowed) => {
    const response = await plain.get(`/schedule?${TERM}&${query}`);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(allowed)]);
  });

  it.each([
    "cacheOnly=TRUE",
    "cacheOnly=2",
    "cacheOnly=true&cache=1&cache=0",
    "cacheOnly=1&days=x",
    "cacheOnly=1&days=S",
  ])("what is no boolean and no day stays 400: %s", async (query) =>
    expect((await compat.get(`/schedule?${TERM}&${query}`)).status).toBe(400),
  );

  it("excludePNP too", async () => {
    expect((await compat.get("/grades/raw?excludePNP=1")).status).toBe(200);
    expect((await plain.get("/grades/raw?excludePNP=1")).status).toBe(400);
  });

  it("excludeRestrictionCodes, in both modes", async () => {
    for (const server of [compat, plain]) {
      expect(await codesOf(server, "department=DANCE&excludeRestrictionCodes=A")).toEqual(["20002", "20003"]);
      expect(await codesOf(server, "department=DANCE&excludeRestrictionCodes=L,K")).toEqual(["20000", "20002"]);
      expect(await codesOf(server, "department=DANCE&excludeRestrictionCodes=")).toHaveLength(4);
    }
  });
});

describe("other formats", () => {
  it("are the specification's: no envelope, no further fields", async () => {
    for (const path of ["/courses/all", "/instructors/all", `/larc?${TERM}`, "/enrollmentHistory?year=2019"])
      for (const format of ["csv", "ndjson"]) {
        const asked = `${path}${path.includes("?") ? "&" : "?"}format=${format}`;
        const [one, other] = await Promise.all([compat.get(asked), plain.get(asked)]);
        expect([asked, one.status, await one.text()]).toEqual([asked, 200, await other.text()]);
      }
  });
});

it("previews are of the same snapshot as what they stand in", async () => {
  const [first = courseRow(), second = courseRow(), ...rest] = courses;
  await publishRows(folder.artifacts, { courses: [first, { ...second, title: "Automata, anew" }, ...rest] });
  const titleIn = async () =>
    (await compat.json<{ payload: { dependencies: Json[] } }>("/courses/COMPSCI161")).payload.dependencies[0]?.[
      "title"
    ];
  await expect.poll(titleIn, { timeout: 20_000, interval: 50 }).toBe("Automata, anew");
  const { payload } = await both("/instructors/ramberley");
  expect(payload).toHaveProperty("courses.0.title", "Algorithms");
  expect((await both("/courses/COMPSCI162")).payload).toMatchObject({ title: "Automata, anew" });
});
