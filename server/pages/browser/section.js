/** A section's code leads to its course, in its term, with the section marked. */
import { addressOf, ask } from "./ask.js";
import { courseView } from "./course.js";
import { sectionsIn } from "./sections.js";
import { publishedTerms } from "./term-part.js";

export async function sectionView(code, asked, remember, signal) {
  const term = asked.term ?? publishedTerms()[0] ?? "";
  const [year, quarter] = term.split(" ");
  const found = sectionsIn(
    await ask(
      addressOf("/schedule", { year, quarter, sectionCodes: code, cacheOnly: "true", cancelledCourses: "Include" }),
      signal,
    ),
  );
  if (!found[0]) throw new Error(`There is no section ${code} in ${term}.`);
  const id = found[0].deptCode.replaceAll(" ", "") + found[0].courseNumber;
  return courseView(id, { term, section: code }, remember, signal);
}
