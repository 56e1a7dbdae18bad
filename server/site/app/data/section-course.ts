/** Where the course of a section is in another term: its code is of one term. */
import { addressOf, courseAddress, courseId, findAddress } from "./addresses.ts";
import { fetchJson, type ResponseBody } from "./fetch-json.ts";
import { sectionsIn } from "./sections.ts";

/** The address of the course; that of a search for the code where the section is not known. */
export async function courseOfSection(
  query: { readonly year: string; readonly quarter: string; readonly sectionCodes: string },
  term: string,
): Promise<string> {
  const address = addressOf("/schedule", { ...query, cancelledCourses: "Include", cacheOnly: "true" });
  const schedule = await fetchJson<ResponseBody<"Schedule">>(address).catch(() => ({ schools: [] }));
  const [section] = sectionsIn(schedule);
  if (!section) return findAddress({ q: query.sectionCodes, term });
  return courseAddress(courseId(section.deptCode, section.courseNumber), { term });
}
