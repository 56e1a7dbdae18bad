/** Maps parameter names of other systems to ours. RULES.md and the pages of the endpoints show this table. */

/** The parameters for a person; an endpoint has exactly one of them. */
const PERSON = "instructorName, instructor, taughtByInstructors, nameContains";

/**
 * Names elsewhere, and the names here of which the first one that an endpoint has is meant; none = there is no
 * equivalent. First the fields of the schedule system's own form, then parameters and fields of other services, and of
 * other endpoints of this one.
 */
const TABLE = `
YearTerm → year and quarter
Breadth → ge, geCategory
Dept → department, departmentContains
CourseNum → courseNumber
Division → division, courseLevel
CourseCodes → sectionCodes, sectionCode
InstrName → ${PERSON}
CourseTitle → courseTitle, titleContains
ClassType → sectionType
Units → units, minUnits
Modality, Bldg → building
Room → room
Days → days, day
StartTime → startTime
EndTime → endTime
MaxCap → maxCapacity
FullCourses → fullCourses
CancelledCourses → cancelledCourses
Submit, ShowComments, ShowFinals, FontSize →

courseCode, code, codes, crn, classNumber → sectionCodes, sectionCode
sectionCode, sectionCodes, sectionNumber → sectionCodes, sectionCode
department, departments, deptCode, deptValue → department, departmentContains
departmentCode, departmentContains, subject → department, departmentContains
ge, geCategory, geCategories, geList → ge, geCategory
instructor, instructors, instructorName, instructorNames → ${PERSON}
prof, professor, teacher, lecturer, faculty, taughtByInstructors, nameContains → ${PERSON}
shortenedName → instructorName, instructor, shortenedName
ucinetid, ucinetids, netid, netids → netid, taughtByInstructors, ids
taughtBy, instructorHistory → taughtByInstructors
term, terms, quarter, quarters, semester → quarter, taughtInTerms
termCode, taughtInTerms → year and quarter, taughtInTerms
year, years → year, taughtInTerms
courseId, courseIds → ids, courseNumber
id → ids
course, courses, number, courseNumbers, catalogNumber → courseNumber
title, titleContains → courseTitle, titleContains
name → nameContains, courseTitle, titleContains
description → descriptionContains
school, schools, schoolName → schoolsContains
courseLevel, level → division, courseLevel
type, sectionType, sectionTypes → sectionType
credits, minUnits, maxUnits → units, minUnits
location, building, buildings → building
weekday, weekdays, meetingDays → days
capacity, maxCapacity, maxEnrollment, seats → maxCapacity
status, full, open → fullCourses, kind
cancelled, canceled → cancelledCourses
restrictions, restrictionCodes → excludeRestrictionCodes
includeRelatedCourses, coCourses → includeCoCourses
query, search, keyword, keywords → q, courseTitle, nameContains, titleContains
from, after → since
to, before → until
take, count, size, perPage, pageSize → limit
skip → offset
select, columns → fields
`;

const namesIn = (list: string): string[] =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

export const OTHER_NAMES: readonly (readonly [elsewhere: readonly string[], here: readonly string[]])[] = TABLE.split(
  "\n",
)
  .filter((line) => line !== "")
  .map((line) => {
    const [elsewhere = "", here = ""] = line.split("→");
    return [namesIn(elsewhere), namesIn(here)];
  });

const toKey = (name: string): string => name.toLowerCase().replace(/[_\s.-]/g, "");

const BY_KEY: ReadonlyMap<string, readonly string[]> = new Map(
  OTHER_NAMES.flatMap(([elsewhere, here]) => elsewhere.map((name): [string, readonly string[]] => [toKey(name), here])),
);

/**
 * Translates a name from elsewhere to one of `paramNames`; "" if there is no equivalent, undefined if the table lacks
 * the name.
 */
export function nameHere(elsewhere: string, paramNames: readonly string[]): string | undefined {
  const here = BY_KEY.get(toKey(elsewhere));
  return here && (here.find((names) => names.split(" and ").every((name) => paramNames.includes(name))) ?? "");
}
