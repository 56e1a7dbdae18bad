/**
 * The product of joins, facts and what either side says of each: the same, another thing, or nothing. Nothing is
 * dropped or joined without a line with
 * both sides, the declared side wins, and what must not be joined is refused.
 */
import { describe, expect, it, test } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { toCatalogueCourses } from "../../../pipeline/normalize/catalogue/course.ts";
import { REQUIREMENT_AND_COURSE } from "../../../pipeline/normalize/catalogue/requirement-and-course.ts";
import { createTaughtCourses } from "../../../pipeline/normalize/course-history.ts";
import { createPeople, NAME_AND_PERSON } from "../../../pipeline/normalize/people/candidates.ts";
import { dayAndSection } from "../../../pipeline/normalize/enrollment/day-and-section.ts";
import { type CandidateSection, ROW_AND_SECTION } from "../../../pipeline/normalize/grades/row-and-section.ts";
import { noteTutorials, TUTORIAL_AND_COURSE } from "../../../pipeline/normalize/larc.ts";
import { listingAndPerson, toDirectoryInstructors } from "../../../pipeline/normalize/people/instructor.ts";
import {
  type Agreement,
  AGREEMENTS,
  differencesOf,
  type Join,
  namesOf,
  reconcile,
} from "../../../pipeline/normalize/reconcile.ts";
import { make, row } from "./grade-world.ts";

type States = Readonly<Record<string, Agreement>>;

/** How a fact is written on the left, in the same meaning on the right, and otherwise on the right. */
type Texts = readonly [left: string, same: string, other: string];

/** A case of the table of contradictions, in independent words. */
interface Case {
  readonly join: Join<never, never>;
  readonly texts: Readonly<Record<string, Texts>>;
  /** The records with these texts on either side. */
  readonly records: (left: Texted, right: Texted) => readonly [left: unknown, right: unknown];
  readonly isRefused: (states: States) => boolean;
  /** The lines of the report when the records are joined by their reader, and whether the left record is published. */
  readonly report: (left: never, right: never) => { readonly lines: readonly string[]; readonly isKept: boolean };
}
type Texted = Readonly<Record<string, string>>;

const DEPARTMENTS = [
  { code: "PHYSICS", name: "Physics" },
  { code: "CRM/LAW", name: "Criminology, Law and Society" },
];
const codeOf = (text: string) => DEPARTMENTS.find(({ code, name }) => code === text || name === text)?.code;

const linesOf = (tally: ReturnType<typeof createTally>) => {
  const { dropped, noted } = tally.report("published", 0);
  return [...dropped, ...noted].flatMap(({ names }) => names);
};

type Row = Parameters<typeof make>[0][number];
const sheetOf = (left: Texted): Row =>
  row({
    ...{ courseNumber: left["courseNumber"] ?? "", departmentName: left["department"] ?? "" },
    ...{ courseTitle: left["title"] ?? "", instructor: left["instructors"] || "TBA" },
    ...{ sectionType: left["sectionType"] ?? "", sectionNum: left["sectionNum"] ?? "" },
  });
const sectionOf = (right: Texted): CandidateSection => ({
  ...{ courseNumber: right["courseNumber"] ?? "", department: right["department"] ?? "" },
  ...{ courseTitle: right["title"] ?? "", geCategories: [] },
  ...{ sectionType: right["sectionType"] ?? "", sectionNum: right["sectionNum"] ?? "" },
  instructors: [right["instructors"] || "STAFF"],
});

const CASES: Readonly<Record<string, Case>> = {
  "a grade row and a section": {
    join: ROW_AND_SECTION,
    texts: {
      courseNumber: ["020", "20", "31"],
      department: ["Physics", "PHYSICS", "CRM/LAW"],
      title: ["WAVES & HEAT", "Waves and Heat", "OPTICS"],
      sectionType: ["LEC", "Lec", "Dis"],
      sectionNum: ["1", "01", "B"],
      instructors: ["VANE, IDA M.", "VANE, I.", "MOSS, A."],
    },
    records: (left, right) => [
      { row: sheetOf(left), departments: [codeOf(left["department"] ?? "") ?? []].flat() },
      sectionOf(right),
    ],
    isRefused({ courseNumber, department, title }) {
      if (title === "same") return false;
      if (courseNumber === "other") return title === "other" || department !== "same";
      return department === "other" && title === "other";
    },
    report({ row: sheet }: { row: Row }, section: CandidateSection) {
      const { grades, dropped, noted } = make([sheet], [["2016", "Fall", "44010", section]]);
      return { lines: [...dropped, ...noted].flatMap(({ names }) => names), isKept: grades.length === 1 };
    },
  },
  "an imported day and a section": {
    join: dayAndSection("the section", codeOf),
    texts: {
      department: ["Physics", "PHYSICS", "CRM/LAW"],
      courseNumber: ["020a", "20A", "20B"],
      sectionType: ["LEC", "Lec", "Dis"],
      sectionNum: ["1", "01", "A7"],
    },
    records: (left, right) => [left, right],
    isRefused: (states) => Object.values(states).includes("other"),
    // Its reader is tried in enrollment-import.test.ts.
    report(left, right) {
      const join = dayAndSection("the section", codeOf);
      return { lines: [differencesOf(join, left, right)], isKept: !reconcile(join, left, right).isRefused };
    },
  },
  "a requirement and a course": {
    join: REQUIREMENT_AND_COURSE,
    texts: { title: ["DSGN&ANLYSS OF ALGR", "Design and Analysis of Algorithms", "World History"] },
    records: (left, right) => [left, right],
    isRefused: () => false,
    report({ title }: Texted, right: Texted) {
      const tally = createTally("catalogue");
      const course = { code: "PHYSICS 20", hours: "", description: "", details: [], title: right["title"] ?? "" };
      const departments = [{ code: "PHYSICS", name: "Physics", unreadable: [], courses: [course] }];
      const requirements = [{ course: "PHYSICS 20", title: title ?? "", requirement: "MATH 2A" }];
      const schools = new Map([["PHYSICS", "Sciences"]]);
      const [published] = toCatalogueCourses({ departments, requirements, schools }, tally);
      return { lines: linesOf(tally), isKept: published?.prerequisiteText === "MATH 2A" };
    },
  },
  "tutorials and a course": {
    join: TUTORIAL_AND_COURSE,
    texts: { title: ["General Chemistry", "GENRL CHEMSTRY", "OPTICS"] },
    records: (left, right) => [{ courseName: left["title"] ?? "" }, right],
    isRefused: () => false,
    report({ courseName }: { courseName: string }, { title }: Texted) {
      const tally = createTally("larc");
      const tutorials = {
        ...{ year: "2025", quarter: "Fall" as const },
        courseNumber: "CHEM 1A",
        courseName,
        sections: [],
      };
      noteTutorials(tutorials, [tutorials], new Map([["chem1a", [title ?? ""]]]), tally);
      return { lines: linesOf(tally), isKept: true };
    },
  },
  "a listed name and a person": {
    join: listingAndPerson(DEPARTMENTS),
    texts: { department: ["PHYSICS", "Physics", "Criminology, Law & Society"] },
    records: (left, right) => [
      { name: "Ida Vane", schools: [], relatedDepartments: [left["department"] || []].flat() },
      { name: "IDA VANE", netid: "ivane", title: "", email: "", department: right["department"] ?? "" },
    ],
    isRefused: () => false,
    report(member, person) {
      const tally = createTally("instructors");
      const rows = toDirectoryInstructors([{ member, people: [person] }], new Map(), tally, DEPARTMENTS);
      return { lines: linesOf(tally), isKept: rows.length === 1 };
    },
  },
  "a name in a section and a person": {
    join: NAME_AND_PERSON,
    texts: { department: ["I&C SCI", "I&CSCI", "PHYSICS"] },
    records: (left, right) => [left["department"], { departments: new Set([right["department"] || []].flat()) }],
    isRefused: () => false,
    report(department: string, { departments }: { departments: ReadonlySet<string> }) {
      const tally = createTally("history");
      const taught = createTaughtCourses([], "2026-01-01");
      taught.add({
        ...{
          year: "2024",
          quarter: "Fall",
          department,
          courseNumber: "46",
          instructors: ["VANE, I."],
          cancelled: false,
        },
      });
      const people = createPeople([{ netid: "ivane", shortenedName: "VANE, I.", departments: [...departments] }]);
      const history = taught.build(people, tally);
      const isKept = history.instructorsOf({ department, courseNumber: "46" }).length === 1;
      return { lines: linesOf(tally), isKept };
    },
  },
};

function* product(names: readonly string[]): Generator<States> {
  const [name, ...rest] = names;
  if (name === undefined) yield {};
  else for (const others of product(rest)) for (const state of AGREEMENTS) yield { [name]: state, ...others };
}

describe.each(Object.entries(CASES))("%s", (_, { join, texts, records, isRefused, report }) => {
  const names = namesOf(join);

  it("has a text for every fact that is declared", () => expect(Object.keys(texts).sort()).toEqual([...names].sort()));

  it("is reconciled as declared, whatever either side says", () => {
    // A missing fact is missing on the left or on the right, in turn.
    let turn = 0;
    for (const states of [...product(names), ...product(names)]) {
      turn++;
      const side = (isRight: 0 | 1, pick: (texts: Texts, state: Agreement) => string): Texted =>
        Object.fromEntries(
          names.map((name, i) => {
            const state = states[name] as Agreement;
            return [name, state === "missing" && (turn + i) % 2 === isRight ? "" : pick(texts[name] as Texts, state)];
          }),
        );
      const left = side(0, ([own]) => own);
      const right = side(1, ([, same, other], state) => (state === "other" ? other : same));
      const [leftRecord, rightRecord] = records(left, right) as readonly [never, never];
      const what = JSON.stringify(states);

      const reconciled = reconcile(join, leftRecord, rightRecord);
      expect(reconciled.agreements, what).toEqual(states);
      for (const name of names) {
        const { left: ofLeft, right: ofRight, wins } = join.facts[name] as Join<never, never>["facts"][string];
        const [winner, loser] = wins === "left" ? [ofLeft, ofRight] : [ofRight, ofLeft];
        const records = wins === "left" ? [leftRecord, rightRecord] : [rightRecord, leftRecord];
        expect(reconciled.values[name], what).toBe(winner(records[0] as never) || loser(records[1] as never));
      }
      expect(reconciled.isRefused, what).toBe(isRefused(states));

      const { lines, isKept } = report(leftRecord, rightRecord);
      expect(isKept, what).toBe(!reconciled.isRefused);
      const text = lines.join("\n");
      if (reconciled.isRefused) expect(text, what).not.toBe("");
      else
        for (const name of names.filter((fact) => states[fact] === "other")) {
          const fact = join.facts[name] as Join<never, never>["facts"][string];
          const both = `${join.left}'s ${fact.name} is ${fact.left(leftRecord)}, ${join.right}'s ${fact.right(rightRecord)}`;
          expect(text, what).toContain(both);
        }
      if (names.every((name) => states[name] !== "other")) expect(text, what).toBe("");
    }
  });
});

test("of several people of a listed name those of another department are dropped by name when one is of a listed one", () => {
  const tally = createTally("instructors");
  const person = (netid: string, department: string) => ({ name: "Ida Vane", netid, title: "", email: "", department });
  const member = { name: "Ida Vane", schools: [], relatedDepartments: ["PHYSICS"] };
  const people = [person("a", "Physics"), person("b", "Criminology, Law & Society"), person("c", "Housing")];
  const rows = toDirectoryInstructors([{ member, people }], new Map(), tally, DEPARTMENTS);
  expect(rows.map(({ netid }) => netid)).toEqual(["a", "c"]);
  expect(tally.report("published", 0).dropped).toEqual([
    {
      reason: "somebody of another department with the name of a listed person",
      count: 1,
      names: ["Ida Vane: the list's department is PHYSICS, the directory's Criminology, Law & Society"],
    },
  ]);
});

test("of several entries of a listed person that of a listed department is kept", () => {
  const tally = createTally("instructors");
  const entry = (department: string) => ({ name: "Ida Vane", netid: "a", title: "Lecturer", email: "", department });
  const member = { name: "Ida Vane", schools: [], relatedDepartments: ["PHYSICS"] };
  const people = [entry("Criminology, Law & Society"), entry("Physics")];
  expect(toDirectoryInstructors([{ member, people }], new Map(), tally, DEPARTMENTS)).toMatchObject([
    { netid: "a", department: "Physics" },
  ]);
  expect(linesOf(tally)).toEqual(["a: Lecturer, Physics is kept; Lecturer, Criminology, Law & Society"]);
});

test("tutorials of a course that neither catalogue nor schedule has are named", () => {
  const tally = createTally("larc");
  const tutorials = (courseNumber: string) => ({
    ...{ year: "2025", quarter: "Fall" as const, courseNumber, courseName: "Optics", sections: [] },
  });
  const titles = new Map([["physics20", ["OPTICS"]]]);
  const term = { year: "2025", quarter: "Fall" } as const;
  noteTutorials(term, [tutorials("Physics 20"), tutorials("PHYSICS 21")], titles, tally);
  expect(linesOf(tally)).toEqual(["2025 Fall: PHYSICS 21"]);
});
