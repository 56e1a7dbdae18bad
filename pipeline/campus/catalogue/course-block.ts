/**
 * A course on a catalogue page, in both generations of markup: a title line with paragraphs, and (since 2025) labelled
 * spans.
 */
import type { CampusCourse } from "../courses/courses.ts";
import { escapeHtml } from "../html.ts";
import type { PrerequisiteNode } from "../courses/prerequisite-trees.ts";
import type { CourseText } from "./course-text.ts";

export type CatalogueMarkup = "classic" | "2025";

export function courseBlock(course: CampusCourse, text: CourseText, markup: CatalogueMarkup): string {
  // Department and number are joined by a no-break space.
  const code = `${course.department.code}\u00a0${course.number}`;
  return markup === "classic" ? classicBlock(course, code, text) : labelledBlock(course, code, text);
}

/** Class name (in the labelled markup), label, value. */
function details(course: CampusCourse, text: CourseText): (readonly [name: string, label: string, value: string])[] {
  const all = [
    ["prereqs", "Prerequisite: ", course.prerequisite === undefined ? "" : `${inWords(course.prerequisite)}.`],
    ["coreqs", "Corequisite: ", text.corequisites],
    ["overlaps_with", "Overlaps with ", text.overlap],
    ["repeatability", "Repeatability: ", text.repeatability],
    ["grading_option", "Grading Option: ", text.gradingOption],
    ["concurrent", "Concurrent with ", text.concurrent],
    ["same_as", "Same as ", text.sameAs],
    ["restrictions", "Restriction: ", text.restriction],
    ["gened", "", text.geText],
  ] as const;
  return all.filter(([, , value]) => value !== "");
}

/**
 * `I&C SCI 31. Introduction to Programming. 4 Units.`: two blanks between the parts; the last two lines may share a
 * paragraph.
 */
function classicBlock(course: CampusCourse, code: string, text: CourseText): string {
  const line = `${code}.  ${course.title}.  ${printUnits(text)}.`;
  const lines = details(course, text).map(([, label, value]) => escapeHtml(label + value));
  const last = lines.length > 2 ? lines.splice(-2).join("<br />\n") : undefined;
  return `<div class="courseblock">
<p class="courseblocktitle"><strong>${escapeHtml(line)}</strong></p>
<div class="courseblockdesc">
<p>${escapeHtml(text.description)}</p>
${[...lines, ...(last === undefined ? [] : [last])].map((paragraph) => `<p>${paragraph}</p>`).join("\n")}
</div>
</div>`;
}

const span = (name: string, html: string): string => `<span class="text detail-${name} margin--default">${html}</span>`;

function labelledBlock(course: CampusCourse, code: string, text: CourseText): string {
  const rows = details(course, text).map(
    ([name, label, value]) =>
      `<div class="noindent">${span(name, `${label && `<strong>${label.trim()}</strong> `}${escapeHtml(value)}`)}</div>`,
  );
  return `<div class="courseblock">
<div class="cols noindent">
${span("code", `<strong>${escapeHtml(code)}.</strong>`)}
${span("title", `<strong>${escapeHtml(course.title)}.</strong>`)}
${span("hours_html", `<strong>${printUnits(text)}.</strong>`)}
</div>
<div class="noindent"><div class="courseblockextra noindent">${escapeHtml(text.description)}</div></div>
${rows.join("\n")}
</div>`;
}

const printNumber = (value: number): string => String(value).replace(/^0\./, ".");

/** `4 Units`, `1 Unit`, `1-4 Units`, `.5 Units` */
function printUnits({ minUnits, maxUnits }: CourseText): string {
  if (minUnits !== maxUnits) return `${printNumber(minUnits)}-${printNumber(maxUnits)} Units`;
  return `${printNumber(minUnits)} Unit${minUnits === 1 ? "" : "s"}`;
}

/** `(MATH 2A or MATH 3A) and I&C SCI 31`: prerequisites as prose; the tree is on the registrar's page. */
function inWords(node: PrerequisiteNode, nested = false): string {
  if (typeof node === "string") return node;
  const [word, items] = "AND" in node ? ["and", node.AND] : ["or", node.OR];
  const text = items.map((item) => inWords(item, true)).join(` ${word} `);
  return nested && items.length > 1 ? `(${text})` : text;
}
