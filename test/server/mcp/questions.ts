/** What students and analysts ask, each as a sequence of tool calls, with where the API has the same. */

type Found = readonly unknown[];
type Arguments = Record<string, unknown>;

export interface Call {
  readonly tool: string;
  /** From what the calls before found, where it needs that. */
  readonly args: Arguments | ((found: Found) => Arguments);
  /** The same over HTTP, below /v1/rest; "too many" when the result is a part that says how to narrow. */
  readonly same: string | ((found: Found) => string) | "too many";
  /** What of the API's JSON, and of the tool's, is compared; by default all. */
  readonly ofApi?: (json: never) => unknown;
  readonly ofTool?: (data: never) => unknown;
}

const FALL = { year: "2026", quarter: "Fall" };
const IN_FALL = "/schedule?year=2026&quarter=Fall&cacheOnly=true";
const sections = (args: Arguments, query: string): Call => ({
  tool: "sections",
  args: { ...FALL, fields: ["ALL"], ...args },
  same: `${IN_FALL}&${query}`,
});
const grades = (args: Arguments, query: string): Call => ({
  tool: "grades_by_instructor",
  args: { fields: ["ALL"], ...args },
  same: `/grades/aggregateByOffering?${query}`,
});
const sql = (statement: string, same: string, ofApi: (json: never) => unknown): Call => ({
  tool: "sql",
  args: { statement },
  same,
  ofApi,
});

interface Hit {
  readonly id: string;
}
interface Grades {
  readonly sectionList: readonly object[];
  readonly gradeDistribution: Readonly<Record<string, number>>;
}
const idOf = (found: Found, at = 0): string => (found[at] as Hit[])[0]?.id ?? "";
const search = (q: string): Call => ({
  tool: "search",
  args: { q },
  same: `/search?q=${encodeURIComponent(q)}&fields=kind,id,title,subtitle`,
});
const COURSE_FIELDS = "fields=id,title,minUnits,maxUnits,prerequisiteText,geList";
const gradesOf = ({ gradeDistribution }: Grades) => gradeDistribution;
const closeTo = (rows: readonly Record<string, number>[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value.toFixed(9))])));

export const QUESTIONS: Readonly<Record<string, readonly Call[]>> = {
  "Which COMPSCI upper-division courses have open sections in Fall 2026?": [
    sections(
      { department: "COMPSCI", division: "UpperDiv", fullCourses: "SkipFull" },
      "department=COMPSCI&division=UpperDiv&fullCourses=SkipFull",
    ),
  ],
  "Who gives the best grades in I&C SCI 46?": [
    grades(
      { department: "I&C SCI", courseNumber: "46", sort: "highestGPA" },
      "department=I%26C%20SCI&courseNumber=46&sort=highestGPA",
    ),
  ],
  "What week is it?": [{ tool: "week", args: {}, same: "/week" }],
  "What week was the 5th of October?": [
    { tool: "week", args: { year: "2026", month: 10, day: 5 }, same: "/week?year=2026&month=10&day=5" },
  ],
  "What has changed in COMPSCI since the 20th of November?": [
    {
      tool: "changes",
      args: { ...FALL, department: "COMPSCI", since: "2026-11-20" },
      same: "/changes?year=2026&quarter=Fall&department=COMPSCI&since=2026-11-20",
    },
  ],
  "When are the finals of Fall 2026?": [{ tool: "calendar", args: FALL, same: "/calendar?year=2026&quarter=Fall" }],
  "Which holidays are there in 2026?": [{ tool: "calendar", args: { year: "2026" }, same: "/calendar?year=2026" }],
  "What do I need before COMPSCI 161?": [{ tool: "course", args: { id: "COMPSCI161" }, same: "/courses/COMPSCI161" }],
  "What is the course on algoritms about?": [
    search("algoritms"),
    { tool: "course", args: (found) => ({ id: idOf(found) }), same: (found) => `/courses/${idOf(found)}` },
  ],
  "What is ICS 46?": [
    search("ics 46"),
    {
      tool: "course",
      args: (found) => ({ id: idOf(found) }),
      same: (found) => `/courses/${encodeURIComponent(idOf(found))}`,
    },
  ],
  "Which general-education courses of category GE-2 have exactly 4 units?": [
    {
      tool: "courses",
      args: { geCategory: "GE-2", minUnits: 4, maxUnits: 4, limit: 10 },
      same: `/courses?geCategory=GE-2&minUnits=4&maxUnits=4&limit=10&${COURSE_FIELDS}`,
    },
  ],
  "Which graduate courses does COMPSCI have?": [
    {
      tool: "courses",
      args: { department: "COMPSCI", courseLevel: "Graduate" },
      same: `/courses?department=COMPSCI&courseLevel=Graduate&${COURSE_FIELDS}`,
    },
  ],
  "Tell me about COMPSCI 161 and I&C SCI 46 side by side.": [
    {
      tool: "courses",
      args: { ids: ["COMPSCI 161", "I&CSCI46"], fields: ["ALL"] },
      same: "/courses?ids=COMPSCI161,I%26CSCI46",
    },
  ],
  "Which lectures of COMPSCI are on Tuesday and Thursday after noon?": [
    sections(
      { department: "COMPSCI", sectionType: "Lec", days: ["TuTh"], startTime: "12:00pm" },
      "department=COMPSCI&sectionType=Lec&days=TuTh&startTime=12:00pm",
    ),
  ],
  "Which upper-division COMPSCI sections end before 3 pm?": [
    sections(
      { department: "COMPSCI", division: "UpperDiv", endTime: "3:00pm" },
      "department=COMPSCI&division=UpperDiv&endTime=3:00pm",
    ),
  ],
  "Which sections are there this fall? Only the online ones of COMPSCI then.": [
    { tool: "sections", args: FALL, same: "too many" },
    sections({ department: "COMPSCI", building: "ON" }, "department=COMPSCI&building=ON"),
  ],
  "Which COMPSCI sections were cancelled?": [
    sections({ department: "COMPSCI", cancelledCourses: "Only" }, "department=COMPSCI&cancelledCourses=Only"),
  ],
  "Which sections of COMPSCI are full?": [
    sections({ department: "COMPSCI", fullCourses: "FullOnly" }, "department=COMPSCI&fullCourses=FullOnly"),
  ],
  "Which big lectures have more than 200 seats in COMPSCI or MATH?": ["COMPSCI", "MATH"].map((department) =>
    sections({ department, maxCapacity: ">200" }, `department=${department}&maxCapacity=%3E200`),
  ),
  "Which sections of GE-7 can I take without restrictions A and L?": [
    sections({ ge: "GE-7", excludeRestrictionCodes: ["A", "L"] }, "ge=GE-7&excludeRestrictionCodes=A,L"),
  ],
  "Which grades does COMPSCI 161 give without pass/no-pass sections?": [
    grades(
      { department: "COMPSCI", courseNumber: "161", excludePNP: true },
      "department=COMPSCI&courseNumber=161&excludePNP=true",
    ),
  ],
  "Is MATH 2A or MATH 2B graded better?": ["2A", "2B"].map((courseNumber) =>
    grades({ department: "MATH", courseNumber }, `department=MATH&courseNumber=${courseNumber}`),
  ),
  "All grades of COMPSCI, a page at a time": [
    { tool: "grades_by_instructor", args: {}, same: "too many" },
    grades({ department: "COMPSCI", limit: 20, offset: 20 }, "department=COMPSCI&limit=20&offset=20"),
  ],
  "What is the average GPA of COMPSCI?": [
    {
      ...sql(
        "SELECT avg(averageGPA) AS gpa FROM grades WHERE department = 'COMPSCI'",
        "/grades/aggregate?department=COMPSCI",
        (json: Grades) => closeTo([{ gpa: gradesOf(json)["averageGPA"] ?? 0 }]),
      ),
      ofTool: closeTo,
    },
  ],
  "How many As, Bs and Fs did COMPSCI 161 give?": [
    sql(
      "SELECT sum(gradeACount)::INT AS a, sum(gradeBCount)::INT AS b, sum(gradeFCount)::INT AS f FROM grades WHERE department = 'COMPSCI' AND courseNumber = '161'",
      "/grades/aggregate?department=COMPSCI&courseNumber=161",
      (json: Grades) => {
        const { gradeACount: a, gradeBCount: b, gradeFCount: f } = gradesOf(json);
        return [{ a, b, f }];
      },
    ),
  ],
  "Average GPA by course of COMPSCI, best first": [
    {
      ...sql(
        "SELECT avg(averageGPA) AS gpa FROM grades WHERE department = 'COMPSCI' GROUP BY courseNumber HAVING gpa > 0 ORDER BY gpa DESC",
        "/grades/aggregateByCourse?department=COMPSCI",
        (json: readonly { averageGPA: number }[]) =>
          closeTo(
            json
              .map(({ averageGPA: gpa }) => ({ gpa }))
              .filter(({ gpa }) => gpa > 0)
              .sort((a, b) => b.gpa - a.gpa),
          ),
      ),
      ofTool: closeTo,
    },
  ],
  "How many courses have prerequisites?": [
    sql(
      "SELECT count(*)::INT AS courses FROM courses WHERE len(prerequisiteList) > 0",
      "/courses/all",
      (json: readonly { prerequisiteList: readonly string[] }[]) => [
        { courses: json.filter(({ prerequisiteList }) => prerequisiteList.length > 0).length },
      ],
    ),
  ],
  "How many people teach, by title?": [
    sql(
      "SELECT title, count(*)::INT AS people FROM instructors GROUP BY title ORDER BY title",
      "/instructors/all",
      (json: readonly { title: string }[]) => {
        const titles = [...new Set(json.map(({ title }) => title))].sort();
        return titles.map((title) => ({ title, people: json.filter((one) => one.title === title).length }));
      },
    ),
  ],
  "Which departments are there?": [
    sql("SELECT deptCode AS code FROM departments ORDER BY ALL", "/schedule/depts", (json: { deptValue: string }[]) =>
      json
        .map(({ deptValue: code }) => ({ code }))
        .filter(({ code }) => code !== "ALL")
        .sort((a, b) => (a.code < b.code ? -1 : 1)),
    ),
  ],
  "On how many days was the enrollment of COMPSCI 161 recorded?": [
    sql(
      "SELECT sectionCode::INT AS section, sum(p.last - p.first + 1)::INT AS days FROM enrollment_periods p JOIN enrollment_history USING (year, quarter, sectionCode) WHERE year = '2026' AND quarter = 'Fall' AND department = 'COMPSCI' AND courseNumber = '161' GROUP BY ALL ORDER BY ALL",
      "/enrollmentHistory?year=2026&quarter=Fall&department=COMPSCI&courseNumber=161",
      (json: readonly { sectionCode: number; dates: readonly string[] }[]) =>
        json
          .map(({ sectionCode: section, dates }) => ({ section, days: dates.length }))
          .sort((a, b) => a.section - b.section),
    ),
  ],
  "Who is it that taught COMPSCI 161, and what else does this person teach?": [
    { tool: "course", args: { id: "COMPSCI161" }, same: "/courses/COMPSCI161" },
    {
      tool: "instructor",
      args: (found) => ({ id: (found[0] as { instructorHistory: string[] }).instructorHistory[0] }),
      same: (found) => `/instructors/${(found[0] as { instructorHistory: string[] }).instructorHistory[0]}`,
    },
    {
      tool: "grades_by_instructor",
      args: (found) => ({ netid: (found[1] as { netid: string }).netid, instructorIds: true, fields: ["ALL"] }),
      same: (found) => `/grades/aggregateByOffering?netid=${(found[1] as { netid: string }).netid}&instructorIds=true`,
    },
    {
      tool: "sections",
      args: (found) => ({
        ...FALL,
        netid: (found[1] as { netid: string }).netid,
        instructorIds: true,
        fields: ["ALL"],
      }),
      same: (found) => `${IN_FALL}&netid=${(found[1] as { netid: string }).netid}&instructorIds=true`,
    },
    {
      tool: "sections",
      args: (found) => ({
        ...FALL,
        instructorName: (found[1] as { shortenedName: string }).shortenedName,
        fields: ["ALL"],
      }),
      same: (found) =>
        `${IN_FALL}&instructorName=${encodeURIComponent((found[1] as { shortenedName: string }).shortenedName)}`,
    },
  ],
};
