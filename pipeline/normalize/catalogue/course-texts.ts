/** A course's comment and prerequisite link, merged from all of its blocks. */
import type { SourceCourse, SourceSchool } from "../../contract/schedule-page.ts";

export interface CourseTexts {
  comment: string;
  link: string;
}

/**
 * Collects texts by course. A course may come in several blocks; each text is that of the first block that has one. A
 * course is identified by school, department, number and title, as special topics share a number.
 * @param onOddLink called with a link that is not a web address, which is left out because clients show it as a link
 */
export function toCourseTexts(
  schools: readonly SourceSchool[],
  onOddLink: (link: string) => void,
): Map<SourceCourse, CourseTexts> {
  const texts = new Map<SourceCourse, CourseTexts>();
  const bySchool = new Map<string, Map<string, Map<string, Map<string, CourseTexts>>>>();
  for (const school of schools) {
    const byDepartment = within(bySchool, school.name.trim());
    for (const department of school.departments) {
      const byNumber = within(byDepartment, department.code.trim());
      for (const course of department.courses) {
        const byTitle = within(byNumber, course.number.trim());
        const title = toCourseTitle(course.title);
        let text = byTitle.get(title);
        if (!text) byTitle.set(title, (text = { comment: "", link: "" }));
        text.comment ||= course.comment;
        const link = course.prerequisiteLink.trim();
        if (link === "" || isWebAddress(link)) text.link ||= link;
        else onOddLink(link);
        texts.set(course, text);
      }
    }
  }
  return texts;
}

/** Collapses white space of any kind to a blank, and removes it before the final full stop. */
export const toCourseTitle = (title: string): string => title.replace(/\s+/g, " ").trim().replace(/ \.$/, ".");

const isWebAddress = (link: string): boolean => /^https?:\/\//i.test(link) && URL.canParse(link);

/** Returns the nested map of a key, and creates it if absent. */
function within<Value>(parent: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  let child = parent.get(key);
  if (!child) parent.set(key, (child = new Map<string, Value>()));
  return child;
}
