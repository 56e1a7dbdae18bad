/** Adds the day's snapshot of every section of a term to its history. */
import {
  DESCRIBED_COLUMNS,
  enrollmentHistory,
  enrollmentPeriods,
  SNAPSHOT_VALUES,
} from "../../contract/rows/enrollment-history.ts";
import { sections } from "../../contract/rows/section.ts";
import { type Term, termName } from "../../contract/vocabulary.ts";
import { GuardError } from "../../errors.ts";
import { DESCRIBED_AS, SNAPSHOT_AS } from "../../normalize/enrollment/enrollment-history.ts";
import { writePartition } from "../../publish/partition.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import type { RunContext } from "../context.ts";
import { tableRows } from "../../contract/sql-text.ts";

const monthOf = (day: string): string => day.slice(0, 7);

/** The rows of `sections` in the columns of the history: the description, and today's values. */
export const describedSections = (from: string): string => `
  SELECT year, quarter, sectionCode, ${DESCRIBED_COLUMNS.map((name) => `${DESCRIBED_AS[name]} AS ${name}`).join(", ")},
    {${SNAPSHOT_VALUES.map((name) => `'${name}': ${SNAPSHOT_AS[name]}`).join(", ")}} AS said
  FROM ${from}`;

/** The description of every section, now or when it was last listed. */
const DESCRIBED = (known: string, now: string) => `
  SELECT ${["year", "quarter", "sectionCode", ...DESCRIBED_COLUMNS].map((name) => `coalesce(now.${name}, known.${name}) AS ${name}`).join(", ")},
    now.sectionCode IS NULL AND known.imported AS imported
  FROM ${known} known FULL OUTER JOIN (${describedSections(now)}) now ON known.sectionCode = now.sectionCode`;

/**
 * The month's periods with today's snapshots. `$1` is the day, `$2` the month. Today is first removed from the last period of a listed section, so that a
 * second run replaces the first of that day; then it extends yesterday's period or starts a new one.
 */
const PERIODS = (before: string, now: string) => `
  WITH now AS MATERIALIZED (${describedSections(now)}),
  earlier AS MATERIALIZED (
    SELECT p.* REPLACE (if(p.last = $1::DATE AND now.sectionCode IS NOT NULL, p.last - 1, p.last) AS last),
      coalesce(p.last >= $1::DATE - 1 AND NOT p.imported AND ${SNAPSHOT_VALUES.map((name) => `p.${name} = said.${name}`).join(" AND ")}, false) AS goesOn
    FROM ${before} p LEFT JOIN now ON p.sectionCode = now.sectionCode
    WHERE NOT (p.first = $1::DATE AND now.sectionCode IS NOT NULL))
  SELECT * EXCLUDE (goesOn) REPLACE (if(goesOn, $1::DATE, last) AS last) FROM earlier
  UNION ALL BY NAME
  SELECT year, quarter, $2 AS month, sectionCode, $1::DATE AS first, $1::DATE AS last, ${SNAPSHOT_VALUES.map((name) => `said.${name}`).join(", ")}, false AS imported
  FROM now ANTI JOIN (SELECT sectionCode FROM earlier WHERE goesOn) same ON now.sectionCode = same.sectionCode`;

/**
 * Records the campus day of the run for a term that this run staged. A section that is gone keeps its row and its last snapshot. Nothing is recorded, and
 * that is noted, when the history has a later day: then the clock is wrong.
 * **Output:** enrollment_history of the term, enrollment_periods of the term and month.
 * @throws GuardError when a section would be lost
 */
export async function recordTerm(context: RunContext, { year, quarter }: Term, tally: Tally): Promise<void> {
  const { database, staging, today } = context;
  const { connection } = database;
  const term = { year, quarter };
  const month = { ...term, month: monthOf(today) };
  const known = staging.find("enrollment_history", term);
  const seen = staging.find("sections", term)?.rows ?? 0;
  if (seen === 0) return;
  const later = await findLaterDay(context, term);
  if (later !== undefined) {
    tally.note(`the history knows a later day than ${today}: nothing recorded`, `${termName(term)}: ${later}`);
    return;
  }
  const now = tableRows(sections, staging.paths("sections", term));
  const described = await writePartition(connection, staging, {
    table: enrollmentHistory,
    partition: term,
    select: DESCRIBED(tableRows(enrollmentHistory, staging.paths("enrollment_history", term)), now),
  });
  if (described.rows < (known?.rows ?? 0))
    throw new GuardError(
      `${termName(term)}: the history of ${known?.rows} sections would become one of ${described.rows}`,
    );
  const periods = await writePartition(connection, staging, {
    table: enrollmentPeriods,
    partition: month,
    select: PERIODS(tableRows(enrollmentPeriods, staging.paths("enrollment_periods", month)), now),
    values: [today, month.month],
  });
  tally.read(seen);
  tally.keep(described.rows);
  staging.put(described);
  staging.put(periods);
}

/** A day after today in the term's history. */
async function findLaterDay({ database, staging, today }: RunContext, term: Term): Promise<string | undefined> {
  const late = staging
    .files()
    .filter(({ table, partition }) => table === "enrollment_periods" && (partition.month ?? "") >= monthOf(today))
    .filter(({ partition }) => partition.year === term.year && partition.quarter === term.quarter);
  const paths = late.flatMap(({ partition }) => staging.paths("enrollment_periods", partition));
  const found = await database.connection.runAndReadAll(
    `SELECT max(last)::VARCHAR FROM ${tableRows(enrollmentPeriods, paths)} WHERE last > $1::DATE`,
    [today],
  );
  return (found.getRowsJS()[0]?.[0] as string | null | undefined) ?? undefined;
}
