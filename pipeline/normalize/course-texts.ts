/** A course's comment and prerequisite link, gathered from all blocks in which the course comes. */
import type { SourceCourse, SourceSchool } from "../contract/schedule-page.ts";

export interface CourseTexts {
  comment: string;
  link: string;
}

/**
 * A course can come in several blocks; each text is that of the first block that has one. A course is told by school, department, number and
 * title: special topics repeat a number with other titles and stay apart (field guide §1.3).
 */
export function toCourseTexts(schools: readonly SourceSchool[]): Map<SourceCourse, CourseTexts> {
  const texts = new Map<SourceCourse, CourseTexts>();
  const bySchool = new Map<string, Map<string, Map<string, Map<string, CourseTexts>>>>();
  for (const school of schools) {
    const byDepartment = within(bySchool, school.name.trim());
    for (const department of school.departments) {
      const byNumber = within(byDepartment, department.code.trim());
      for (const course of department.courses) {
        const byTitle = within(byNumber, course.number.trim());
        const title = course.title.trim();
        let text = byTitle.get(title);
        if (!text) byTitle.set(title, (text = { comment: "", link: "" }));
        text.comment ||= course.comment;
        text.link ||= course.prerequisiteLink.trim();
        texts.set(course, text);
      }
    }
  }
  return texts;
}

/** The map under a key, made when it is not there yet. */
function within<Value>(parent: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  let child = parent.get(key);
  if (!child) parent.set(key, (child = new Map<string, Value>()));
  return child;
}
