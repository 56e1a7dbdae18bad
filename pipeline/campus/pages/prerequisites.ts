/**
 * The registrar's prerequisites: a list of departments, each with a table whose third cell is a requirement in the
 * registrar's grammar.
 */
import type { CampusResponse, Params } from "../listening/response.ts";
import { courseName, type CampusCourse } from "../courses/courses.ts";
import { escapeHtml, htmlResponse } from "../html.ts";
import type { PrerequisiteNode } from "../courses/prerequisite-trees.ts";
import { draw, hashText } from "../random.ts";
import type { PageData } from "../page-data.ts";

/**
 * Shares of leaves with a minimum grade, of leaves taken at the same time, of requirements that exclude a course or a
 * score, of requirements with a condition that is not a course, of renumbered courses.
 */
const MIN_GRADE_SHARE = 0.3;
const COREQUISITE_SHARE = 0.04;
const EXCLUSION_SHARE = 0.06;
const CONDITION_SHARE = 0.16;
const CONDITIONS = ["LOWER DIVISION WRITING", "UPPER DIVISION STANDING ONLY", "SENIOR STANDING ONLY"] as const;
const RENUMBERED_SHARE = 0.03;
const MIN_GRADES = ["C", "C-", "B", "B-"] as const;

export function answerPrerequisites(world: PageData, params: Params): CampusResponse {
  const department = world.departments.find(({ code }) => code === params.get("dept"));
  if (!department) return departmentList(world);
  const rows = (world.courses[department.index] ?? []).filter(({ catalogued }) => catalogued).map(courseRow);
  return htmlResponse(
    "Course Prerequisites",
    `<h1>Prerequisites: ${escapeHtml(department.name)}</h1>
<table class="prereq" width="800">
<tr><th>Course</th><th>Title</th><th>Prerequisite</th></tr>
<tr><td colspan="3">Courses of ${escapeHtml(department.code)}</td></tr>
${rows.join("\n")}
</table>`,
  );
}

function departmentList({ departments, courses }: PageData): CampusResponse {
  const listed = departments.filter(({ index }) => courses[index]?.some(({ catalogued }) => catalogued));
  const options = listed.map(
    ({ code, name }) => `<option value="${escapeHtml(code)}">${escapeHtml(`${code} - ${name}`)}</option>`,
  );
  return htmlResponse(
    "Course Prerequisites",
    `<h1>Course Prerequisites</h1>
<form action="/cob/prrqcgi" method="get">
<select name="dept">
<option value="">Choose a department</option>
${options.join("\n")}
</select>
<input type="hidden" name="action" value="view_all" /> <input type="submit" value="View" />
</form>`,
  );
}

function courseRow(course: CampusCourse): string {
  const name = courseName(course);
  // A renumbered course has its old number after an asterisk.
  const cell =
    draw(course.seed, 121) < RENUMBERED_SHARE
      ? `${name} * ${course.department.code} ${course.digits}X since F12`
      : name;
  const text = course.prerequisite === undefined ? "" : requirement(course) + condition(course) + exclusion(course);
  return `<tr>
<td class="course" nowrap="nowrap"> ${escapeHtml(cell)} </td>
<td class="title">${escapeHtml(course.title.toUpperCase())}</td>
<td class="prereq">${text || "&nbsp;"}</td>
</tr>`;
}

/** Operands of an AND are on separate lines, an OR group in parentheses. */
function requirement(course: CampusCourse): string {
  const node = course.prerequisite as PrerequisiteNode;
  if (typeof node === "string" || !("AND" in node)) return group(node, course);
  return node.AND.map((item) => group(item, course)).join("<br />\nAND<br />\n");
}

function group(node: PrerequisiteNode, course: CampusCourse): string {
  if (typeof node === "string") return leaf(node, course);
  const [word, items] = "AND" in node ? ["AND", node.AND] : ["OR", node.OR];
  return `( ${items.map((item) => group(item, course)).join(`<br />\n${word} `)} )`;
}

/** `MATH 2A ( min grade = C )`, `AP CHEMISTRY ( min score = 4 )`, `PHYSICS 3A ( coreq )` */
function leaf(name: string, course: CampusCourse): string {
  const seed = course.seed ^ hashText(name);
  const shown = escapeHtml(name);
  if (name.startsWith("AP ")) return `${shown} ( min score = ${3 + (hashText(name) % 3)} )`;
  const x = draw(seed, 122);
  if (x < MIN_GRADE_SHARE)
    return `${shown} ( min grade = ${MIN_GRADES[Math.floor(draw(seed, 123) * MIN_GRADES.length)]} )`;
  return x < MIN_GRADE_SHARE + COREQUISITE_SHARE ? `${shown} ( coreq )` : shown;
}

/** Conditions besides courses and exams, which are not part of the tree. */
function condition({ seed }: CampusCourse): string {
  const x = draw(seed, 125);
  return x < CONDITION_SHARE
    ? `<br />\nAND<br />\n${CONDITIONS[Math.floor((x / CONDITION_SHARE) * CONDITIONS.length)]}`
    : "";
}

/** Exclusions, which are not part of the tree. */
function exclusion({ department, digits, seed }: CampusCourse): string {
  const x = draw(seed, 124);
  if (x >= EXCLUSION_SHARE) return "";
  const what =
    x < EXCLUSION_SHARE / 2
      ? `NO ${escapeHtml(department.code)} ${digits}X`
      : "NO AP CALCULUS BC score of 4 or greater";
  return `<br />\nAND<br />\n${what}`;
}
