/** A section code shows its course in that term, with the section highlighted. */
import { addressOf, type ResponseBody, fetchJson } from "../fetch-json.ts";
import { courseView } from "./course.tsx";
import { courseId } from "../links.tsx";
import { sectionsIn } from "./sections.tsx";
import { publishedTerms, termQuery } from "../terms.ts";
import type { ViewRequest } from "./view.ts";

export async function sectionView({ id: code, term = publishedTerms()[0] ?? "", signal }: ViewRequest) {
  const query = { ...termQuery(term), sectionCodes: code, cacheOnly: "true", cancelledCourses: "Include" };
  const [section] = sectionsIn(await fetchJson<ResponseBody<"Schedule">>(addressOf("/schedule", query), signal));
  if (!section) throw new Error(`There is no section ${code} in ${term}.`);
  return courseView({ id: courseId(section.deptCode, section.courseNumber), term, section: code, signal });
}
