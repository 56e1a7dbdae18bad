/** A section's code leads to its course, in its term, with the section marked. */
import { addressOf, type Answer, ask } from "./ask.ts";
import { courseView } from "./course.tsx";
import { courseId } from "./places.tsx";
import { sectionsIn } from "./sections.tsx";
import { publishedTerms, termQuery } from "./terms.ts";
import type { ViewRequest } from "./view.ts";

export async function sectionView({ id: code, asked, signal }: ViewRequest) {
  const term = asked.term ?? publishedTerms()[0] ?? "";
  const query = { ...termQuery(term), sectionCodes: code, cacheOnly: "true", cancelledCourses: "Include" };
  const [found] = sectionsIn(await ask<Answer<"Schedule">>(addressOf("/schedule", query), signal));
  if (!found) throw new Error(`There is no section ${code} in ${term}.`);
  return courseView({ id: courseId(found.deptCode, found.courseNumber), asked: { term, section: code }, signal });
}
