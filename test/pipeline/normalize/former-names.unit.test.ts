/**
 * The registrar's `NEW * OLD since TERM`: every notation of names and terms, contradictions, and what a requirement
 * joins.
 */
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { FormerName } from "../../../pipeline/contract/rows/former-name.ts";
import { type Quarter, QUARTER_CODES, QUARTERS } from "../../../pipeline/contract/vocabulary.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { cataloguedIds, toCatalogueCourses } from "../../../pipeline/normalize/catalogue/course.ts";
import { toFormerNames } from "../../../pipeline/normalize/catalogue/former-names.ts";
import { readPrintedNames, readPrintedTerm } from "../../../pipeline/normalize/catalogue/printed-names.ts";

interface Printed {
  readonly course: string;
  readonly requirement?: string;
}

function read(catalogue: readonly string[], printed: readonly Printed[], published: readonly FormerName[] = []) {
  const tally = createTally("catalogue");
  const courses = catalogue.map((code) => ({ code, title: "T", hours: "", description: "", details: [] }));
  const departments = [{ code: "SWE", name: "Software", courses, unreadable: [] }];
  const requirements = printed.map(({ course, requirement = "" }) => ({ course, requirement }));
  const catalogued = cataloguedIds({ departments });
  const formerNames = toFormerNames(requirements, { catalogued, published }, tally);
  const sources = { departments, requirements, formerNames, schools: new Map([["SWE", "School"]]) };
  const rows = toCatalogueCourses(sources, tally);
  const report = tally.report("published", 0);
  return {
    names: formerNames.map(({ courseId, formerId, since }) => [courseId, formerId, since]),
    needs: Object.fromEntries(rows.map(({ id, prerequisiteText }) => [id, prerequisiteText])),
    noted: report.noted.flatMap(({ reason, names }) => names.map((name) => `${reason}: ${name}`)),
    dropped: report.dropped.flatMap(({ reason, names }) => names.map((name) => `${reason}: ${name}`)),
  };
}

/** How each quarter is written, before or behind a year. */
const WORDS: Readonly<Record<Quarter, readonly string[]>> = {
  Winter: ["W", "Win", "Winter", "Winter Quarter"],
  Spring: ["S", "Sp", "SPR", "Spring", "Spring Qtr"],
  Summer1: ["Y", "SU", "SS1", "Summer Session 1", "Summer Session I"],
  Summer10wk: ["M", "10-wk Summer", "Summer 10wk"],
  Summer2: ["Z", "SS2", "Summer 2", "Summer Session II"],
  Fall: ["F", "FA", "Fall", "Fall Quarter"],
};

test("a term is read in every notation of quarter and year", () => {
  for (const quarter of QUARTERS)
    for (const year of ["1998", "2008", "2025"]) {
      const short = year.slice(2);
      const ofWord = WORDS[quarter].flatMap((word) => [
        ...[
          `${word} ${year}`,
          `${year} ${word}`,
          `${word}${short}`,
          `${word} '${short}`,
          `${word.toUpperCase()}${year}`,
        ],
      ]);
      for (const text of [...ofWord, `${year}${QUARTER_CODES[quarter]}`, `${year}-${QUARTER_CODES[quarter]}`])
        expect(readPrintedTerm(text), text).toEqual({ year, quarter });
    }
  for (const text of ["", "soon", "2025", "25", "200851", "Q25", "F", "F5"])
    expect(readPrintedTerm(text), text).toBeUndefined();
});

it("names are read whatever stands around them", () => {
  const name = fc.constantFrom("SWE 43", "I&C SCI H32", "CRM/LAW C7", "IN4MATX 43", "NET  SYS 1");
  const star = fc.constantFrom("*", " * ", "  *\u00a0", "\n* ");
  const since = fc.constantFrom("", " since F25", "  Since\u00a0F25", " SINCE: F25");
  fc.assert(
    fc.property(name, fc.array(fc.tuple(star, name), { minLength: 1, maxLength: 3 }), since, (first, others, end) => {
      const read = readPrintedNames(first + others.map(([sign, old]) => sign + old).join("") + end);
      const printed = [read?.name, ...(read?.former.map((name) => name.name) ?? [])].map((name) =>
        name ? `${name.department} ${name.courseNumber}` : "",
      );
      expect(printed).toEqual([first, ...others.map(([, old]) => old)].map((name) => name.replace(/\s+/g, " ")));
      expect(read?.former.every((name) => name.since === (end === "" ? "" : "F25"))).toBe(true);
    }),
  );
});

it.each([
  ["SWE 43 * IN4MATX 43, 44 and INF 43 since F20", ["IN4MATX 43 F20", "IN4MATX 44 F20", "INF 43 F20"]],
  ["SWE 43 * IN4MATX 43 since F25 * INF 43 since W09", ["IN4MATX 43 F25", "INF 43 W09"]],
  ["SWE 43 since F25 * IN4MATX 43", ["IN4MATX 43 F25"]],
  ["SWE 43 *", []],
])("%s", (text, former) => {
  const read = readPrintedNames(text)?.former.map(
    ({ name, since }) => `${name.department} ${name.courseNumber} ${since}`,
  );
  expect(read).toEqual(former);
});

describe("contradictions", () => {
  const noted = (printed: string[], catalogue: string[] = []) =>
    read(
      catalogue,
      printed.map((course) => ({ course })),
    );

  it.each<[string, string[], string[], unknown[], string[]]>([
    [
      "a former name of two",
      ["A 1 * B 1", "C 1 * B 1"],
      ["A 1", "C 1"],
      [
        ["A1", "B1", null],
        ["C1", "B1", null],
      ],
      ["several courses claim one former name: B1: A1, C1"],
    ],
    [
      "a course renamed twice",
      ["A 1 * B 1 since F25", "B 1 * C 1 since F20"],
      ["A 1"],
      [
        ["A1", "B1", "2025 Fall"],
        ["A1", "C1", "2020 Fall"],
      ],
      ["a course was renamed more than once: A1: B1 * C1"],
    ],
    [
      "the same, where the catalogue has the name between",
      ["A 1 * B 1", "B 1 * C 1"],
      ["B 1"],
      [
        ["A1", "B1", null],
        ["B1", "C1", null],
      ],
      ["a former name is that of a course of the catalogue: A1 * B1"],
    ],
    [
      "a name and back",
      ["A 1 * B 1", "B 1 * A 1"],
      ["A 1"],
      [["A1", "B1", null]],
      [
        "a former name is that of a course of the catalogue: B1 * A1",
        "a course was renamed more than once: A1: B1 * A1",
      ],
    ],
    ["its own name", ["A 1 * A 1"], ["A 1"], [], ["a course with its own name as a former name: A 1 * A 1"]],
    [
      "two terms",
      ["A 1 * B 1 since F25", "A 1 * B 1 since W24"],
      ["A 1"],
      [["A1", "B1", "2025 Fall"]],
      ["the registrar gives two terms for one new name: A 1 * B 1: 2025 Fall, 2024 Winter"],
    ],
    [
      "a term that is none",
      ["A 1 * B 1 since long"],
      ["A 1"],
      [["A1", "B1", null]],
      ["the term of a new name cannot be read: A 1 * B 1 since long"],
    ],
    ["no name", ["A 1 * READING"], ["A 1"], [], ["a former name is not the name of a course: A 1 * READING"]],
  ])("%s is noted", (_what, printed, catalogue, names, notes) => {
    const result = noted(printed, catalogue);
    expect(result.names).toEqual(names);
    expect(result.noted.toSorted()).toEqual(notes.toSorted());
  });

  it("a published former name stays, unless the pages give it to another course", () => {
    const published = [
      { courseId: "SWE43", formerId: "INF43", since: "2020 Fall" },
      { courseId: "SWE43", formerId: "ICS43", since: null },
    ];
    const { names, noted: notes } = read(["SWE 43", "SWE 44"], [{ course: "SWE 44 * INF 43" }], published);
    expect(names).toEqual([
      ["SWE44", "INF43", null],
      ["SWE43", "ICS43", null],
    ]);
    expect(notes).toEqual([
      "a former name now belongs to another course: SWE43 * INF43",
      "a former name that the registrar no longer prints stays: SWE43 * ICS43",
    ]);
  });
});

it("a published former name follows its course to the next name", () => {
  const published = [{ courseId: "SWE43", formerId: "INF43", since: "2020 Fall" }];
  expect(read(["CSE 43"], [{ course: "CSE 43 * SWE 43 since F26" }], published).names).toEqual([
    ["CSE43", "SWE43", "2026 Fall"],
    ["CSE43", "INF43", "2020 Fall"],
  ]);
});

describe("a requirement belongs to", () => {
  const row = { course: "SWE 43 * IN4MATX 43 since F25", requirement: "MATH 2A" };
  it.each<[string, string[], Printed[], Record<string, string>]>([
    ["the new name", ["SWE 43"], [row], { SWE43: "MATH 2A" }],
    ["the old name while the catalogue has no other", ["IN4MATX 43"], [row], { IN4MATX43: "MATH 2A" }],
    ["the new name where it has both", ["SWE 43", "IN4MATX 43"], [row], { SWE43: "MATH 2A", IN4MATX43: "" }],
    [
      "the new name although a row has only the old one",
      ["SWE 43"],
      [
        { ...row, requirement: "" },
        { course: "IN4MATX 43", requirement: "MATH 2B" },
      ],
      { SWE43: "MATH 2B" },
    ],
    [
      "the course that has its own row",
      ["IN4MATX 43"],
      [row, { course: "IN4MATX 43", requirement: "MATH 2B" }],
      { IN4MATX43: "MATH 2B" },
    ],
  ])("%s", (_what, catalogue, printed, needs) => {
    expect(read(catalogue, printed).needs).toEqual(needs);
  });

  it("nobody where two courses claim the name of its row: it is dropped by name", () => {
    const printed = [{ course: "A 1 * B 1" }, { course: "C 1 * B 1" }, { course: "B 1", requirement: "MATH 2A" }];
    expect(read(["A 1", "C 1"], printed)).toMatchObject({
      needs: { A1: "", C1: "" },
      dropped: ["a requirement of a course that the catalogue does not have: B 1: MATH 2A"],
    });
  });
});

it("the names within requirements are former names too; the requirement has the new one", () => {
  const requirement =
    "I&C SCI 32 ( min grade = C ) OR I&C SCI H32 * I&C SCI 32A since W24 ( min grade = C ) AND NO MATH 2A*MATH 1X";
  const { names, needs } = read(["SWE 43"], [{ course: "SWE 43", requirement }]);
  expect(names).toEqual([
    ["I&CSCIH32", "I&CSCI32A", "2024 Winter"],
    ["MATH2A", "MATH1X", null],
  ]);
  expect(needs).toEqual({
    SWE43: "(I&C SCI 32 (min grade C) OR I&C SCI H32 (min grade C)) AND NO MATH 2A",
  });
});
