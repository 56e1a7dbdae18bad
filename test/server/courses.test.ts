/** Courses and instructors (specification §5 and §6, behaviour §4 and §8): every filter with a near miss, ids, orders. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFolder } from "../world.ts";
import { courseRow, personRow } from "./catalogue-rows.ts";
import { openApp, type OpenedApp } from "./opened-app.ts";
import { publishRows } from "./published.ts";

const COURSES = [
  courseRow({
    department: "ART",
    courseNumber: "1",
    title: "Drawing",
    geList: ["GE-4"],
    terms: ["2024 Fall", "2023 Spring"],
    instructorHistory: ["klee", "ramberley"],
  }),
  courseRow({
    department: "ART HIS",
    courseNumber: "1",
    title: "Art of 100% Drawings",
    geList: ["GE-4", "GE-8"],
    terms: ["2023 Spring"],
    instructorHistory: ["kleeman"],
  }),
  courseRow({ department: "ARTS", courseNumber: "100", title: "Painting", minUnits: 1, maxUnits: 12 }),
  courseRow({ department: "CRM/LAW", courseNumber: "C7", title: "Law" }),
  courseRow({ department: "DANCE", courseNumber: "W", title: "Walking", minUnits: 0.5, maxUnits: 0.5 }),
  courseRow({ department: "DANCE", courseNumber: "0", title: "Standing", minUnits: 0, maxUnits: 0 }),
  courseRow({ department: "DANCE", courseNumber: "99", title: "Turning", minUnits: 1.3, maxUnits: 4 }),
  courseRow({
    department: "DANCE",
    courseNumber: "199",
    title: "Leaping",
    description: "A Leap.",
    terms: ["2024 Summer1"],
  }),
  courseRow({ department: "DANCE", courseNumber: "200", title: "Flying" }),
  courseRow({ department: "DANCE", courseNumber: "H46A", title: "Honors Steps", terms: ["2024 Summer10wk"] }),
  courseRow({
    department: "I&C SCI",
    courseNumber: "46",
    title: "Data Structures",
    prerequisiteTree: '{"AND":["MATH 2A",{"OR":["I&C SCI 45C","I&C SCI 45J"]}]}',
    prerequisiteList: ["MATH 2A", "I&C SCI 45C", "I&C SCI 45J"],
    prerequisiteText: "MATH 2A AND (I&C SCI 45C OR I&C SCI 45J)",
  }),
];

const PEOPLE = [
  personRow({
    netid: "klee",
    name: "Kim Lee",
    shortenedName: "LEE, K.",
    title: "Professor",
    department: "Art",
    schools: ["School of Arts"],
    relatedDepartments: ["ART", "ART HIS"],
    courseHistory: { "ART 1": ["2024 Fall", "2023 Spring"] },
  }),
  personRow({
    netid: "kleeman",
    name: "Kay Leeman",
    shortenedName: "LEEMAN, K.",
    title: "Associate Professor of Teaching",
    department: "Art History",
    schools: ["School of Humanities", "School of Arts"],
    relatedDepartments: ["ART HIS"],
    courseHistory: { "ART HIS 1": ["2023 Spring"] },
  }),
  personRow({
    netid: "klee2",
    name: "Kit Lee",
    shortenedName: "LEE, K.",
    title: "Lecturer, Unit 18",
    department: "Dance",
  }),
  personRow(),
  personRow({
    netid: "noname",
    name: "No Name",
    shortenedName: "",
    title: "",
    department: "",
    schools: [],
    relatedDepartments: [],
  }),
];

let folder: Awaited<ReturnType<typeof openFolder>>;
let app: OpenedApp;
beforeAll(async () => {
  folder = await openFolder();
  await publishRows(folder.artifacts, { courses: COURSES.toReversed(), instructors: PEOPLE.toReversed() });
  app = await openApp(folder.artifacts);
});
afterAll(async () => {
  await app?.close();
  await folder?.remove();
});

async function get<T>(path: string): Promise<T> {
  const response = await app.get(path);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as T;
}
const query = (filters: Record<string, string>) => new URLSearchParams(filters).toString();

const ALL_IDS = [
  "ART1",
  "ARTHIS1",
  "ARTS100",
  "CRM/LAWC7",
  "DANCE0",
  "DANCE199",
  "DANCE200",
  "DANCE99",
  "DANCEH46A",
  "DANCEW",
  "I&CSCI46",
];

describe("filters of /courses", () => {
  it.each<[filters: Record<string, string>, ids: string[]]>([
    [{}, ALL_IDS],
    // "equality, so ART never returns ARTHIS"
    [{ department: "ART" }, ["ART1"]],
    [{ department: "art" }, ["ART1"]],
    [{ department: "ARTHIS" }, ["ARTHIS1"]],
    [{ department: "Art His" }, ["ARTHIS1"]],
    [{ department: "I&CSCI" }, ["I&CSCI46"]],
    [{ department: "ARTH" }, []],
    [{ department: "ALL" }, ALL_IDS],
    [{ department: "ANY" }, ALL_IDS],
    [{ courseNumber: "1" }, ["ART1", "ARTHIS1"]],
    [{ courseNumber: "h46a" }, ["DANCEH46A"]],
    [{ courseNumber: "46" }, ["I&CSCI46"]],
    // "integer equality, 0 included"
    [{ courseNumeric: "0" }, ["DANCE0", "DANCEW"]],
    [{ courseNumeric: "46" }, ["DANCEH46A", "I&CSCI46"]],
    [{ courseNumeric: "4" }, []],
    [{ titleContains: "drawing" }, ["ART1", "ARTHIS1"]],
    [{ titleContains: "DRAWINGS" }, ["ARTHIS1"]],
    [{ titleContains: "0% d" }, ["ARTHIS1"]],
    [{ titleContains: "%" }, ["ARTHIS1"]],
    [{ descriptionContains: "a leap" }, ["DANCE199"]],
    [{ descriptionContains: "leaping" }, []],
    [
      { courseLevel: "LowerDiv" },
      ["ART1", "ARTHIS1", "CRM/LAWC7", "DANCE0", "DANCE99", "DANCEH46A", "DANCEW", "I&CSCI46"],
    ],
    [{ courseLevel: "UpperDiv" }, ["ARTS100", "DANCE199"]],
    [{ courseLevel: "Graduate" }, ["DANCE200"]],
    [{ courseLevel: "ANY" }, ALL_IDS],
    // "course.minUnits ≥ value", "course.maxUnits ≤ value"
    [{ department: "DANCE", minUnits: "1.3" }, ["DANCE199", "DANCE200", "DANCE99", "DANCEH46A"]],
    [{ department: "DANCE", minUnits: "1.31" }, ["DANCE199", "DANCE200", "DANCEH46A"]],
    [{ minUnits: "4.1" }, []],
    [{ minUnits: "0" }, ALL_IDS],
    [{ department: "DANCE", minUnits: ".5", maxUnits: ".5" }, ["DANCEW"]],
    [{ department: "DANCE", minUnits: "0.5", maxUnits: "0.50" }, ["DANCEW"]],
    [{ maxUnits: ".49" }, ["DANCE0"]],
    [{ maxUnits: "0" }, ["DANCE0"]],
    [
      { minUnits: "1", maxUnits: "11.9" },
      ["ART1", "ARTHIS1", "CRM/LAWC7", "DANCE199", "DANCE200", "DANCE99", "DANCEH46A", "I&CSCI46"],
    ],
    // "a course matches when any of them taught it"
    [{ taughtByInstructors: "klee" }, ["ART1"]],
    [{ taughtByInstructors: "KLEEMAN,ramberley" }, ["ART1", "ARTHIS1"]],
    [{ taughtByInstructors: "kle" }, []],
    [{ geCategory: "GE-4" }, ["ART1", "ARTHIS1"]],
    [{ geCategory: "GE-8" }, ["ARTHIS1"]],
    [{ geCategory: "GE-1A" }, []],
    [{ geCategory: "ANY" }, ALL_IDS],
    [{ taughtInTerms: "2023 Spring" }, ["ART1", "ARTHIS1"]],
    [{ taughtInTerms: "2024 fall, 2024 Summer10wk" }, ["ART1", "DANCEH46A"]],
    [{ taughtInTerms: "2024 Summer1" }, ["DANCE199"]],
    [{ taughtInTerms: "2024" }, []],
    [{ department: "ART", geCategory: "GE-8" }, []],
    [
      {
        department: "ART",
        courseNumber: "1",
        courseNumeric: "1",
        titleContains: "draw",
        courseLevel: "LowerDiv",
        minUnits: "4",
        maxUnits: "4",
        descriptionContains: "bodies",
        taughtByInstructors: "klee",
        geCategory: "GE-4",
        taughtInTerms: "2024 Fall",
      },
      ["ART1"],
    ],
  ])("%o", async (filters, ids) => {
    expect((await get<{ id: string }[]>(`/courses?${query(filters)}`)).map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    "courseNumeric=x",
    "courseNumeric=-1",
    "courseNumeric=1.5",
    "minUnits=four",
    "minUnits=-1",
    "maxUnits=1e3",
    "maxUnits=4-12",
    "courseLevel=Lower",
    "geCategory=GE-9",
  ])("%s is 400", async (wrong) => {
    const response = await app.get(`/courses?${wrong}`);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toMatch(
      new RegExp(`^Invalid ${wrong.split("=")[0]} provided: `),
    );
  });

  it("a list in several parameters is the list in one", async () => {
    const [one, other] = [
      await app.get("/courses?taughtByInstructors=klee,kleeman"),
      await app.get("/courses?taughtByInstructors=klee&taughtByInstructors=,kleeman,"),
    ];
    expect(await other.json()).toEqual(await one.json());
  });
});

describe("filters of /instructors", () => {
  const ALL = ["klee", "klee2", "kleeman", "noname", "ramberley"];
  it.each<[filters: Record<string, string>, ids: string[]]>([
    [{}, ALL],
    [{ nameContains: "lee" }, ["klee", "klee2", "kleeman"]],
    [{ nameContains: "M LEE" }, ["klee"]],
    // "may match several instructors"; "equals, ignoring case"
    [{ shortenedName: "lee, k." }, ["klee", "klee2"]],
    [{ shortenedName: "LEE, K" }, []],
    [{ shortenedName: "LEEMAN, K." }, ["kleeman"]],
    [{ titleContains: "professor" }, ["klee", "kleeman"]],
    [{ titleContains: "of teaching" }, ["kleeman"]],
    [{ titleContains: "Lecturer, Unit" }, ["klee2"]],
    [{ departmentContains: "art" }, ["klee", "kleeman"]],
    [{ departmentContains: "History" }, ["kleeman"]],
    [{ schoolsContains: "school of humanities" }, ["kleeman"]],
    [{ schoolsContains: "School of Arts" }, ["klee", "klee2", "kleeman", "ramberley"]],
    [{ schoolsContains: "School" }, []],
    [{ schoolsContains: "School of Law,School of Humanities" }, ["kleeman"]],
    [{ relatedDepartmentsContains: "ART" }, ["klee"]],
    [{ relatedDepartmentsContains: "art his" }, ["klee", "kleeman"]],
    [{ relatedDepartmentsContains: "ART,DANCE" }, ["klee", "klee2", "ramberley"]],
    [{ taughtInTerms: "2023 spring" }, ["klee", "kleeman"]],
    [{ taughtInTerms: "2024 Fall,2019 Fall" }, ["klee"]],
    [{ taughtInTerms: "2023" }, []],
    [
      {
        nameContains: "lee",
        titleContains: "professor",
        schoolsContains: "School of Arts",
        relatedDepartmentsContains: "ART HIS",
        taughtInTerms: "2023 Spring",
        departmentContains: "History",
        shortenedName: "leeman, k.",
      },
      ["kleeman"],
    ],
    [{ nameContains: "lee", departmentContains: "Physics" }, []],
  ])("%o", async (filters, ids) => {
    expect((await get<{ netid: string }[]>(`/instructors?${query(filters)}`)).map(({ netid }) => netid)).toEqual(ids);
  });
});

describe("ids", () => {
  it.each([
    ["/courses/CRM%2FLAWC7", "CRM/LAWC7"],
    ["/courses/crm%2flawc7", "CRM/LAWC7"],
    ["/courses/I%26CSCI46", "I&CSCI46"],
    ["/courses/I&CSCI46", "I&CSCI46"],
    ["/courses/i%26csci46/", "I&CSCI46"],
    ["/courses/danceh46a", "DANCEH46A"],
    ["/courses/DANCEH46A?department=", "DANCEH46A"],
  ])("%s", async (path, id) => {
    expect(await get<{ id: string }>(path)).toMatchObject({ id });
  });

  it("are percent-decoded once", async () => {
    for (const path of ["/courses/CRM%252FLAWC7", "/courses/I%2526CSCI46"])
      expect((await app.get(path)).status).toBe(404);
  });

  it("that nobody has: 404 with a name", async () => {
    const message = async (path: string) => ((await (await app.get(path)).json()) as { message: string }).message;
    expect(await message("/courses/ART")).toBe('Course "ART" not found');
    expect(await message("/courses/I%26C%20SCI46")).toBe('Course "I&C SCI46" not found');
    expect(await message("/instructors/kle")).toBe('Instructor "kle" not found');
    expect((await get<{ netid: string }>("/instructors/KLEE")).netid).toBe("klee");
  });

  it("`all` is the list, not an id", async () => {
    expect(await get("/courses/all")).toEqual(await get("/courses"));
    expect(await get("/instructors/all")).toEqual(await get("/instructors"));
  });
});

describe("fields", () => {
  it("units are numbers, whole ones as whole numbers; a tree is an object", async () => {
    const text = async (id: string) => (await app.get(`/courses/${encodeURIComponent(id)}`)).text();
    expect(await text("DANCEW")).toContain('"minUnits":0.5,"maxUnits":0.5,');
    expect(await text("DANCE99")).toContain('"minUnits":1.3,"maxUnits":4,');
    expect(await get("/courses/I%26CSCI46")).toMatchObject({
      courseNumeric: 46,
      courseLevel: "Lower Division (1-99)",
      prerequisiteTree: { AND: ["MATH 2A", { OR: ["I&C SCI 45C", "I&C SCI 45J"] }] },
      prerequisiteText: "MATH 2A AND (I&C SCI 45C OR I&C SCI 45J)",
    });
    // "No prerequisites: prerequisiteTree {}, list [], text ''"
    expect(await get("/courses/ART1")).toMatchObject({
      prerequisiteTree: {},
      prerequisiteList: [],
      prerequisiteText: "",
      prerequisiteFor: [],
    });
  });

  it("every field of the rows, and no other", async () => {
    const { prerequisiteTree, ...course } = COURSES[10] ?? courseRow();
    expect(await get("/courses/I%26CSCI46")).toEqual({
      ...course,
      prerequisiteTree: JSON.parse(prerequisiteTree) as unknown,
    });
    expect(await get("/instructors/klee")).toEqual(PEOPLE[0]);
    expect(await get("/instructors/noname")).toEqual(PEOPLE[4]);
  });
});
