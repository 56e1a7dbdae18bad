/** `netid` and `instructorIds` (server/RULES.md, Instructors and courses). */
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SectionInstructor } from "../../../pipeline/contract/rows/section-instructor.ts";
import { gradeRow } from "../../support/grade-row.ts";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import { publishRows } from "../../support/published/published.ts";
import { personRow } from "../../support/worlds/catalogue-rows.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { openFolder } from "../../support/whole-run.ts";

/** Two people are `LEE, K.`, one of them in DANCE; nobody is `NOONE, X.`. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  DANCE: { "LEE, K.": ["klee"], "AMBERLEY, R.": ["ramberley"], "NOONE, X.": [] },
  "I&C SCI": { "LEE, K.": ["klee", "klee2"], "Ámberley, R.": ["ramberley"] },
};
const SECTIONS = [
  sectionRow({ sectionCode: "10001", instructors: ["LEE, K.", "AMBERLEY, R."] }),
  sectionRow({ sectionCode: "10002", instructors: ["STAFF"] }),
  sectionRow({ sectionCode: "10003", instructors: [] }),
  sectionRow({ sectionCode: "10004", instructors: ["STAFF", "NOONE, X."], courseNumber: "20" }),
  sectionRow({ sectionCode: "20001", deptCode: "I&C SCI", instructors: ["LEE, K."] }),
  sectionRow({ sectionCode: "20002", deptCode: "I&C SCI", instructors: ["Ámberley, R.", "LEE, K."] }),
];
const IDS: Readonly<Record<string, string[][]>> = {
  "10001": [["klee"], ["ramberley"]],
  "10002": [[]],
  "10003": [],
  "10004": [[], []],
  "20001": [["klee", "klee2"]],
  "20002": [["ramberley"], ["klee", "klee2"]],
};
const GRADES = SECTIONS.map(({ sectionCode, deptCode, courseNumber, instructors }) =>
  gradeRow({
    ...{ year: "2024", quarter: "Fall", sectionCode, department: deptCode, courseNumber },
    instructors: instructors.filter((name) => name !== "STAFF"),
  }),
);
const matches = SECTIONS.flatMap(({ year, quarter, sectionCode, deptCode, instructors }): SectionInstructor[] =>
  instructors
    .filter((name) => name !== "STAFF")
    .flatMap((name) => {
      const netids = KNOWN[deptCode]?.[name] ?? [];
      const matchedBy = netids.length === 0 ? ("none" as const) : ("name" as const);
      const row = { year, quarter, sectionCode, department: deptCode, name, matchedBy, candidates: netids.length };
      return (netids.length === 0 ? [null] : netids).map((netid) => ({ ...row, netid }));
    }),
);

let folder: Awaited<ReturnType<typeof openFolder>>;
const apps: OpenedApp[] = [];
beforeAll(async () => {
  folder = await openFolder();
  await publishRows(folder.artifacts, {
    sections: SECTIONS,
    headings: headingsOf(SECTIONS),
    grades: GRADES,
    section_instructors: matches,
    instructors: ["klee", "klee2", "ramberley"].map((netid) => personRow({ netid })),
  });
  apps.push(await openApp(folder.artifacts), await openApp(folder.artifacts, undefined, { compat: true }));
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await folder?.remove();
});

const SCHEDULE = "/schedule?year=2024&quarter=Fall&cacheOnly=true&cancelledCourses=Include";
interface Listed {
  readonly sectionCode: string;
  readonly instructors: readonly string[];
  readonly instructorIds?: readonly (readonly string[])[];
}
interface Tree {
  schools: { departments: { courses: { sections: Listed[] }[] }[] }[];
}
const sectionsOf = ({ schools }: Tree): Listed[] =>
  schools.flatMap(({ departments }) => departments.flatMap(({ courses }) => courses.flatMap((one) => one.sections)));

async function get<T>(address: string, compat = false): Promise<T> {
  const answer = (await (await apps[compat ? 1 : 0]?.get(address))?.json()) as T & { payload: T };
  return compat ? answer.payload : answer;
}
const text = async (address: string) => (await apps[0]?.get(address))?.text() ?? "";
const idsByCode = (sections: readonly Listed[]) =>
  Object.fromEntries(sections.map(({ sectionCode, instructorIds }) => [sectionCode, instructorIds]));

describe.each([false, true])("COMPAT=1: %s", (compat) => {
  it("the schedule has the ids of each name, in the order of the names", async () => {
    const sections = sectionsOf(await get<Tree>(`${SCHEDULE}&instructorIds=true`, compat));
    expect(idsByCode(sections)).toEqual(IDS);
    for (const { instructors, instructorIds } of sections) expect(instructorIds).toHaveLength(instructors.length);
  });

  it("grades have them too: the rows, the list of sections, and each offering", async () => {
    const named = Object.fromEntries(
      SECTIONS.map(({ sectionCode, instructors }) => [
        sectionCode,
        (IDS[sectionCode] ?? []).filter((_, i) => instructors[i] !== "STAFF"),
      ]),
    );
    expect(idsByCode(await get<Listed[]>("/grades/raw?instructorIds=true", compat))).toEqual(named);
    const { sectionList } = await get<{ sectionList: Listed[] }>("/grades/aggregate?instructorIds=true", compat);
    expect(idsByCode(sectionList)).toEqual(named);
    const offerings = await get<{ department: string; instructor: string; instructorIds: string[] }[]>(
      "/grades/aggregateByOffering?instructorIds=true",
      compat,
    );
    expect(offerings.map((one) => [one.department, one.instructor, one.instructorIds])).toEqual([
      ["DANCE", "AMBERLEY, R.", ["ramberley"]],
      ["DANCE", "LEE, K.", ["klee"]],
      ["DANCE", "NOONE, X.", []],
      ["I&C SCI", "LEE, K.", ["klee", "klee2"]],
      ["I&C SCI", "Ámberley, R.", ["ramberley"]],
    ]);
  });

  it.each([
    ["klee", ["10001", "20001", "20002"]],
    ["KLEE2", ["20001", "20002"]],
    ["ramberley", ["10001", "20002"]],
    ["nobody", []],
  ])("netid=%s: sections with a name that may mean the person", async (netid, codes) => {
    const found = sectionsOf(await get<Tree>(`${SCHEDULE}&netid=${netid}`, compat));
    expect(found.map(({ sectionCode }) => sectionCode)).toEqual(codes);
    const graded = await get<Listed[]>(`/grades/raw?netid=${netid}`, compat);
    expect(graded.map(({ sectionCode }) => sectionCode)).toEqual(codes);
  });
});

it("offerings of a netid are those of the person's names only", async () => {
  const offerings = await get<{ department: string; instructor: string }[]>("/grades/aggregateByOffering?netid=klee2");
  expect(offerings.map((one) => [one.department, one.instructor])).toEqual([["I&C SCI", "LEE, K."]]);
});

it("without the parameter, or with false, nothing is added, and no other tag", async () => {
  const plain = await apps[0]?.get(SCHEDULE);
  expect(await plain?.text()).not.toContain("instructorIds");
  expect(await text(`${SCHEDULE}&instructorIds=false`)).not.toContain("instructorIds");
  expect(await text("/grades/raw?format=csv")).not.toContain("instructorIds");
});

it("CSV, NDJSON, Parquet's layout and explain's statement have the same ids", async () => {
  const csv = parse(await text(`${SCHEDULE}&instructorIds=true&format=csv`), { columns: true }) as Listed[];
  expect(csv.map(({ sectionCode, instructorIds }) => [sectionCode, JSON.parse(String(instructorIds))])).toEqual(
    Object.entries(IDS).sort(),
  );
  const ndjson = (await text("/grades/raw?instructorIds=true&netid=klee2&format=ndjson")).trim().split("\n");
  expect(ndjson.map((line) => (JSON.parse(line) as Listed).instructorIds)).toEqual([IDS["20001"], IDS["20002"]]);
  const explained = await get<{ rows: number; tables: { name: string }[] }>(
    "/grades/raw?instructorIds=true&netid=klee2&explain=true",
  );
  expect(explained.rows).toBe(2);
  expect(explained.tables.map(({ name }) => name)).toEqual(["grades", "section_instructors"]);
});

it("fields=instructorIds selects them", async () => {
  const sections = sectionsOf(await get<Tree>(`${SCHEDULE}&instructorIds=true&fields=instructorIds&netid=klee2`));
  expect(sections).toEqual([{ instructorIds: IDS["20001"] }, { instructorIds: IDS["20002"] }]);
});

it("a snapshot from before the table says that it knows no ids", async () => {
  const before = await openFolder();
  await publishRows(before.artifacts, { grades: GRADES, instructors: [personRow({ netid: "klee" })] });
  const app = await openApp(before.artifacts);
  try {
    for (const given of ["instructorIds=true", "netid=klee"])
      expect((await app.get(`/grades/raw?${given}`)).headers.get("warning")).toBe(
        `299 - "${given.split("=")[0]} finds no people: this snapshot has no section_instructors yet"`,
      );
    expect((await app.get("/grades/raw")).headers.get("warning")).toBeNull();
  } finally {
    await app.close();
    await before.remove();
  }
});

it("a netid that nobody has is named in Warning, with those that are close", async () => {
  const warning = async (netid: string) => (await apps[0]?.get(`/grades/raw?netid=${netid}`))?.headers.get("warning");
  expect(await warning("klee3")).toBe('299 - "unknown netid klee3. Did you mean klee or klee2?"');
  expect(await warning("klee2")).toBeNull();
});
