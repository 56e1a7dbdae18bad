/** Courses (specification §5, server/RULES.md, Instructors and courses): every filter with a near miss. */
import { afterAll, describe, expect, it } from "vitest";
import { openArtAndDance, query } from "../../support/worlds/art-and-dance.ts";

const { app, get, close } = await openArtAndDance();
afterAll(close);

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
