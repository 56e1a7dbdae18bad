/** The tools of `/mcp`: each is an endpoint with some of its parameters. Descriptions and schemas come from the endpoint. */

export interface ToolRecord {
  readonly name: string;
  readonly title: string;
  /** Of the endpoint. */
  readonly path: string;
  /** When to use it, for whoever chooses among tools. */
  readonly about: string;
  /** Those of the endpoint's parameters that it has; the `id` of a path comes by itself. */
  readonly params: readonly string[];
  /** Parameters that are the same in every call. */
  readonly always?: Readonly<Record<string, string>>;
  /** The most elements of a result, and what they are called: more are counted instead of cut. */
  readonly most?: readonly [count: number, noun: string];
  /** The first elements are the best ones, and worth more than a count. */
  readonly isRanked?: boolean;
}

const GRADE_FILTERS = [
  "year",
  "quarter",
  "instructor",
  "netid",
  "department",
  "courseNumber",
  "division",
  "ge",
  "excludePNP",
  "instructorIds",
];
const PAGE = ["limit", "offset"];

export const TOOLS: readonly ToolRecord[] = [
  {
    name: "search",
    title: "Search",
    path: "/search",
    about:
      "Begin here to find the id of a course, the netid of a person, a department's code or a section by free text. The best hits come first; `total` says how many there are.",
    params: ["q", ...PAGE],
    most: [50, "hits"],
    isRanked: true,
  },
  {
    name: "course",
    title: "Course",
    path: "/courses/:id",
    about: "One course of the catalogue: units, description, prerequisites in both directions, who taught it and when.",
    params: [],
  },
  {
    name: "courses",
    title: "Courses",
    path: "/courses",
    about: "Courses of the catalogue by department, level, units, general education category, title or terms.",
    params: [
      ...["department", "courseNumber", "courseLevel", "geCategory", "minUnits", "maxUnits", "titleContains"],
      ...["descriptionContains", "taughtByInstructors", "taughtInTerms", "ids", ...PAGE],
    ],
    most: [25, "courses"],
  },
  {
    name: "instructor",
    title: "Instructor",
    path: "/instructors/:id",
    about:
      "One lecturer or professor by netid: title, department, courses taught, and the shortened name that schedule and grades know the person by.",
    params: [],
  },
  {
    name: "sections",
    title: "Sections of a term",
    path: "/schedule",
    about:
      "The published schedule of a term: sections with instructors, times, rooms, final exam, seats and status. `fullCourses=SkipFull` gives open sections only.",
    params: [
      ...["year", "quarter", "department", "courseNumber", "division", "ge", "sectionCodes", "instructorName", "netid"],
      ...["courseTitle", "sectionType", "days", "startTime", "endTime", "building", "room", "units", "maxCapacity"],
      ...["fullCourses", "cancelledCourses", "excludeRestrictionCodes", "instructorIds", ...PAGE],
    ],
    always: { cacheOnly: "true" },
    most: [40, "courses"],
  },
  {
    name: "grades_by_instructor",
    title: "Grades by instructor",
    path: "/grades/aggregateByOffering",
    about: "Grades summed by course and instructor: counts of each letter and the average GPA.",
    params: [...GRADE_FILTERS, ...PAGE],
    most: [100, "pairs of course and instructor"],
  },
  {
    name: "changes",
    title: "Changes of the schedule",
    path: "/changes",
    about: "What changed in the sections of a term, such as status, seats, rooms or instructors, oldest first.",
    params: [
      ...["year", "quarter", "department", "courseNumber", "sectionCodes", "kind", "instructorName"],
      ...["since", "until", ...PAGE],
    ],
    most: [100, "changes"],
  },
  {
    name: "calendar",
    title: "Academic calendar and week",
    path: "/calendar",
    about: "First and last days of instruction and finals, holidays and deadlines of the terms.",
    params: ["year", "quarter", ...PAGE],
    most: [12, "terms"],
  },
  {
    name: "week",
    title: "Week of instruction",
    path: "/week",
    about: "The week of instruction of a day, by default of today on campus.",
    params: ["year", "month", "day"],
  },
];
