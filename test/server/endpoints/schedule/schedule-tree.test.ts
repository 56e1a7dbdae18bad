/** The tree of a schedule answer: grouping, order, headings, and every field of a section as it was published. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Heading, Section } from "../../../../pipeline/contract/rows/section.ts";
import { Schedule } from "../../../../server/response/shapes/schedule.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { publishRows } from "../../../support/published/published.ts";
import { headingsOf, meeting, sectionRow, tba } from "../../../support/worlds/section-rows.ts";

type Tree = (typeof Schedule)["_output"];

const grouped: Section[] = [
  // Two schools of the same department; one school's name starts with the other's.
  { schoolName: "School of Arts", deptCode: "DANCE", sectionCode: "20001" },
  { schoolName: "School of Arts and Letters", deptCode: "DANCE", sectionCode: "10001" },
  // By code unit: blanks and & come before letters, capitals before small ones.
  { deptCode: "I&C SCI", sectionCode: "10002" },
  { deptCode: "IN4MATX", sectionCode: "10003" },
  { deptCode: "ART HIS", sectionCode: "10004" },
  { deptCode: "ART", sectionCode: "10005" },
  // "courses by the number's digits then text then title, sections by code"
  { deptCode: "MATH", courseNumber: "2B", sectionCode: "30001" },
  { deptCode: "MATH", courseNumber: "10", sectionCode: "30002" },
  { deptCode: "MATH", courseNumber: "H2", sectionCode: "30003" },
  { deptCode: "MATH", courseNumber: "2A", sectionCode: "30009" },
  { deptCode: "MATH", courseNumber: "2A", sectionCode: "30004", sectionType: "Dis" },
  { deptCode: "MATH", courseNumber: "LAB", sectionCode: "30005" },
  { deptCode: "MATH", courseNumber: "199", courseTitle: "TOPOLOGY", sectionCode: "30006" },
  { deptCode: "MATH", courseNumber: "199", courseTitle: "ALGEBRA", sectionCode: "30008" },
  { deptCode: "MATH", courseNumber: "199", courseTitle: "TOPOLOGY", sectionCode: "30007" },
  { deptCode: "MATH", courseNumber: "M118L", sectionCode: "30010" },
  { deptCode: "MATH", courseNumber: "118", sectionCode: "00045" },
].map((change) => sectionRow(change as Partial<Section>));

const ORDER = [
  ["School of Arts", "ART", "10", "MOVEMENT", "10005"],
  ["School of Arts", "ART HIS", "10", "MOVEMENT", "10004"],
  ["School of Arts", "DANCE", "10", "MOVEMENT", "20001"],
  ["School of Arts", "I&C SCI", "10", "MOVEMENT", "10002"],
  ["School of Arts", "IN4MATX", "10", "MOVEMENT", "10003"],
  ["School of Arts", "MATH", "LAB", "MOVEMENT", "30005"],
  ["School of Arts", "MATH", "2A", "MOVEMENT", "30004"],
  ["School of Arts", "MATH", "2A", "MOVEMENT", "30009"],
  ["School of Arts", "MATH", "2B", "MOVEMENT", "30001"],
  ["School of Arts", "MATH", "H2", "MOVEMENT", "30003"],
  ["School of Arts", "MATH", "10", "MOVEMENT", "30002"],
  ["School of Arts", "MATH", "118", "MOVEMENT", "00045"],
  ["School of Arts", "MATH", "M118L", "MOVEMENT", "30010"],
  ["School of Arts", "MATH", "199", "ALGEBRA", "30008"],
  ["School of Arts", "MATH", "199", "TOPOLOGY", "30006"],
  ["School of Arts", "MATH", "199", "TOPOLOGY", "30007"],
  ["School of Arts and Letters", "DANCE", "10", "MOVEMENT", "10001"],
];

/** A term of its own in which every field says something. */
const spoken = sectionRow({
  year: "2023",
  quarter: "Spring",
  schoolName: 'School of "Quotes" \\ Slashes',
  deptCode: "CRM/LAW",
  courseNumber: "C7",
  courseTitle: "LAW & SOCIETY",
  courseComment: "<b>same as</b>\n\tLSCI 102 \u2028 ünïcode 😀",
  prerequisiteLink: "https://example.edu/prrqcgi?term=202314&dept=CRM%2FLAW#C7",
  sectionCode: "00123",
  sectionType: "Sem",
  sectionNum: "HYB",
  units: "2.0-4",
  instructors: ["O'LEARY, P.", "DE LA CRUZ, M.", "STAFF"],
  meetings: [
    meeting("WF", "10:00", "10:50", "ON LINE"),
    meeting("M", "23:00", "25:50", "ALP 1300", "HIB 100"),
    tba("TBA"),
    meeting("", "8:00", "8:50"),
  ],
  finalExam: {
    examStatus: "SCHEDULED_FINAL",
    dayOfWeek: "Sat",
    month: 0,
    day: 1,
    startTime: { hour: 0, minute: 0 },
    endTime: { hour: 13, minute: 30 },
    bldg: ["HIB 100", "ALP 1300"],
  },
  maxCapacity: "249",
  numCurrentlyEnrolled: { totalEnrolled: "170", sectionEnrolled: "169" },
  numOnWaitlist: "off(3)",
  numWaitlistCap: "37",
  numRequested: "219",
  numNewOnlyReserved: "0",
  restrictions: "A and L",
  status: "NewOnly",
  sectionComment: "\n\t\t\t    <p>Same as 65131 (LSCI 102, Dis A).</p>\n\t\t\t    ",
});
const plain = [
  sectionRow({ ...spoken, courseComment: "", prerequisiteLink: "", sectionCode: "00122", sectionType: "Dis" }),
  sectionRow({
    ...spoken,
    deptCode: "ART",
    sectionCode: "00200",
    instructors: [],
    meetings: [],
    finalExam: { ...sectionRow().finalExam, examStatus: "TBA_FINAL" },
  }),
];
const spokenHeadings: Heading[] = [
  {
    year: "2023",
    quarter: "Spring",
    schoolName: spoken.schoolName,
    schoolComment: "<i>of the school</i>",
    deptCode: "CRM/LAW",
    deptName: "Criminology, Law & Society",
    deptComment: "of the department",
    sectionCodeRangeComments: ["00100-00199", "and more"],
    courseNumberRangeComments: ["1-99"],
  },
];

describe("the tree of a schedule answer", () => {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    folder = await openFolder();
    await publishRows(folder.artifacts, {
      sections: [...grouped, spoken, ...plain],
      headings: [...headingsOf(grouped), ...spokenHeadings],
    });
    server = await serve(folder.env);
  });
  afterAll(async () => {
    await server?.close();
    await folder?.remove();
  });
  const ask = async (query: string) => Schedule.strict().parse(await server.json(`/schedule?cacheOnly=true&${query}`));
  const flat = (tree: Tree) =>
    tree.schools.flatMap((school) =>
      school.departments.flatMap((department) =>
        department.courses.flatMap((course) =>
          course.sections.map((section) => [
            school.schoolName,
            department.deptCode,
            course.courseNumber,
            course.courseTitle,
            section.sectionCode,
          ]),
        ),
      ),
    );

  it('"Sort: schools by name, departments by code, courses by the number\'s digits then text then title, sections by code"', async () => {
    expect(flat(await ask("year=2024&quarter=Fall"))).toEqual(ORDER);
  });

  it('"school name → department code → course (number and title) → section": each group stands once, as any filter leaves it', async () => {
    // Every other section, so that each level begins and ends in the middle of something.
    for (const kept of [ORDER, ORDER.filter((_, i) => i % 2 === 0), ORDER.filter((_, i) => i % 3 === 1)]) {
      const tree = await ask(
        `year=2024&quarter=Fall&sectionCodes=${kept.map(([, , , , code = ""]) => code).join(",")}`,
      );
      expect(flat(tree)).toEqual(kept);
      const schools = tree.schools.map(({ schoolName }) => schoolName);
      const departments = tree.schools.flatMap((s) =>
        s.departments.map(({ deptCode }) => `${s.schoolName} ${deptCode}`),
      );
      const courses = tree.schools.flatMap((s) =>
        s.departments.flatMap((d) =>
          d.courses.map((c) => JSON.stringify([s.schoolName, d.deptCode, c.courseNumber, c.courseTitle])),
        ),
      );
      for (const groups of [schools, departments, courses]) expect(new Set(groups).size).toBe(groups.length);
      for (const { departments } of tree.schools)
        for (const { deptCode, courses } of departments)
          for (const course of courses) expect(course.deptCode).toBe(deptCode);
    }
  });

  it("\"A school's comment is that school's own\", a department's as well", async () => {
    const tree = await ask("year=2024&quarter=Fall&department=dance");
    expect(tree.schools.map(({ schoolName, schoolComment }) => [schoolName, schoolComment])).toEqual([
      ["School of Arts", "comment of School of Arts"],
      ["School of Arts and Letters", "comment of School of Arts and Letters"],
    ]);
    expect(tree.schools.map(({ departments: [d] }) => [d?.deptName, d?.deptComment])).toEqual([
      ["Department of DANCE", "comment of DANCE"],
      ["Department of DANCE", "comment of DANCE"],
    ]);
  });

  it("every field as it was published: texts untouched, nulls null, numbers as the specification types them", async () => {
    const tree = await ask("year=2023&quarter=Spring");
    const { year, quarter, schoolName, deptCode, courseNumber, courseNumeric, courseTitle, ...rest } = spoken;
    const { courseComment, prerequisiteLink, cancelled: _c, geCategories: _g, ...section } = rest;
    expect([year, quarter, courseNumeric]).toEqual(["2023", "Spring", 7]);
    expect(tree.schools).toHaveLength(1);
    const [school] = tree.schools;
    expect(school).toMatchObject({ schoolName, schoolComment: "<i>of the school</i>" });
    const [, law] = school?.departments ?? [];
    expect(law).toEqual({
      deptComment: "of the department",
      sectionCodeRangeComments: ["00100-00199", "and more"],
      courseNumberRangeComments: ["1-99"],
      deptCode: "CRM/LAW",
      deptName: "Criminology, Law & Society",
      courses: [
        {
          deptCode,
          courseComment,
          prerequisiteLink,
          courseNumber,
          courseTitle,
          sections: [{ ...section, sectionCode: "00122", sectionType: "Dis" }, section],
        },
      ],
    });
  });

  it("a department without a heading still stands under its code", async () => {
    const tree = await ask("year=2023&quarter=Spring&department=art");
    expect(tree.schools[0]?.departments[0]).toMatchObject({
      deptComment: "",
      sectionCodeRangeComments: [],
      courseNumberRangeComments: [],
      deptCode: "ART",
      deptName: "ART",
    });
    expect(tree.schools[0]?.departments[0]?.courses[0]?.sections[0]).toMatchObject({
      instructors: [],
      meetings: [],
      finalExam: { examStatus: "TBA_FINAL", dayOfWeek: null, month: null, day: null, bldg: null },
    });
  });

  it('"an empty result is then the answer"', async () => {
    expect(await ask("year=2024&quarter=Fall&department=NOSUCH")).toEqual({ schools: [] });
  });
});
