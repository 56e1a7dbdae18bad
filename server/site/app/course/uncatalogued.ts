/** A course that the catalogue does not have, but the schedule, the grades or the enrollment history do. */
import { addressOf, courseId } from "../data/addresses.ts";
import { fetchShared, type ResponseBody } from "../data/fetch-json.ts";
import { scheduleAddresses, sectionsIn } from "../data/sections.ts";
import type { Course } from "./course-node.tsx";
import { type CourseKey, splitsOf } from "./course-splits.ts";

type Schedule = ResponseBody<"Schedule">;
type Grades = ResponseBody<"RawGrades">;
type History = ResponseBody<"EnrollmentHistory">;

/** With nothing that only the catalogue says. */
function courseFrom({ department, courseNumber }: CourseKey, title: string, terms: readonly string[]): Course {
  const texts = { school: "", courseLevel: "", description: "", departmentName: "", geText: "", prerequisiteText: "" };
  const remarks = { repeatability: "", gradingOption: "", concurrent: "", sameAs: "", restriction: "", overlap: "" };
  return {
    ...{ id: courseId(department, courseNumber), department, courseNumber, title },
    ...{ courseNumeric: Number.parseInt(courseNumber.replaceAll(/\D/g, ""), 10) || 0, minUnits: 0, maxUnits: 0 },
    ...texts,
    ...remarks,
    corequisites: "",
    ...{ prerequisiteTree: {}, prerequisiteList: [], prerequisiteFor: [], instructorHistory: [], geList: [] },
    terms: [...terms],
  };
}

async function findKey(key: CourseKey, term: string): Promise<Course | undefined> {
  const query = { department: key.department, courseNumber: key.courseNumber };
  const [live = "", cancelled = ""] = scheduleAddresses(term, query);
  const [sections, grades, history] = await Promise.all([
    Promise.all([live, cancelled].map((one) => fetchShared<Schedule>(one))).then((all) => all.flatMap(sectionsIn)),
    fetchShared<Grades>(addressOf("/grades/raw", query)),
    fetchShared<History>(addressOf("/enrollmentHistory", query)),
  ]);
  const [section] = sections;
  const [row] = [...grades, ...history];
  if (!section && !row) return undefined;
  const found = {
    department: section?.deptCode ?? row?.department ?? "",
    courseNumber: section?.courseNumber ?? row?.courseNumber ?? "",
  };
  const terms = [
    ...(section ? [term] : []),
    ...[...history, ...grades].map(({ year, quarter }) => `${year} ${quarter}`),
  ];
  return courseFrom(found, section?.courseTitle ?? `${found.department} ${found.courseNumber}`, [...new Set(terms)]);
}

/** `id` as in the address of a course. Undefined where nothing is known of such a course. @throws Error as `fetchShared` does */
export async function findUncatalogued(id: string, term: string): Promise<Course | undefined> {
  for (const key of splitsOf(id)) {
    const course = await findKey(key, term);
    if (course) return course;
  }
  return undefined;
}
