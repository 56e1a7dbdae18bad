import { describe, expect, test } from "vitest";
import type { CatalogueCourse } from "../../../pipeline/contract/rows/course.ts";
import type { DirectoryInstructor } from "../../../pipeline/contract/rows/instructor.ts";
import { parseTermName } from "../../../pipeline/contract/vocabulary.ts";
import { createTaughtCourses, type TeachingRecord } from "../../../pipeline/normalize/course-history.ts";
import { createPeople, type NamedPerson } from "../../../pipeline/normalize/people/candidates.ts";
import {
  departmentCodes,
  toCourses,
  toInstructors,
  toNamedPeople,
} from "../../../pipeline/normalize/taught-courses.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";

const fact = (
  term: string,
  department: string,
  courseNumber: string,
  instructors: string[],
  cancelled = false,
): TeachingRecord => {
  const { year, quarter } = parseTermName(term) ?? { year: "", quarter: "Fall" };
  return { year, quarter, department, courseNumber, instructors, cancelled };
};
const CALENDAR = [
  {
    year: "2023",
    quarter: "Fall",
    instructionStart: "2023-09-28",
    instructionEnd: "2023-12-08",
    finalsStart: "2023-12-09",
    finalsEnd: "2023-12-15",
  },
  {
    year: "2024",
    quarter: "Winter",
    instructionStart: "2024-01-08",
    instructionEnd: "2024-03-15",
    finalsStart: "2024-03-16",
    finalsEnd: "2024-03-22",
  },
] as const;

function tell(
  facts: TeachingRecord[],
  people: NamedPerson[] = [],
  today = "2025-01-01",
  calendar: Parameters<typeof createTaughtCourses>[0] = CALENDAR,
) {
  const taught = createTaughtCourses(calendar, today);
  for (const fact of facts) taught.add(fact);
  const tally = createTally("catalogue");
  return { history: taught.build(createPeople(people), tally), noted: () => tally.report("published", 0).noted };
}
const MATH_2A = { department: "MATH", courseNumber: "2A" };

describe("terms", () => {
  test("each once, newest first; spelling of the department does not matter", () => {
    const { history } = tell([
      fact("2023 Spring", "I&C SCI", "H32", []),
      fact("2023 Fall", "I&CSCI", "h32", []),
      fact("2023 Summer1", "I&C SCI", "H32", []),
      fact("2022 Fall", "I&C SCI", "H32", []),
      fact("2023 Spring", "I&C SCI", "H32", []),
    ]);
    expect(history.termsOf({ department: "I&C SCI", courseNumber: "H32" })).toEqual([
      "2023 Fall",
      "2023 Summer1",
      "2023 Spring",
      "2022 Fall",
    ]);
    expect(history.termsOf({ department: "I&C SCI", courseNumber: "32" })).toEqual([]);
  });

  test('"a cancelled section does not count"', () => {
    const { history } = tell([
      fact("2023 Fall", "MATH", "2A", ["VANE, M."], true),
      fact("2023 Fall", "MATH", "2B", [], true),
      fact("2023 Fall", "MATH", "2B", []),
    ]);
    expect(history.termsOf(MATH_2A)).toEqual([]);
    expect(history.termsOf({ department: "MATH", courseNumber: "2B" })).toEqual(["2023 Fall"]);
  });

  test.each([
    ["2023-09-27", []],
    ["2023-09-28", ["2023 Fall"]],
    ["2024-01-07", ["2023 Fall"]],
    ["2024-01-08", ["2024 Winter", "2023 Fall"]],
  ])('"a term counts from its first day of instruction on": on %s', (today, expected) => {
    const facts = [fact("2023 Fall", "MATH", "2A", []), fact("2024 Winter", "MATH", "2A", [])];
    expect(tell(facts, [], today).history.termsOf(MATH_2A)).toEqual(expected);
  });

  test("a term that the calendar lacks counts from the latest usual start on", () => {
    const starts = {
      Winter: "01-09",
      Spring: "04-03",
      Summer1: "06-26",
      Summer10wk: "06-26",
      Summer2: "08-07",
      Fall: "10-02",
    };
    for (const [quarter, day] of Object.entries(starts)) {
      const facts = [fact(`2030 ${quarter}`, "MATH", "2A", [])];
      expect(tell(facts, [], `2030-${day}`).history.termsOf(MATH_2A)).toEqual([`2030 ${quarter}`]);
      const [month = "", date = ""] = day.split("-");
      const before = `2030-${month}-${String(Number(date) - 1).padStart(2, "0")}`;
      expect(tell(facts, [], before).history.termsOf(MATH_2A)).toEqual([]);
    }
  });
});

describe("people", () => {
  const vane = { netid: "mvane", shortenedName: "VANE, M.", departments: ["MATH"] };
  const twin = { netid: "avane", shortenedName: "VANE, M.", departments: ["I&C SCI"] };
  const third = { netid: "zvane", shortenedName: "Vane, M.", departments: ["I&C SCI", "STATS"] };

  test("instructorHistory by netid ascending, courseHistory by department, number, newest first", () => {
    const lor = { netid: "alor", shortenedName: "LOR, A.", departments: [] };
    const { history } = tell(
      [
        fact("2022 Fall", "STATS", "7", ["VANE, M."]),
        fact("2022 Fall", "MATH", "120", ["VANE, M."]),
        fact("2022 Fall", "MATH", "2A", ["VANE, M.", "LOR, A.", "STAFF", "NOBODY, K."]),
        fact("2023 Fall", "MATH", "2A", ["vane, m."]),
        fact("2022 Fall", "I&C SCI", "46", ["VANE, M."]),
        fact("2022 Fall", "MATH", "H2A", []),
        fact("2022 Fall", "ART", "1A", ["VANE, M."]),
      ],
      [vane, lor, { netid: "staff", shortenedName: "STAFF", departments: [] }],
    );
    expect(history.instructorsOf(MATH_2A)).toEqual(["alor", "mvane"]);
    expect(Object.entries(history.coursesOf("mvane"))).toEqual([
      ["ART 1A", ["2022 Fall"]],
      ["I&C SCI 46", ["2022 Fall"]],
      ["MATH 2A", ["2023 Fall", "2022 Fall"]],
      ["MATH 120", ["2022 Fall"]],
      ["STATS 7", ["2022 Fall"]],
    ]);
    expect([history.coursesOf("staff"), history.coursesOf("unknown")]).toEqual([{}, {}]);
  });

  test("two people with one shortened name: narrowed by their departments", () => {
    const { history, noted } = tell(
      [fact("2022 Fall", "MATH", "2A", ["VANE, M."]), fact("2022 Fall", "I&CSCI", "46", ["VANE, M."])],
      [vane, twin],
    );
    expect(history.coursesOf("mvane")).toEqual({ "MATH 2A": ["2022 Fall"] });
    expect(history.coursesOf("avane")).toEqual({ "I&CSCI 46": ["2022 Fall"] });
    expect(noted()).toEqual([]);
  });

  test("what stays ambiguous is listed for each of them and counted", () => {
    const facts = [
      fact("2022 Fall", "I&C SCI", "46", ["VANE, M."]),
      fact("2023 Winter", "I&C SCI", "46", ["VANE, M."]),
      fact("2022 Fall", "ECON", "1", ["VANE, M."]),
    ];
    const { history, noted } = tell(facts, [vane, twin, third]);
    expect(history.instructorsOf({ department: "I&C SCI", courseNumber: "46" })).toEqual(["avane", "zvane"]);
    // A department without people has everybody.
    expect(history.instructorsOf({ department: "ECON", courseNumber: "1" })).toEqual(["avane", "mvane", "zvane"]);
    expect(noted()).toEqual([
      {
        reason: "a shortened name belongs to several people",
        count: 2,
        names: ["VANE, M.: I&C SCI 46", "VANE, M.: ECON 1"],
      },
    ]);
  });

  test("how a name was matched is told with the people whom it may mean, by netid", () => {
    const people = createPeople([vane, third, twin, { netid: "olor", shortenedName: "LOR, O.", departments: [] }]);
    expect(people.named("VANE, M.", "I&CSCI")).toEqual({ matchedBy: "department", netids: ["avane", "zvane"] });
    expect(people.named("vane, m.", "ECON")).toEqual({ matchedBy: "name", netids: ["avane", "mvane", "zvane"] });
    expect(people.named("LOR, O.", "ECON")).toEqual({ matchedBy: "name", netids: ["olor"] });
    expect(people.named("SIRK, P.", "ECON")).toEqual({ matchedBy: "none", netids: [] });
  });

  test("one person with two names has the terms of both, each once", () => {
    const names = ["VANE, M.", "VANE, M.K."].map((shortenedName) => ({ ...vane, shortenedName }));
    const facts = [
      fact("2022 Fall", "MATH", "2A", ["VANE, M."]),
      fact("2023 Fall", "MATH", "2A", ["VANE, M.K.", "VANE, M."]),
      fact("2023 Winter", "MATH", "2A", ["VANE, M.K."]),
    ];
    expect(tell(facts, names).history.coursesOf("mvane")).toEqual({
      "MATH 2A": ["2023 Fall", "2023 Winter", "2022 Fall"],
    });
  });

  test("a unique name needs no department", () => {
    expect(tell([fact("2022 Fall", "ECON", "1", ["VANE, M."])], [vane]).history.coursesOf("mvane")).toEqual({
      "ECON 1": ["2022 Fall"],
    });
  });
});

describe("joined", () => {
  const course = (name: string, prerequisiteList: string[] = []) => {
    const [, department = "", courseNumber = ""] = /^(.*) (\S+)$/.exec(name) ?? [];
    return { id: name.replaceAll(" ", ""), department, courseNumber, prerequisiteList } as CatalogueCourse;
  };

  test("prerequisiteFor: every course that lists this one, by name", () => {
    const { history } = tell([fact("2023 Fall", "I&C SCI", "46", [])]);
    const rows = toCourses(
      [
        course("I&C SCI 46", ["MATH 2A", "AP CALCULUS AB"]),
        course("MATH 2A"),
        course("MATH 2B", ["MATH 2A", "I&C SCI 46"]),
      ],
      history,
    );
    expect(rows.map(({ prerequisiteFor }) => prerequisiteFor)).toEqual([["MATH 2B"], ["I&C SCI 46", "MATH 2B"], []]);
    expect(rows.map(({ terms }) => terms)).toEqual([["2023 Fall"], [], []]);
  });

  test('"their departments" are relatedDepartments and the department codes of their own department', () => {
    const person = (netid: string, department: string) =>
      ({ netid, shortenedName: "VANE, M.", department, relatedDepartments: ["STATS"] }) as DirectoryInstructor;
    const departments = [
      { code: "CRM/LAW", name: "Criminology, Law and Society" },
      { code: "DANCE", name: "Dance" },
      { code: "MATH", name: "Mathematics" },
    ];
    expect(departmentCodes(departments)("Criminology, Law & Society")).toEqual(["CRM/LAW"]);
    expect(departmentCodes(departments)("Arts-Dance")).toEqual(["DANCE"]);
    expect(departmentCodes([{ code: "X", name: "Arts Dance" }])("Studies - Arts-Dance")).toEqual(["X"]);
    expect(departmentCodes(departments)(" dance! ")).toEqual(["DANCE"]);
    expect(departmentCodes([{ code: "X", name: "?" }])("-")).toEqual([]);
    expect(departmentCodes(departments)("Mathe matics")).toEqual([]);
    expect(departmentCodes(departments)("Criminology Law Society")).toEqual([]);
    expect(departmentCodes(departments)("Law")).toEqual([]);
    expect(departmentCodes(departments)("")).toEqual([]);
    const people = toNamedPeople([person("a", "Mathematics"), person("b", "Nowhere")], departments);
    expect(people.map((named) => named.departments)).toEqual([["STATS", "MATH"], ["STATS"]]);
    const { history } = tell([fact("2022 Fall", "MATH", "2A", ["VANE, M."])], people);
    expect(
      toInstructors([person("a", ""), person("b", "")], history).map(({ courseHistory }) => courseHistory),
    ).toEqual([{ "MATH 2A": ["2022 Fall"] }, {}]);
  });
});
