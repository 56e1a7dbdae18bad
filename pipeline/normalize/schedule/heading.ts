/** Headings of the schedule: schools and departments with their comments. */
import type { SourceDepartment, SourceSchool } from "../../contract/schedule-page.ts";
import type { Heading } from "../../contract/rows/section.ts";
import type { Term } from "../../contract/vocabulary.ts";

/** Courses hosted by another department are listed under a shortened name such as `Biosci*`. */
const isStarred = (name: string): boolean => name.endsWith("*");

/**
 * Returns a row for each school and department with sections, in the order of first appearance. A department in several
 * blocks gets the first comment, all range comments, and its longest name.
 * @param listed names by department code from the search form; they replace starred and empty names
 */
export function toHeadings(
  term: Term,
  schools: readonly SourceSchool[],
  listed: ReadonlyMap<string, string> = new Map(),
): Heading[] {
  const names = toNames(schools, listed);
  const headings = new Map<string, Map<string, Heading>>();
  const comments = new Map<string, string>();
  for (const school of schools) {
    const schoolName = school.name.trim();
    if (!comments.get(schoolName)) comments.set(schoolName, school.comment);
    let ofSchool = headings.get(schoolName);
    if (!ofSchool) headings.set(schoolName, (ofSchool = new Map()));
    for (const department of school.departments) {
      if (!department.courses.some((course) => course.sections.length > 0)) continue;
      const deptCode = department.code.trim();
      const heading = ofSchool.get(deptCode);
      if (heading) join(heading, department);
      else {
        ofSchool.set(deptCode, {
          year: term.year,
          quarter: term.quarter,
          schoolName,
          schoolComment: "",
          deptCode,
          deptName: names.get(deptCode) ?? "",
          deptComment: department.comment,
          sectionCodeRangeComments: [...department.codeRangeComments],
          courseNumberRangeComments: [...department.numberRangeComments],
        });
      }
    }
  }
  const rows = [...headings.values()].flatMap((ofSchool) => [...ofSchool.values()]);
  for (const row of rows) {
    row.schoolComment = comments.get(row.schoolName) ?? "";
    row.sectionCodeRangeComments = distinct(row.sectionCodeRangeComments);
    row.courseNumberRangeComments = distinct(row.courseNumberRangeComments);
  }
  return rows;
}

/** Prefers names without a star, then longer ones. */
function toNames(schools: readonly SourceSchool[], listed: ReadonlyMap<string, string>): Map<string, string> {
  const names = new Map<string, string>();
  for (const department of schools.flatMap((school) => school.departments)) {
    const code = department.code.trim();
    const name = department.name.trim();
    const previous = names.get(code);
    if (previous === undefined || isBetter(name, previous)) names.set(code, name);
  }
  for (const [code, name] of names) {
    const formName = listed.get(code);
    if (formName && (isStarred(name) || name === "")) names.set(code, formName);
  }
  return names;
}

const isBetter = (name: string, than: string): boolean =>
  isStarred(name) === isStarred(than) ? name.length > than.length : isStarred(than);

function join(heading: Heading, department: SourceDepartment): void {
  heading.deptComment ||= department.comment;
  for (const comment of department.codeRangeComments) heading.sectionCodeRangeComments.push(comment);
  for (const comment of department.numberRangeComments) heading.courseNumberRangeComments.push(comment);
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
