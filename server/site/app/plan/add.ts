/** Puts sections and courses on the reader's plan. */
import { fetchShared, type ResponseBody } from "../data/fetch-json.ts";
import { isSecondary } from "../data/lecture-groups.ts";
import { courseOf, courseQuery, scheduleAddresses, type SectionLine, toSectionLines } from "../data/sections.ts";
import { termQuery } from "../data/term-names.ts";
import { companionsOf, firstFitting } from "./course-choice.ts";
import { planOf, storePlan } from "./stored-plan.ts";

/** Sections of a term that take place. @throws Error as `fetchShared` does */
async function heldSections(term: string, query: Readonly<Record<string, string>>): Promise<SectionLine[]> {
  const [live = ""] = scheduleAddresses(term, query);
  return toSectionLines(await fetchShared<ResponseBody<"Schedule">>(live), { schools: [] });
}

/** Loads the planned sections of other courses. */
async function besideOf(term: string, course: string) {
  const { codes } = planOf(term);
  const held = codes.length === 0 ? [] : await heldSections(term, { sectionCodes: codes.join(",") });
  return { others: held.filter((section) => courseOf(section) !== course), year: termQuery(term).year };
}

/** Adds the discussions and labs of a lecture that is on the plan. @throws Error as `fetchShared` does */
export async function addCompanions(term: string, section: SectionLine): Promise<void> {
  const { sectionCode } = section;
  if (isSecondary(section)) return;
  const course = courseOf(section);
  const [lines, beside] = await Promise.all([heldSections(term, courseQuery(course)), besideOf(term, course)]);
  const { codes } = planOf(term);
  const lecture = lines.find((line) => line.sectionCode === sectionCode);
  if (!lecture || !codes.includes(sectionCode)) return;
  const chosen = lines.filter((line) => codes.includes(line.sectionCode));
  const brought = companionsOf(lecture, lines, chosen, beside);
  if (brought.length > 0) storePlan(term, { codes: [...codes, ...brought.map((section) => section.sectionCode)] });
}

/**
 * Adds a course with its first sections that fit.
 * @returns its name in the schedule; undefined when the term does not have it
 * @throws Error as `fetchShared` does
 */
export async function addCourse(term: string, course: string): Promise<string | undefined> {
  const lines = await heldSections(term, courseQuery(course));
  const [first] = lines;
  if (!first) return undefined;
  const name = courseOf(first);
  const beside = await besideOf(term, name);
  const { courses, codes } = planOf(term);
  const hasOne = lines.some(({ sectionCode }) => codes.includes(sectionCode));
  const chosen = hasOne ? [] : firstFitting(lines, beside).map(({ sectionCode }) => sectionCode);
  storePlan(term, { courses: [...courses, name], codes: [...codes, ...chosen] });
  return name;
}
