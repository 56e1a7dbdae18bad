/** The registrar's prerequisite pages: the form that lists departments, and a department's table. */
import { splitCourseName } from "../contract/course-name.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { readOptions } from "./form-options.ts";
import { parsePage, requireWhole, textOf } from "./html-page.ts";

const SYSTEM = "prerequisites";

/** A row of the table as printed; the requirement is parsed elsewhere. */
export interface PrerequisiteRow {
  course: string;
  title: string;
  requirement: string;
}

/**
 * The department codes of the form, without prompts and options for all departments.
 * @throws UpstreamBadResponse when there is no such list, or when it is empty or cut off
 */
export function parsePrerequisiteForm(html: string): string[] {
  const page = parsePage(SYSTEM, html);
  const select = page('select[name="dept"]');
  requireWhole(SYSTEM, "list of departments", select);
  const codes = readOptions(page, select).flatMap(({ value, isPlaceholder }) =>
    isPlaceholder || value.toUpperCase() === "ALL" ? [] : value,
  );
  if (codes.length === 0) throw new UpstreamBadResponse(SYSTEM, "the form names no department");
  return codes;
}

/** The beginnings of the headings of the columns. */
const HEADINGS = { course: /^course(?!.*title)/i, title: /title/i, requirement: /^(?:pre-?req|requirement)/i } as const;

/** The columns by their headings, and how many cells a row has; undefined for a row without all of them. */
function columnsOf(texts: readonly string[]) {
  const [course, title, requirement] = Object.values(HEADINGS).map((words) =>
    texts.findIndex((text) => words.test(text)),
  );
  if (course === undefined || title === undefined || requirement === undefined) return undefined;
  return Math.min(course, title, requirement) < 0 ? undefined : { course, title, requirement, width: texts.length };
}

/** The office's columns, for a table without headings. */
const USUAL = { course: 0, title: 1, requirement: 2, width: 3 };

/**
 * The rows of a department's table; columns are found by their headings. Rows with another number of cells are titles
 * or layout. A line break in a cell becomes a blank.
 * @throws UpstreamBadResponse when there is no table, when it is cut off, or when rows begin with a course and none is
 *   like its headings
 */
export function parsePrerequisiteTable(html: string): PrerequisiteRow[] {
  const page = parsePage(SYSTEM, html);
  requireWhole(SYSTEM, "table", page("table"));
  let columns = USUAL;
  let others = 0;
  const rows = page("tr")
    .toArray()
    .flatMap((element) => {
      const cells = page(element).children("th, td").toArray();
      const texts = cells.map((cell) => textOf(page(cell)));
      const headed = columnsOf(texts);
      if (headed) columns = headed;
      if (headed || cells.every(({ name }) => name === "th")) return [];
      if (cells.length !== columns.width) {
        if (cells.length > 2 && splitCourseName(texts[0] ?? "")) others++;
        return [];
      }
      const [course = "", title = "", requirement = ""] = [columns.course, columns.title, columns.requirement].map(
        (column) => texts[column],
      );
      return course === "" ? [] : { course, title, requirement };
    });
  if (rows.length === 0 && others > 0)
    throw new UpstreamBadResponse(SYSTEM, "no row has the columns course, title and prerequisites");
  return rows;
}
