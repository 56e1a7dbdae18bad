/** The schedule's filters of server/RULES.md, Schedule once more, as plainly as can be: what any other way of filtering is measured by. */
import type { Meeting, Section } from "../../../pipeline/contract/rows/section.ts";
import { courseDigits, DIVISION_BOUNDS, departmentKey } from "../../../pipeline/contract/vocabulary.ts";
import type { LiveQuery } from "../../../pipeline/live.ts";

const minutes = (time: { hour: number; minute: number }): number => time.hour * 60 + time.minute;

const daysOf = (text: string): string[] => text.match(/Su|M|Tu|W|Th|F|Sa/g) ?? [];

const isTimed = (meeting: Meeting): boolean => meeting.startTime !== null && meeting.endTime !== null;

function hasInstructor(section: Section, wanted: string): boolean {
  const text = wanted.toUpperCase();
  return section.instructors.some((instructor) => {
    const name = instructor.toUpperCase();
    const [lastName = ""] = name.split(",");
    if (!text.includes(",")) return lastName.includes(text);
    return text.endsWith(",") ? `${lastName},` === text : name.startsWith(text);
  });
}

function hasNumber(section: Section, item: string): boolean {
  if (!item.includes("-")) return section.courseNumber.toUpperCase() === item.toUpperCase();
  const [low = "", high = ""] = item.split("-");
  return section.courseNumeric >= courseDigits(low) && section.courseNumeric <= courseDigits(high);
}

/** Whether a section matches; `ge` is looked up in the section's own categories. */
export function matches(section: Section, question: LiveQuery): boolean {
  const { ge, department, sectionCodes, instructorName, building, room, division, courseNumber } = question;
  const { courseTitle, sectionType, units, days, startTime, endTime, maxCapacity, fullCourses, cancelledCourses } =
    question;
  const code = Number(section.sectionCode);
  if (ge && !section.geCategories.includes(ge)) return false;
  if (department && departmentKey(section.deptCode) !== departmentKey(department)) return false;
  if (sectionCodes && !sectionCodes.some(({ low, high }) => code >= low && code <= high)) return false;
  if (instructorName && !hasInstructor(section, instructorName)) return false;
  if (building) {
    const place = room ? `${building} ${room}`.toUpperCase() : undefined;
    const isThere = (label: string) =>
      place ? label.toUpperCase() === place : label.toUpperCase().split(" ")[0] === building.toUpperCase();
    if (!section.meetings.some((meeting) => meeting.bldg.some(isThere))) return false;
  }
  if (division) {
    const [low, high] = DIVISION_BOUNDS[division];
    if (section.courseNumeric < low || section.courseNumeric > high) return false;
  }
  if (courseNumber && !courseNumber.some((item) => hasNumber(section, item))) return false;
  if (courseTitle && !section.courseTitle.toUpperCase().includes(courseTitle.toUpperCase())) return false;
  if (sectionType && section.sectionType !== sectionType) return false;
  if (units) {
    const isVariable = section.units.includes("-");
    const fits = (unit: string) =>
      unit === "VAR" ? isVariable : !isVariable && Number(section.units) === Number(unit);
    if (!units.some(fits)) return false;
  }
  if (days) {
    const met = new Set(section.meetings.flatMap((meeting) => daysOf(meeting.days ?? "")));
    if (!days.every((day) => met.has(day))) return false;
  }
  const timed = section.meetings.every(isTimed) && section.meetings.length > 0;
  if (startTime !== undefined) {
    if (!timed || section.meetings.some((meeting) => meeting.startTime && minutes(meeting.startTime) < startTime))
      return false;
  }
  if (endTime !== undefined) {
    if (!timed || section.meetings.some((meeting) => meeting.endTime && minutes(meeting.endTime) > endTime))
      return false;
  }
  if (maxCapacity) {
    const capacity = Number(section.maxCapacity);
    const { operator, count } = maxCapacity;
    if (!(operator === ">" ? capacity > count : operator === "<" ? capacity < count : capacity === count)) return false;
  }
  const isFull = section.status === "FULL" || section.status === "Waitl";
  if (fullCourses === "SkipFull" && isFull) return false;
  if (fullCourses === "SkipFullWaitlist" && section.status === "FULL") return false;
  if (fullCourses === "FullOnly" && !isFull) return false;
  if (fullCourses === "OverEnrolled") {
    if (Number(section.numCurrentlyEnrolled.totalEnrolled) <= Number(section.maxCapacity)) return false;
  }
  if (cancelledCourses === "Include") return true;
  return section.cancelled === (cancelledCourses === "Only");
}
