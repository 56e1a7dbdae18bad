/**
 * The tools of `/mcp`: each is an endpoint with some of its parameters. Descriptions and schemas come from the
 * endpoint.
 */

export interface ToolRecord {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  /** Describes when to use the tool, for assistants that choose among tools. */
  readonly about: string;
  /** The supported parameters of the endpoint; the `id` of a path is added automatically. */
  readonly params: readonly string[];
  /** Parameters that are the same in every call. */
  readonly always?: Readonly<Record<string, string>>;
  /** Overrides the description of the id. */
  readonly id?: string;
  /** The parameters that expect a netid; they accept names as well. */
  readonly people?: readonly string[];
  /** The default of `fields`. */
  readonly fields?: readonly string[];
  /** The most elements per request, and their name; an answer contains as many as fit. */
  readonly most?: readonly [count: number, noun: string];
  /** True if the first elements are the best ones, so that the endpoint's own limit is enough. */
  readonly isRanked?: boolean;
  /** The published table or view with the same data, for `sql`. */
  readonly table: string;
}

const GRADE_FILTERS = ["year", "quarter", "instructor", "netid", "department", "courseNumber", "division", "ge"];
const PAGE = ["limit", "offset"];

export const TOOLS: readonly ToolRecord[] = [
  {
    name: "search",
    title: "Search",
    path: "/search",
    about:
      "Courses, people, departments and section codes by free text, the best hits first. The id of a hit is what the tools course and instructor take as id, and the others as department; a course that is not in the catalogue has sections and grades only; that of a section is its year, quarter and section code.",
    params: ["q", "fields", ...PAGE],
    fields: ["kind", "id", "title", "subtitle"],
    most: [50, "hits"],
    isRanked: true,
    table: "courses",
  },
  {
    name: "course",
    title: "Course",
    path: "/courses/:id",
    about: "One course of the catalogue: units, description, prerequisites in both directions, who taught it and when.",
    params: ["fields"],
    id: "name or id: MATH 2B, I&C SCI 46, COMPSCI161",
    table: "courses",
  },
  {
    name: "courses",
    title: "Courses",
    path: "/courses",
    about: "Courses of the catalogue that match all filters.",
    params: [
      ...["department", "courseNumber", "courseLevel", "geCategory", "minUnits", "maxUnits", "titleContains"],
      ...["descriptionContains", "taughtByInstructors", "taughtInTerms", "ids", "fields", ...PAGE],
    ],
    people: ["taughtByInstructors"],
    fields: ["id", "title", "minUnits", "maxUnits", "prerequisiteText", "geList"],
    most: [300, "courses"],
    table: "courses",
  },
  {
    name: "instructor",
    title: "Instructor",
    path: "/instructors/:id",
    about:
      "One lecturer or professor: title, department, courses taught, and the shortened name that schedule and grades have.",
    params: ["fields"],
    id: "netid or name: ramberley, Robin Amberley, AMBERLEY, R.; of a name of several people, who they are",
    people: ["id"],
    table: "instructors",
  },
  {
    name: "sections",
    title: "Sections of a term",
    path: "/schedule",
    about:
      "The published schedule of a term: sections with instructors, times, seats and status; by fields also rooms, finals, units and more.",
    params: [
      ...["year", "quarter", "department", "courseNumber", "division", "ge", "sectionCodes", "instructorName", "netid"],
      ...["courseTitle", "sectionType", "days", "startTime", "endTime", "building", "room", "units", "maxCapacity"],
      ...["fullCourses", "cancelledCourses", "excludeRestrictionCodes", "instructorIds", "fields", ...PAGE],
    ],
    people: ["netid"],
    fields: [
      ...["courses.deptCode", "courseNumber", "courseTitle", "sectionCode", "sectionType", "sectionNum"],
      ...["instructors", "days", "meetings.startTime", "meetings.endTime"],
      ...["maxCapacity", "totalEnrolled", "status"],
    ],
    always: { cacheOnly: "true" },
    most: [200, "courses"],
    table: "sections",
  },
  {
    name: "grades_by_instructor",
    title: "Grades by instructor",
    path: "/grades/aggregateByOffering",
    about: "Average GPA, and counts of each letter, by course and instructor. sort=highestGPA: who graded best.",
    params: [...GRADE_FILTERS, "excludePNP", "instructorIds", "sort", "fields", ...PAGE],
    people: ["netid"],
    fields: ["department", "courseNumber", "instructor", "averageGPA"],
    most: [500, "pairs of course and instructor"],
    table: "grades",
  },
  {
    name: "changes",
    title: "Changes of the schedule",
    path: "/changes",
    about: "What changed in the sections of a term, such as status, seats, rooms or instructors, oldest first.",
    params: [
      ...["year", "quarter", "department", "courseNumber", "sectionCodes", "kind", "instructorName"],
      ...["since", "until", "fields", ...PAGE],
    ],
    most: [300, "changes"],
    table: "changes",
  },
  {
    name: "calendar",
    title: "Academic calendar",
    path: "/calendar",
    about:
      "First and last days of instruction and finals, holidays and deadlines of the terms, newest first; with year and quarter only the first and last days of that term.",
    params: ["year", "quarter", ...PAGE],
    most: [50, "terms"],
    table: "calendar_dates",
  },
  {
    name: "week",
    title: "Week of instruction",
    path: "/week",
    about: "The week of instruction of a day, by default of today on campus.",
    params: ["year", "month", "day"],
    table: "calendar",
  },
];
