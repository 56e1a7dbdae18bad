/** One day of a term: the snapshot of every section that the schedule shows, put behind what is known of the days before. */
import { DESCRIBED_COLUMNS, enrollmentHistory, period, SNAPSHOT_VALUES } from "../contract/enrollment-history.ts";
import { sections } from "../contract/section.ts";
import { duckdbType } from "../contract/table.ts";
import { type Term, termName } from "../contract/vocabulary.ts";
import { GuardError } from "../errors.ts";
import { DESCRIBED_AS, SNAPSHOT_AS } from "../normalize/enrollment-history.ts";
import { writePartition } from "../publish/partition.ts";
import type { Tally } from "../report.ts";
import type { RunContext } from "./context.ts";
import { relation } from "./relation.ts";

const PERIOD = duckdbType(period);

/** A period in SQL: from and to are expressions, the values are those of `from`, a period or a snapshot. */
const periodOf = (first: string, last: string, said: string, imported: string) =>
  `{'first': ${first}, 'last': ${last}, ${SNAPSHOT_VALUES.map((name) => `'${name}': ${said}.${name}`).join(", ")}, 'imported': ${imported}}::${PERIOD}`;

const sameValues = (a: string, b: string) => SNAPSHOT_VALUES.map((name) => `${a}.${name} = ${b}.${name}`).join(" AND ");

/** The rows of `sections` in the history's words: what they are, and what they say today. */
export const describedSections = (from: string): string => `
  SELECT year, quarter, sectionCode, ${DESCRIBED_COLUMNS.map((name) => `${DESCRIBED_AS[name]} AS ${name}`).join(", ")},
    {${SNAPSHOT_VALUES.map((name) => `'${name}': ${SNAPSHOT_AS[name]}`).join(", ")}} AS said
  FROM ${from}`;

/**
 * `$1` is the day. The day's period is split off from a longer one first, so that a second run of one day takes the place of the first; then today
 * either makes yesterday's period longer or begins one of its own.
 */
const RECORDED = (before: string, now: string) => `
  WITH now AS (${describedSections(now)}),
  known AS (
    SELECT * EXCLUDE (periods),
      CASE WHEN periods[-1].last < $1::DATE THEN periods
        WHEN periods[-1].first = $1::DATE THEN periods[:-2]
        ELSE periods[:-2] || [${periodOf("periods[-1].first", "$1::DATE - 1", "periods[-1]", "periods[-1].imported")}]
      END AS earlier, periods
    FROM ${before})
  SELECT ${["year", "quarter", "sectionCode", ...DESCRIBED_COLUMNS].map((name) => `coalesce(now.${name}, known.${name}) AS ${name}`).join(", ")},
    CASE
      WHEN now.sectionCode IS NULL THEN known.periods
      WHEN earlier[-1].last = $1::DATE - 1 AND NOT earlier[-1].imported AND ${sameValues("earlier[-1]", "said")}
        THEN earlier[:-2] || [${periodOf("earlier[-1].first", "$1::DATE", "said", "false")}]
      ELSE coalesce(earlier, []) || [${periodOf("$1::DATE", "$1::DATE", "said", "false")}]
    END AS periods
  FROM known FULL OUTER JOIN now ON known.sectionCode = now.sectionCode`;

/**
 * Records the campus day of the run for a term whose sections this run has staged. A section that is gone keeps its row; on a day on which it was seen
 * before it went, what was seen last stays. Nothing is recorded, and that is noted, when the history already knows a later day: then the clock is wrong.
 * **Output:** enrollment_history of the term.
 * @throws GuardError when a section would be lost
 */
export async function recordTerm(context: RunContext, term: Term, tally: Tally): Promise<void> {
  const { database, staging, today } = context;
  const partition = { year: term.year, quarter: term.quarter };
  const known = staging.find("enrollment_history", partition);
  const seen = staging.find("sections", partition)?.rows ?? 0;
  if (!known && seen === 0) return;
  const before = relation(enrollmentHistory, staging.paths("enrollment_history", partition));
  const latest = await database.connection.runAndReadAll(
    `SELECT max(periods[-1].last)::VARCHAR, coalesce(max(periods[-1].last) > $1::DATE, false) FROM ${before}`,
    [today],
  );
  const [day, isLater] = latest.getRowsJS()[0] ?? [];
  if (isLater === true) {
    tally.note(`the history knows a later day than ${today}: nothing recorded`, `${termName(term)}: ${String(day)}`);
    return;
  }
  const file = await writePartition(database.connection, staging, {
    table: enrollmentHistory,
    partition,
    select: RECORDED(before, relation(sections, staging.paths("sections", partition))),
    values: [today],
  });
  if (file.rows < (known?.rows ?? 0))
    throw new GuardError(`${termName(term)}: the history of ${known?.rows} sections would become one of ${file.rows}`);
  tally.read(seen);
  tally.keep(file.rows);
  staging.put(file);
}
