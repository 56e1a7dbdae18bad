/**
 * The two lists of the search form.
 * **Output:** departments, terms
 */
import { departments, terms } from "../contract/rows/listing.ts";
import { TABLES } from "../contract/tables.ts";
import { compareTerms, QUARTER_LONG_NAMES, type Term } from "../contract/vocabulary.ts";
import { writePartition } from "../publish/partition.ts";
import { loadRows } from "../publish/rows.ts";
import type { Tally } from "../contract/documents/tally.ts";
import type { RunContext } from "./context.ts";
import type { UnknownField } from "../contract/source-fields.ts";
import { FORM_FIELDS } from "../parse/schedule/listing-html.ts";
import { remember } from "./guard/causes.ts";
import { reasonsFor, type StagedRows } from "./guard/field-guard.ts";
import { refusalOf } from "./guard/refusals.ts";
import { isOver } from "./schedule/term-scope.ts";

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
  const { database, staging } = context;
  const offered = listing.terms.map(({ year, quarter }) => ({
    year,
    quarter,
    longName: `${year} ${QUARTER_LONG_NAMES[quarter]}`,
  }));
  const listed = listing.departments.map(({ deptCode, deptName }) => ({ deptCode, deptName }));
  await loadRows(database.connection, departments, listed);
  await loadRows(database.connection, terms, offered);
  for (const name of ["departments", "terms"] as const) {
    const request = { table: TABLES[name], partition: {}, select: `SELECT * FROM rows_${name}` };
    const file = await writePartition(database.connection, staging, request);
    const part = { table: name, partition: {} } as const;
    const staged: StagedRows = {
      what: `the form's list of ${name}`,
      table: TABLES[name],
      published: part,
      from: `rows_${name}`,
      sha256: file.sha256,
      rows: { isGrowthGuarded: name === "departments" },
      hasLastingKeys: name === "departments",
      known: FORM_FIELDS,
      unknown: listing.unknown,
    };
    const refusal = refusalOf(context, await reasonsFor(context, staged, tally), tally);
    if (refusal) {
      tally.damage(refusal.message);
      continue;
    }
    staging.put(file);
    remember(context, part, listing.unknown);
  }
}

/** Published terms that are not over and no longer offered by the form. */
export function withdrawnTerms(context: RunContext, offered: readonly Term[]): Term[] {
  const { calendar, staging, today } = context;
  return staging
    .files()
    .flatMap(({ table, partition: { year, quarter } }) =>
      table === "sections" && year !== undefined && quarter !== undefined ? [{ year, quarter }] : [],
    )
    .filter((term) => !isOver(term, calendar, today) && !offered.some((one) => compareTerms(one, term) === 0))
    .sort(compareTerms);
}
