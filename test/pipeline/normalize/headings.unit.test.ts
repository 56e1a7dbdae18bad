/** Headings of the schedule: one row for each school and department with sections. */
import { expect, it } from "vitest";
import type { SourceCourse, SourceDepartment, SourceSchool } from "../../../pipeline/contract/schedule-page.ts";
import { toHeadings } from "../../../pipeline/normalize/schedule/heading.ts";

const course = (sections: number) =>
  ({ sections: Array.from({ length: sections }, () => ({})) }) as unknown as SourceCourse;
const department = (change: Partial<SourceDepartment> = {}): SourceDepartment => ({
  ...{
    code: "DANCE",
    name: "Dance",
    comment: "",
    codeRangeComments: [],
    numberRangeComments: [],
    courses: [course(1)],
  },
  ...change,
});
const school = (name: string, comment: string, ...departments: SourceDepartment[]): SourceSchool => ({
  name,
  comment,
  departments,
});
const headings = (schools: readonly SourceSchool[], listed: Readonly<Record<string, string>> = {}) =>
  toHeadings({ year: "2026", quarter: "Fall" }, schools, new Map(Object.entries(listed)));
const namesOf = (names: readonly string[], listed?: Readonly<Record<string, string>>) =>
  headings([school("Arts", "", ...names.map((name) => department({ name })))], listed).map(({ deptName }) => deptName);

it("blanks around names and codes mean nothing", () => {
  const [row, ...more] = headings([
    school(" Arts ", "", department({ code: " DANCE ", name: "\nDance\n" })),
    school("Arts", "", department({ name: "" })),
  ]);
  expect(row).toMatchObject({
    year: "2026",
    quarter: "Fall",
    schoolName: "Arts",
    deptCode: "DANCE",
    deptName: "Dance",
  });
  expect(more).toEqual([]);
});

it("a department without any section has none, and one section is enough", () => {
  const courses = (...sections: number[]) => department({ courses: sections.map(course) });
  expect([courses(), courses(0), courses(0, 1, 0)].map((list) => headings([school("Arts", "", list)]).length)).toEqual([
    0, 0, 1,
  ]);
});

it("blocks of one department are joined: the first comment that there is, and every comment of a range once", () => {
  const first = department({ codeRangeComments: ["a", "b"], numberRangeComments: ["1"] });
  const second = department({ comment: "second", codeRangeComments: ["b", "c"], numberRangeComments: ["1", "2"] });
  const rows = headings([
    school("Arts", "", first, second),
    school("Arts", "all", department({ comment: "third" })),
    school("Arts", "late"),
  ]);
  expect(rows).toMatchObject([
    {
      schoolComment: "all",
      deptComment: "second",
      sectionCodeRangeComments: ["a", "b", "c"],
      courseNumberRangeComments: ["1", "2"],
    },
  ]);
});

it("a department in two schools has a heading in each, in the order in which they come", () => {
  const law = department({ code: "LAW", name: "Law" });
  const rows = headings([school("Law", "l", law, department()), school("Arts", "a", department())]);
  expect(rows.map((row) => [row.schoolName, row.schoolComment, row.deptCode, row.deptName])).toEqual([
    ["Law", "l", "LAW", "Law"],
    ["Law", "l", "DANCE", "Dance"],
    ["Arts", "a", "DANCE", "Dance"],
  ]);
});

it.each<[names: string[], name: string]>([
  [["Dance", "Dance and Drama"], "Dance and Drama"],
  [["Dance and Drama", "Dance"], "Dance and Drama"],
  [["Dance and Drama*", "Dance"], "Dance"],
  [["Dance", "Dance and Drama*"], "Dance"],
  [["Dan*", "Dance*"], "Dance*"],
  [["Dance", "Drama"], "Dance"],
  [["*Dance", ""], "*Dance"],
  [[""], ""],
])(
  "of the names %j a department has %j: without a star before longer, and the first of equally long ones",
  (names, name) => expect(namesOf(names)).toEqual([name]),
);

it("the form's name stands for one that is starred or missing, and for no other", () => {
  const listed = { DANCE: "Department of Dance", LAW: "School of Law" };
  expect([["Dan*"], [""], ["Dance"]].flatMap((names) => namesOf(names, listed))).toEqual([
    listed.DANCE,
    listed.DANCE,
    "Dance",
  ]);
  expect(namesOf(["Dan*"], { DANCE: "" })).toEqual(["Dan*"]);
  expect(namesOf(["Dan*"], { LAW: "School of Law" })).toEqual(["Dan*"]);
});
