/** Parses the terms and departments of the schedule system's search form. */
import type { Department, ListedTerm } from "../../contract/rows/listing.ts";
import { SCHEDULE_SYSTEM } from "../../contract/schedule-page.ts";
import {
  compareTerms,
  FIRST_TERM,
  GE_CATEGORIES,
  type Quarter,
  QUARTER_CODES,
  QUARTERS,
  type Term,
} from "../../contract/vocabulary.ts";
import { createUnknownFields, type KnownField, type UnknownField } from "../../contract/source-fields.ts";
import { UpstreamBadResponse } from "../../errors.ts";
import { readOptions } from "../form-options.ts";
import { parsePage } from "../html-page.ts";
import { toPlainText } from "./schedule-text.ts";

/** A department of the form, ended ones included. */
export interface ListedDepartment extends Department {
  /** The last term of an ended department, if the form has it. */
  until?: Term;
}

export interface Listing {
  /** In the form's order, most recent first. */
  terms: ListedTerm[];
  departments: ListedDepartment[];
  /** Unknown quarters and general-education categories, whose sections would be missing. */
  unknown: readonly UnknownField[];
  /** True when the form has the list of categories by which sections are searched. */
  hasCategories: boolean;
}

const [TERM_LIST, GE_LIST, DEPARTMENT_LIST] = ["YearTerm", "Breadth", "Dept"];

export const FORM_FIELDS: readonly KnownField[] = [
  ...Object.values(QUARTER_CODES).map((code): KnownField => ({
    kind: "option",
    place: TERM_LIST,
    name: code,
    fills: ["year", "quarter"],
  })),
  ...GE_CATEGORIES.map((name): KnownField => ({ kind: "option", place: GE_LIST, name, fills: ["geCategories"] })),
];

/** A heading in the list of categories, above those that were retired (`prior to Fall 2012`). */
const RETIRED_CATEGORIES = /prior to/i;

/** Terms of law and medicine, which are skipped. */
const FOREIGN_TERM = /\b(?:Law|COM)\b/;

/** `COMPSCI . . . . . .Computer Science`: the dot leader between code and name. */
const DOT_LEADER = /^[\s.]+/;

/** `(started 2019 Fall)`, `(until 2019 SS2)` after a name; a department may have both. */
const MARK = /\(\s*(?:started|until)(?![a-z])[^)]*(?:\)|$)/gi;

/** The end in such a mark: `2019 SS2`. */
const END = /until\W*([^,;)]*)/i;

/** The form's abbreviations of terms, in lower case letters and digits: `Spg`, `SS2`, `FSm` (Law's fall semester). */
const END_QUARTERS: readonly (readonly [abbreviation: RegExp, quarter: Quarter])[] = [
  [/^w/, "Winter"],
  [/^sp/, "Spring"],
  [/^(?:ss|su|summer|summersession)1$/, "Summer1"],
  [/^(?:ss|su|summer)?10w/, "Summer10wk"],
  // A summer without a number ends with its last session.
  [/^(?:ss|su|sum|summer|summersession)2?$/, "Summer2"],
  // A year alone is the whole year.
  [/^(?:f|$)/, "Fall"],
];

/**
 * Parses the form. @throws UpstreamBadResponse when the form is truncated, or has no term or no department, so that it
 * may have changed
 */
export function parseListing(html: string): Listing {
  // A truncated form would lose departments and their sections.
  if (!/<\/html\s*>/i.test(html)) throw new UpstreamBadResponse(SCHEDULE_SYSTEM, "the search form is cut off");
  const $ = parsePage(SCHEDULE_SYSTEM, html);
  const options = (name: string) =>
    readOptions($, $(`select[name="${name}"]`)).map(({ value, label, isPlaceholder }) => ({
      value: toPlainText(value).trim(),
      label: toPlainText(label).replace(/\s+/g, " ").trim(),
      isPlaceholder,
    }));

  const unknown = createUnknownFields();
  const chosen = (name: string) => options(name).filter(({ isPlaceholder }) => !isPlaceholder);
  const terms = chosen(TERM_LIST).flatMap(({ value, label }) => {
    const term = toTerm(value, label);
    if (!term && isMissed(value, label)) unknown.add({ kind: "option", place: TERM_LIST, name: `${value} (${label})` });
    return term ?? [];
  });
  const categories = options(GE_LIST);
  const retired = categories.findIndex(({ label }) => RETIRED_CATEGORIES.test(label));
  for (const { value, label, isPlaceholder } of categories.slice(0, retired < 0 ? undefined : retired))
    if (!isPlaceholder && value !== "ANY" && !GE_CATEGORIES.some((category) => category === value))
      unknown.add({ kind: "option", place: GE_LIST, name: `${value} (${label})` });
  const departments = new Map<string, ListedDepartment>();
  for (const { value, label } of chosen(DEPARTMENT_LIST)) {
    if (value.toUpperCase() === "ALL") continue;
    const listed = departments.get(value);
    const department = toDepartment(value, label);
    if (!listed || endsLater(department, listed)) departments.set(value, department);
  }
  if (terms.length === 0) throw new UpstreamBadResponse(SCHEDULE_SYSTEM, "the search form offers no term");
  if (departments.size === 0) throw new UpstreamBadResponse(SCHEDULE_SYSTEM, "the search form offers no department");
  return {
    terms,
    departments: [...departments.values()],
    unknown: unknown.list(),
    hasCategories: categories.length > 0,
  };
}

/** `2024-92`, `2024  Fall Quarter`. */
function toTerm(value: string, label: string): ListedTerm | undefined {
  const [year, code] = value.split("-");
  const quarter = QUARTERS.find((q) => QUARTER_CODES[q] === code);
  if (!year || !/^\d{4}$/.test(year) || !quarter || FOREIGN_TERM.test(label)) return undefined;
  return { year, quarter, longName: label };
}

/** True when an option that is not a known term may be a term to crawl. */
function isMissed(value: string, label: string): boolean {
  const year = /\b\d{4}\b/.exec(`${value} ${label}`)?.[0];
  return !FOREIGN_TERM.test(label) && (year === undefined || year >= FIRST_TERM.year);
}

function toDepartment(code: string, label: string): ListedDepartment {
  const behindCode = label.startsWith(code) ? label.slice(code.length) : label;
  const deptName = behindCode.replace(MARK, "").replace(DOT_LEADER, "").trim();
  const until = toEnd((label.match(MARK) ?? []).join(" "));
  return { deptCode: code, deptName, ...(until ? { until } : {}) };
}

/** Returns undefined without a readable end. */
function toEnd(marks: string): Term | undefined {
  const said = END.exec(marks)?.[1] ?? "";
  const year = /\d{4}/.exec(said)?.[0];
  if (year === undefined) return undefined;
  const abbreviation = said.replace(year, "").toLowerCase().replace(/\W/g, "");
  const quarter = END_QUARTERS.find(([form]) => form.test(abbreviation))?.[1];
  return quarter && { year, quarter };
}

/** A reused code is listed twice: the department that ended later, or has not ended, wins. */
const endsLater = ({ until }: ListedDepartment, than: ListedDepartment): boolean =>
  than.until !== undefined && (until === undefined || compareTerms(until, than.until) > 0);
