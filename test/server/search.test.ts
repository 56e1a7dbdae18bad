/** Search as people use it: codes as they are typed, misspellings, names, section codes; and what nobody types. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../pipeline/log.ts";
import { createPool } from "../../server/pool.ts";
import { openStore } from "../../server/store.ts";
import { gradeRow } from "../publish/scratch.ts";
import { openFolder } from "../world.ts";
import { courseRow, personRow } from "./catalogue-rows.ts";
import { openApp, type OpenedApp } from "./opened-app.ts";
import { publishRows, type PublishedRows } from "./published.ts";
import { headingsOf, sectionRow } from "./section-rows.ts";

interface Hit {
  kind: string;
  id: string;
  title: string;
  subtitle: string;
  department: string;
  score: number;
  links: Record<string, string>;
}

const DEPARTMENTS = [
  ["ART", "Art"],
  ["ART HIS", "Art History"],
  ["BIO SCI", "Biological Sciences"],
  ["COGS", "Cognitive Sciences"],
  ["COM LIT", "Comparative Literature"],
  ["COMPSCI", "Computer Science"],
  ["CRM/LAW", "Criminology, Law and Society"],
  ["GEN&SEX", "Gender & Sexuality Studies"],
  ["I&C SCI", "Information & Computer Science"],
  ["IN4MATX", "Informatics"],
  ["MATH", "Mathematics"],
  ["PHYSICS", "Physics"],
] as const;

const COURSES = [
  ["ART HIS", "40A", "Ancient Art"],
  ["BIO SCI", "93", "From DNA to Organisms"],
  ["COGS", "161", "Memory"],
  ["COM LIT", "60", "Reading across Borders"],
  ["COMPSCI", "16", "Small Machines"],
  ["COMPSCI", "161", "Design and Analysis of Algorithms"],
  ["COMPSCI", "H161", "Honors Algorithms"],
  ["COMPSCI", "161L", "Algorithms Laboratory"],
  ["CRM/LAW", "C7", "Crime and Justice"],
  ["I&C SCI", "46", "Data Structure Implementation"],
  ["I&C SCI", "H32", "Honors Programming"],
  ["IN4MATX", "43", "Introduction to Software Engineering"],
  ["MATH", "2B", "Single-Variable Calculus"],
  ["PHYSICS", "7C", "Classical Physics"],
  ["PHYSICS", "46", "Café Thermodynamics"],
  // Only courses know this department.
  ["OLD DEP", "1", "What Was Taught Once"],
] as const;

const PEOPLE = [
  ["qosterwi", "Quillon Osterwick", "OSTERWICK, Q.", "Mathematics"],
  ["tosterwi", "Tamsin B Osterwick", "OSTERWICK, T.", "Physics"],
  ["mveludro", "Maré Veludros", "VELUDROS, M.", "Computer Science"],
] as const;

const sections = (["2023 Fall", "2024 Winter", "2024 Spring", "2024 Fall"] as const).map((name, i) => {
  const [year = "", quarter] = name.split(" ");
  return sectionRow({
    year,
    quarter: quarter as "Fall",
    sectionCode: i === 3 ? "34250" : "34240",
    deptCode: "I&C SCI",
    courseNumber: "46",
    courseTitle: "Data Structures",
  });
});

const rows: PublishedRows = {
  departments: DEPARTMENTS.map(([deptCode, deptName]) => ({ deptCode, deptName })),
  courses: COURSES.map(([department, courseNumber, title]) => courseRow({ department, courseNumber, title })),
  instructors: PEOPLE.map(([netid, name, shortenedName, department]) =>
    personRow({ netid, name, shortenedName, department, relatedDepartments: [] }),
  ),
  sections,
  headings: headingsOf(sections),
};

let folder: Awaited<ReturnType<typeof openFolder>>;
let app: OpenedApp;
beforeAll(async () => {
  folder = await openFolder();
  await publishRows(folder.artifacts, rows);
  app = await openApp(folder.artifacts);
});
afterAll(async () => {
  await app?.close();
  await folder?.remove();
});

const get = (q: string, more = "") => app.get(`/search?q=${encodeURIComponent(q)}${more}`);
async function search(q: string, more = ""): Promise<Hit[]> {
  const response = await get(q, more);
  expect([q, response.status]).toEqual([q, 200]);
  return (await response.json()) as Hit[];
}

describe("the first hit", () => {
  it.each([
    // Codes as they stand in the catalogue, and as they are typed.
    ["I&C SCI 46", "I&CSCI46"],
    ["i&c sci 46", "I&CSCI46"],
    ["I&CSCI46", "I&CSCI46"],
    ["ICS 46", "I&CSCI46"],
    ["ics46", "I&CSCI46"],
    ["ics h32", "I&CSCIH32"],
    ["CS161", "COMPSCI161"],
    ["cs 161", "COMPSCI161"],
    ["cs-161", "COMPSCI161"],
    ["compsci161", "COMPSCI161"],
    ["COMPSCI 161L", "COMPSCI161L"],
    ["comp sci 161", "COMPSCI161"],
    ["computer science 161", "COMPSCI161"],
    ["  cs   161 ", "COMPSCI161"],
    ["cs 161 algorithms", "COMPSCI161"],
    ["bio sci 93", "BIOSCI93"],
    ["bio 93", "BIOSCI93"],
    ["biology 93", "BIOSCI93"],
    ["in4matx43", "IN4MATX43"],
    ["IN4MATX 43", "IN4MATX43"],
    ["inf 43", "IN4MATX43"],
    ["math2b", "MATH2B"],
    ["CRM/LAW C7", "CRM/LAWC7"],
    ["crim c7", "CRM/LAWC7"],
    ["com lit 60", "COMLIT60"],
    ["old dep 1", "OLDDEP1"],
    // Cut short or misspelt.
    ["compsic 161", "COMPSCI161"],
    ["compsc 161", "COMPSCI161"],
    ["mathmatics 2b", "MATH2B"],
    ["phisics 7c", "PHYSICS7C"],
    ["phys 7", "PHYSICS7C"],
    ["inform 43", "IN4MATX43"],
    // Titles.
    ["data structure implementation", "I&CSCI46"],
    ["data stru", "I&CSCI46"],
    ["sofware enginering", "IN4MATX43"],
    ["calclus", "MATH2B"],
    ["cafe thermo", "PHYSICS46"],
    ["from dna to organisms", "BIOSCI93"],
    ["physics thermodynamics", "PHYSICS46"],
    // Departments.
    ["I&C SCI", "I&C SCI"],
    ["ics", "I&C SCI"],
    ["math", "MATH"],
    ["mathematics", "MATH"],
    ["matematics", "MATH"],
    ["art", "ART"],
    ["art history", "ART HIS"],
    ["gender and sexuality studies", "GEN&SEX"],
    ["gender & sex", "GEN&SEX"],
    // People.
    ["Quillon Osterwick", "qosterwi"],
    ["osterwick, t.", "tosterwi"],
    ["osterwick tamsin", "tosterwi"],
    ["tamsin osterwik", "tosterwi"],
    ["osterwick q", "qosterwi"],
    ["mveludro", "mveludro"],
    ["mare veludros", "mveludro"],
    ["VELU", "mveludro"],
    ["ve", "mveludro"],
  ])("%s → %s", async (q, id) => {
    expect((await search(q))[0]?.id).toBe(id);
  });
});

describe("ranking", () => {
  it("puts the course that was named before those that begin like it, and those before everything else", async () => {
    const hits = await search("cs 16");
    expect(hits.map(({ id }) => id).slice(0, 3)).toEqual(["COMPSCI16", "COMPSCI161", "COMPSCI161L"]);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(hits[0]?.score).toBeGreaterThanOrEqual(0.9);
    expect(hits[1]?.score).toBeLessThan(0.9);
  });

  it("takes a nickname for the department that has it, then for those whose initials it is", async () => {
    const ids = (await search("cs 161")).map(({ id }) => id);
    expect(ids.indexOf("COMPSCI161")).toBe(0);
    expect(ids.indexOf("COGS161")).toBe(1);
  });

  it("gives a number alone in every department", async () => {
    expect((await search("46")).map(({ id }) => id).sort()).toEqual(["I&CSCI46", "PHYSICS46"]);
  });

  it("falls back to some of the words when nothing has all of them", async () => {
    const hits = await search("calculus zzyzx");
    expect(hits[0]).toMatchObject({ id: "MATH2B" });
    expect(hits[0]?.score).toBeLessThan(0.5);
  });

  it("gives every namesake", async () => {
    expect((await search("osterwick")).map(({ id }) => id).sort()).toEqual(["qosterwi", "tosterwi"]);
  });
});

describe("a hit", () => {
  it("has names for people and addresses that answer", async () => {
    const [course] = await search("ics 46");
    expect(course).toEqual({
      kind: "course",
      id: "I&CSCI46",
      title: "I&C SCI 46",
      subtitle: "Data Structure Implementation",
      department: "I&C SCI",
      score: expect.any(Number),
      links: {
        self: "/v1/rest/courses/I%26CSCI46",
        grades: "/v1/rest/grades/raw?department=I%26C+SCI&courseNumber=46",
        sections: "/v1/rest/schedule?year=2024&quarter=Fall&department=I%26C+SCI&courseNumber=46",
        enrollmentHistory: "/v1/rest/enrollmentHistory?department=I%26C+SCI&courseNumber=46",
      },
    });
    const [person] = await search("qosterwi");
    expect(person).toMatchObject({ kind: "instructor", title: "Quillon Osterwick", subtitle: "Lecturer, Mathematics" });
    expect(person?.department).toBe("MATH");
    const [department] = await search("physics");
    expect(department).toMatchObject({ kind: "department", title: "PHYSICS", subtitle: "Physics" });
    for (const hit of [course, person, department])
      for (const link of Object.values(hit?.links ?? {}))
        expect([link, (await app.get(link.replace("/v1/rest", ""))).status]).toEqual([link, 200]);
    const schedule = (await (await app.get((course?.links["sections"] ?? "").replace("/v1/rest", ""))).json()) as {
      schools: unknown[];
    };
    expect(schedule.schools).toHaveLength(1);
  });

  it("of a section code is that section in the newest terms, newest first", async () => {
    expect((await search("34250")).map(({ kind, id, title }) => [kind, id, title])).toEqual([
      ["section", "2024 Fall 34250", "I&C SCI 46"],
    ]);
    const older = await search("34240");
    // 2023 Fall is no new term any more.
    expect(older.map(({ id }) => id)).toEqual(["2024 Spring 34240", "2024 Winter 34240"]);
    for (const link of Object.values(older[0]?.links ?? {}))
      expect([link, (await app.get(link.replace("/v1/rest", ""))).status]).toEqual([link, 200]);
    expect(await search("99999")).toEqual([]);
  });
});

describe("the index", () => {
  it("is shared by snapshots in which nothing changed that it is made from, and made anew when something did", async () => {
    const other = await openFolder();
    await publishRows(other.artifacts, rows);
    const pool = await createPool({ artifactsDir: other.artifacts });
    const store = await openStore({
      artifactsDir: other.artifacts,
      pool,
      log: silentLog,
      compat: false,
      notice: () => () => {},
    });
    const first = store.current();
    await publishRows(other.artifacts, { grades: [gradeRow({ department: "MATH" })] });
    await store.look();
    const second = store.current();
    expect(second?.id).not.toBe(first?.id);
    expect(await second?.search()).toBe(await first?.search());
    await publishRows(other.artifacts, {
      courses: [courseRow({ department: "MATH", courseNumber: "9", title: "Knots" })],
    });
    await store.look();
    const found = (await store.current()?.search())?.find("knots", 3) ?? [];
    expect(found.map(({ entry }) => entry.id)).toEqual(["MATH9"]);
    expect((await second?.search())?.find("knots", 3)).toEqual([]);
    await store.close();
    await pool.close();
    await other.remove();
  });
});

describe("limits and refusals", () => {
  it("gives as many as asked for", async () => {
    expect(await search("cs 16", "&limit=2")).toHaveLength(2);
    expect((await search("s", "&limit=50")).length).toBeLessThanOrEqual(50);
    for (const limit of ["0", "51", "-1", "1.5", "ten"]) {
      const response = await get("cs", `&limit=${limit}`);
      expect([limit, response.status]).toEqual([limit, 400]);
      expect(((await response.json()) as { message: string }).message).toMatch(/limit .*from 1 to 50/);
    }
  });

  it.each(["", "?q=", "?q=%20%20", "?limit=3"])("%j is a 400 that names q", async (query) => {
    const response = await app.get(`/search${query}`);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toContain('"q" not provided');
  });

  it("refuses a question that nobody types", async () => {
    expect((await get("a".repeat(200))).status).toBe(200);
    const response = await get("a".repeat(201));
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toMatch(/q .*200 characters/);
  });

  it.each([
    "???",
    "&&&///",
    "🙂",
    "🙂🙂🙂".repeat(20),
    ".*",
    "(((((a+)+)+)+$",
    "[a-z]{1000}",
    "\\d+\\",
    "%",
    "'; DROP TABLE courses; --",
    "<script>alert(1)</script>",
    "__proto__",
    "constructor 1",
    "toString",
    "\u202e\u200b",
    "مرحبا 161",
    "数学",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "1".repeat(200),
    "a1".repeat(100),
    "and of the",
  ])("%j is answered", async (q) => {
    const hits = await search(q);
    expect(Array.isArray(hits)).toBe(true);
    for (const { score } of hits) expect(score > 0 && score <= 1).toBe(true);
  });

  it("finds nothing where nothing is like it", async () => {
    for (const q of ["???", "🙂", "xqzzvw", "数学"]) expect([q, await search(q)]).toEqual([q, []]);
  });
});
