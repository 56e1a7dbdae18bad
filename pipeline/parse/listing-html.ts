/** The schedule system's search form → the terms and departments that it offers. */
import { load } from "cheerio";
import type { Department, TermListing } from "../contract/listing.ts";
import { SCHEDULE_SYSTEM } from "../contract/schedule-page.ts";
import { QUARTER_CODES, QUARTERS } from "../contract/vocabulary.ts";
import { UpstreamBadAnswer } from "../errors.ts";

export interface Listing {
  /** In the form's order, most recent first. */
  terms: TermListing[];
  departments: Department[];
}

/** Law and medicine have terms of their own, which are not ours. */
const FOREIGN_TERM = /\b(?:Law|COM)\b/;

/** `COMPSCI . . . . . .Computer Science`: the dot leader between code and name. */
const DOT_LEADER = /^[\s.]+/;

/** `(started 2019 Fall)` stands behind the name of a department. */
const STARTED = /\s*\(started\b[^)]*\)\s*$/i;

/** `(until 2015 Fall)`: the department is no more. */
const ENDED = /\(until\b[^)]*\)\s*$/i;

/**
 * Reads the form.
 * @throws UpstreamBadAnswer when it is cut off or offers no term or no department: then it is another page, or the form has changed
 */
export function parseListing(html: string): Listing {
  // A form that ends early has lost departments from its list, and with them their sections.
  if (!/<\/html\s*>/i.test(html)) throw new UpstreamBadAnswer(SCHEDULE_SYSTEM, "the search form is cut off");
  const $ = load(html);
  const options = (name: string) =>
    $(`select[name="${name}"] option`)
      .toArray()
      .map((option) => ({
        value: ($(option).attr("value") ?? $(option).text()).trim(),
        label: $(option).text().replace(/\s+/g, " ").trim(),
      }));

  const terms = options("YearTerm").flatMap(({ value, label }) => toTerm(value, label));
  const departments = new Map<string, Department>();
  for (const { value, label } of options("Dept")) {
    if (value === "" || value.toUpperCase() === "ALL" || ENDED.test(label) || departments.has(value)) continue;
    departments.set(value, { deptCode: value, deptName: toDepartmentName(value, label) });
  }
  if (terms.length === 0) throw new UpstreamBadAnswer(SCHEDULE_SYSTEM, "the search form offers no term");
  if (departments.size === 0) throw new UpstreamBadAnswer(SCHEDULE_SYSTEM, "the search form offers no department");
  return { terms, departments: [...departments.values()] };
}

/** `2024-92`, `2024  Fall Quarter`. */
function toTerm(value: string, label: string): TermListing[] {
  const [year, code] = value.split("-");
  const quarter = QUARTERS.find((q) => QUARTER_CODES[q] === code);
  if (!year || !/^\d{4}$/.test(year) || !quarter || FOREIGN_TERM.test(label)) return [];
  return [{ year, quarter, longName: label }];
}

function toDepartmentName(code: string, label: string): string {
  const behindCode = label.startsWith(code) ? label.slice(code.length) : label;
  return behindCode.replace(DOT_LEADER, "").replace(STARTED, "").trim();
}
