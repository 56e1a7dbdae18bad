/** The registrar's prerequisite pages: the form that lists departments, and a department's table. */
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

/**
 * The rows with exactly three cells of a department's table. A line break in a cell becomes a blank.
 * @throws UpstreamBadResponse when there is no table or when it is cut off
 */
export function parsePrerequisiteTable(html: string): PrerequisiteRow[] {
  const page = parsePage(SYSTEM, html);
  requireWhole(SYSTEM, "table", page("table"));
  return page("tr")
    .toArray()
    .flatMap((element) => {
      const cells = page(element).children("td").toArray();
      const [course = "", title = "", requirement = ""] = cells.map((cell) => textOf(page(cell)));
      return cells.length === 3 && course !== "" ? { course, title, requirement } : [];
    });
}
