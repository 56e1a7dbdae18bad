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
import { leaveOutContradicted } from "./section-facts.ts";
import { tableRows } from "../../contract/sql-text.ts";

const monthOf = (day: string): string => day.slice(0, 7);

/** The rows of `sections` in the columns of the history: the description, and the day's values. */
export const describedSections = (from: string): string => `
  SELECT year, quarter, sectionCode, ${DESCRIBED_COLUMNS.map((name) => `${DESCRIBED_AS[name]} AS ${name}`).join(", ")},
    {${SNAPSHOT_VALUES.map((name) => `'${name}': ${SNAPSHOT_AS[name]}`).join(", ")}} AS said
  FROM ${from}`;

/** The description of every section, current or when it was last listed. */
const DESCRIBED = (recorded: string, now: string) => `
  SELECT ${["year", "quarter", "sectionCode", ...DESCRIBED_COLUMNS].map((name) => `coalesce(now.${name}, known.${name}) AS ${name}`).join(", ")},
    now.sectionCode IS NULL AND known.imported AS imported
  FROM ${recorded} known FULL OUTER JOIN (${describedSections(now)}) now ON known.sectionCode = now.sectionCode`;

/**
 * The month's periods including a day's snapshots. `$1` is the day, `$2` the month. The day is first removed from the
 * periods of every listed section, so that a second run replaces the first of that day; then it joins the adjacent
 * periods with equal snapshots. There may be later days, recorded while the clock was ahead.
 */
const PERIODS = (recorded: string, now: string) => `
  WITH now AS MATERIALIZED (${describedSections(now)}),
  cut AS MATERIALIZED (
    SELECT p.* REPLACE (least(p.last, $1::DATE - 1) AS last), now.said FROM ${recorded} p JOIN now ON p.sectionCode = now.sectionCode
    WHERE p.first < $1::DATE
    UNION ALL
    SELECT p.* REPLACE (greatest(p.first, $1::DATE + 1) AS first), now.said FROM ${recorded} p JOIN now ON p.sectionCode = now.sectionCode
    WHERE p.last > $1::DATE),
  others AS MATERIALIZED (
    SELECT *, NOT imported AND (last = $1::DATE - 1 OR first = $1::DATE + 1)
      AND ${SNAPSHOT_VALUES.map((name) => `${name} = said.${name}`).join(" AND ")} AS isJoined
    FROM cut),
  joined AS (SELECT sectionCode, min(first) AS first, max(last) AS last FROM others WHERE isJoined GROUP BY sectionCode)
  SELECT p.* FROM ${recorded} p ANTI JOIN now ON p.sectionCode = now.sectionCode
  UNION ALL BY NAME
  SELECT * EXCLUDE (said, isJoined) FROM others WHERE NOT isJoined
  UNION ALL BY NAME
  SELECT year, quarter, $2 AS month, now.sectionCode, least(joined.first, $1::DATE) AS first, greatest(joined.last, $1::DATE) AS last,
    ${SNAPSHOT_VALUES.map((name) => `said.${name}`).join(", ")}, false AS imported
  FROM now LEFT JOIN joined ON now.sectionCode = joined.sectionCode`;

/**
 * Records a campus day for a term that this run staged. A section that is gone keeps its row and its last snapshot. A
 * later day in the history is noted: it was recorded while the clock was ahead, and is replaced when it comes.
 * **Output:** enrollment_history of the term, enrollment_periods of the term and month; and `leaveOutContradicted`.
 * @throws GuardError when a section would be lost
 */
export async function recordTerm(
  context: RunContext,
  { year, quarter }: Term,
  day: string,
  tally: Tally,
): Promise<void> {
  const { database, staging } = context;
  const { connection } = database;
  const term = { year, quarter };
  const month = { ...term, month: monthOf(day) };
  const history = staging.find("enrollment_history", term);
  const seen = staging.find("sections", term)?.rows ?? 0;
  if (seen === 0) return;
  const later = await findLaterDay(context, term, day);
  if (later !== undefined)
    tally.note("the history has a later day than the recorded one", `${termName(term)}: ${later}`);
  await leaveOutContradicted(context, term, tally);
  const now = tableRows(sections, staging.paths("sections", term));
  const described = await writePartition(connection, staging, {
    table: enrollmentHistory,
    partition: term,
    select: DESCRIBED(tableRows(enrollmentHistory, staging.paths("enrollment_history", term)), now),
  });
  if (described.rows < (history?.rows ?? 0))
    throw new GuardError(
      `${termName(term)}: the history of ${history?.rows} sections would become one of ${described.rows}`,
    );
  await noteOtherCourses(context, term, tally);
  const periods = await writePartition(connection, staging, {
    table: enrollmentPeriods,
    partition: month,
    select: PERIODS(tableRows(enrollmentPeriods, staging.paths("enrollment_periods", month)), now),
    values: [day, month.month],
  });
  tally.read(seen);
  tally.keep(described.rows);
  staging.put(described);
  staging.put(periods);
}

/** Names each code that had another course when its days were recorded, which stay its own. */
async function noteOtherCourses({ database, staging }: RunContext, term: Term, tally: Tally): Promise<void> {
  const recorded = tableRows(enrollmentHistory, staging.paths("enrollment_history", term));
  const now = describedSections(tableRows(sections, staging.paths("sections", term)));
  const nameOf = (of: string) =>
    `concat_ws(' ', ${of}.department, ${of}.courseNumber, ${of}.sectionType, ${of}.sectionNum)`;
  const reader = await database.connection.runAndReadAll(
    `SELECT known.sectionCode, ${nameOf("known")}, ${nameOf("now")}
     FROM ${recorded} known JOIN (${now}) now ON known.sectionCode = now.sectionCode
     WHERE NOT known.imported AND (known.department <> now.department OR known.courseNumber <> now.courseNumber)
     ORDER BY ALL`,
  );
  for (const [code, before, after] of reader.getRowsJS() as string[][])
    tally.note(
      "recorded days of a code that had another course",
      `${termName(term)} ${code}: was ${before}, is ${after}`,
    );
}

/** The last day of the term's history, if it is after `day`. */
async function findLaterDay({ database, staging }: RunContext, term: Term, day: string): Promise<string | undefined> {
  const late = staging
    .files()
    .filter(({ table, partition }) => table === "enrollment_periods" && (partition.month ?? "") >= monthOf(day))
    .filter(({ partition }) => partition.year === term.year && partition.quarter === term.quarter);
  const paths = late.flatMap(({ partition }) => staging.paths("enrollment_periods", partition));
  const reader = await database.connection.runAndReadAll(
    `SELECT max(last)::VARCHAR FROM ${tableRows(enrollmentPeriods, paths)} WHERE last > $1::DATE`,
    [day],
  );
  return (reader.getRowsJS()[0]?.[0] as string | null | undefined) ?? undefined;
}
