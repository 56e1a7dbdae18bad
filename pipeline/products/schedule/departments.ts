/**
 * The departments of the form that are requested in a term. The form marks some as ended, and a stated end can be
 * wrong.
 */
import type { Tally } from "../../contract/documents/tally.ts";
import { landedSections } from "../../contract/rows/section.ts";
import { compareTerms, type Term, termName } from "../../contract/vocabulary.ts";
import type { CrawledTerm } from "../../crawl/crawl-term.ts";
import { landedRows } from "../../landing/landing-file.ts";
import type { ListedDepartment, Listing } from "../../parse/schedule/listing-html.ts";
import { type RunContext, WEEK_MS } from "../context.ts";
import { soundVersion } from "../guard/references.ts";
import { countDepartments } from "./accept-term.ts";
import { isOver } from "./term-scope.ts";

export interface AskedDepartments {
  readonly departments: readonly ListedDepartment[];
  /** True when all ended departments are among them. */
  readonly withEnded: boolean;
}

/** Departments that had not ended before the term, those published with it, and all others when they are due. */
export async function departmentsOf(
  context: RunContext,
  term: Term,
  { departments }: Listing,
): Promise<AskedDepartments> {
  if (areEndedDue(context, term)) return { departments, withEnded: true };
  const isEnded = endedBefore(term);
  if (!departments.some(isEnded)) return { departments, withEnded: false };
  const part = { table: "sections", partition: { year: term.year, quarter: term.quarter } } as const;
  const sound = await soundVersion(context, part);
  // If every version is damaged, it is unknown which of them are taught.
  if (!sound && context.staging.find(part.table, part.partition)) return { departments, withEnded: true };
  const published = sound ? await countDepartments(context, sound.from) : new Map<string, number>();
  return {
    departments: departments.filter((department) => !isEnded(department) || published.has(department.deptCode)),
    withEnded: false,
  };
}

/** True in a term that is not over: in every build, and once a week. */
function areEndedDue({ calendar, freshness, mode, now, today }: RunContext, term: Term): boolean {
  if (isOver(term, calendar, today)) return false;
  const last = freshness.endedDepartments?.[termName(term)];
  return mode === "build" || last === undefined || now().getTime() - Date.parse(last) >= WEEK_MS;
}

export const endedBefore =
  (term: Term) =>
  ({ until }: ListedDepartment): boolean =>
    until !== undefined && compareTerms(term, until) > 0;

/** Notes departments with sections after their stated end. */
export async function noteTaughtAfterEnd(
  context: RunContext,
  { departmentPaths, term }: Pick<CrawledTerm, "departmentPaths" | "term">,
  departments: readonly ListedDepartment[],
  tally: Tally,
): Promise<void> {
  const ended = departments.filter(endedBefore(term));
  if (ended.length === 0) return;
  const taught = await countDepartments(context, landedRows(landedSections, departmentPaths));
  for (const { deptCode, until } of ended) {
    if (until && taught.has(deptCode))
      tally.note(
        "a department is taught after its stated end",
        `${deptCode} (until ${termName(until)}): ${termName(term)}`,
      );
  }
}
