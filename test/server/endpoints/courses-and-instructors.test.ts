/** Courses and instructors (specification §5 and §6, server/RULES.md, Instructors and courses): filters of people with a near miss, ids, fields. */
import { afterAll, describe, expect, it } from "vitest";
import { COURSES, openArtAndDance, PEOPLE, query } from "../../support/worlds/art-and-dance.ts";
import { courseRow } from "../../support/worlds/catalogue-rows.ts";

const { app, get, close } = await openArtAndDance();
afterAll(close);

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

  it("that nobody has: 404 with a name, and what was probably meant", async () => {
    const message = async (path: string) => ((await (await app.get(path)).json()) as { message: string }).message;
    expect(await message("/courses/ART")).toBe('Course "ART" not found. Did you mean "ART1"?');
    expect(await message("/instructors/kle")).toBe('Instructor "kle" not found. Did you mean "klee"?');
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
    const { prerequisiteTree, requirementTree: _tree, ...course } = COURSES[10] ?? courseRow();
    expect(await get("/courses/I%26CSCI46")).toEqual({
      ...course,
      prerequisiteTree: JSON.parse(prerequisiteTree) as unknown,
    });
    expect(await get("/instructors/klee")).toEqual(PEOPLE[0]);
    expect(await get("/instructors/noname")).toEqual(PEOPLE[4]);
  });
});
