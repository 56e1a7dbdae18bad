/**
 * The two lists of the search form.
 * **Output:** departments, terms
 */
import { departments, terms } from "../contract/rows/listing.ts";
import { compareTerms, QUARTER_LONG_NAMES, type Term, termOrdinal } from "../contract/vocabulary.ts";
import type { Tally } from "../contract/documents/tally.ts";
import type { RunContext } from "./context.ts";
import type { UnknownField } from "../contract/source-fields.ts";
import { FORM_FIELDS } from "../parse/schedule/listing-html.ts";
import { writeRows } from "./rows.ts";
import { isOver } from "./schedule/term-scope.ts";
import { stage } from "./stage.ts";

/** A list that shrinks too much keeps its published file. */
export async function putListings(
  context: RunContext,
  listing: {
    departments: readonly { deptCode: string; deptName: string }[];
    terms: readonly Term[];
    unknown: readonly UnknownField[];
  },
  tally: Tally,
): Promise<void> {
  const offered = listing.terms.map(({ year, quarter }) => ({
    year,
    quarter,
    longName: `${year} ${QUARTER_LONG_NAMES[quarter]}`,
    ordinal: termOrdinal({ year, quarter }),
  }));
  const listed = listing.departments.map(({ deptCode, deptName }) => ({ deptCode, deptName }));
  const departmentsFile = await writeRows(context, departments, listed);
  const termsFile = await writeRows(context, terms, offered);
  const fields = { known: FORM_FIELDS, unknown: listing.unknown };
  const ofDepartments = {
    what: "the form's list of departments",
    rows: { isGrowthGuarded: true },
    hasLastingKeys: true,
  };
  await stage(context, departmentsFile, { ...fields, ...ofDepartments }, tally);
  await stage(context, termsFile, { ...fields, what: "the form's list of terms", rows: {} }, tally);
}

/** Published terms that are not over and that the form no longer offers. */
export function withdrawnTerms(context: RunContext, offered: readonly Term[]): Term[] {
  const { calendar, staging, today } = context;
  return staging
    .files()
    .flatMap(({ table, partition: { year, quarter } }) =>
      table === "sections" && year !== undefined && quarter !== undefined ? [{ year, quarter }] : [],
    )
    .filter((term) => !isOver(term, calendar, today) && !offered.some((other) => compareTerms(other, term) === 0))
    .sort(compareTerms);
}
