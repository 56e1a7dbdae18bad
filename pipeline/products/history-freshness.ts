/** Whether the published history of courses and people is what would be told now: telling it reads every section that was ever published. */
import { join } from "node:path";
import { campusToday } from "../contract/campus-time.ts";
import { sections } from "../contract/section.ts";
import type { TableName } from "../contract/tables.ts";
import { QUARTERS } from "../contract/vocabulary.ts";
import { hasBegun } from "../normalize/course-history.ts";
import type { Database } from "../publish/database.ts";
import { DAY_MS, type RunContext } from "./context.ts";
import { tableRows } from "../contract/sql-text.ts";

/** What the history takes from sections. */
export const SECTION_FACTS = "year, quarter, deptCode, courseNumber, instructors, cancelled";

/** What the history is told from besides the sections, and what it is told in. */
const TOLD_WITH: readonly TableName[] = ["grades", "departments", "calendar", "courses", "instructors"];

/**
 * True when an hourly run changed nothing that the history is told from: seats are taken every hour, but who teaches what is not. Also the days must be
 * the same as to which terms have begun.
 */
export async function isHistoryTold(context: RunContext): Promise<boolean> {
  const { catalogue, database, directory, freshness, mode, staging } = context;
  const { base } = staging;
  if (mode === "build" || catalogue !== undefined || directory !== undefined || !base) return false;
  // A run whose history failed published its sections all the same.
  if ((freshness.products["history"] ?? "") < base.manifest.createdAt) return false;
  const filesOf = (table: TableName) => ({
    now: staging.files().filter((file) => file.table === table),
    before: base.manifest.files.filter((file) => file.table === table),
  });
  for (const table of TOLD_WITH) {
    const { now, before } = filesOf(table);
    if (now.length !== before.length || !now.every((file) => before.includes(file))) return false;
  }
  if (!isSameBegun(context, base.manifest.createdAt)) return false;
  const { now, before } = filesOf("sections");
  const written = now.filter((file) => !before.includes(file));
  const replaced = before.filter((file) => !now.includes(file));
  // What a damaged file said cannot be compared.
  if (replaced.some((file) => !staging.isSound(file))) return false;
  return haveSameFacts(
    database,
    written.flatMap(({ partition }) => staging.paths("sections", partition)),
    replaced.map(({ path }) => join(base.folder, path)),
  );
}

/** Whether the same terms have begun today as when the history was told. That was in a run that ended at `publishedAt` at the earliest, so at most a day sooner. */
function isSameBegun({ calendar, staging, today }: RunContext, publishedAt: string): boolean {
  const then = campusToday(new Date(Date.parse(publishedAt) - DAY_MS));
  const years = new Set(staging.files().flatMap(({ partition: { year } }) => (year === undefined ? [] : [year])));
  return [...years].every((year) =>
    QUARTERS.every(
      (quarter) => hasBegun({ year, quarter }, calendar, today) === hasBegun({ year, quarter }, calendar, then),
    ),
  );
}

async function haveSameFacts(
  { connection }: Database,
  now: readonly string[],
  before: readonly string[],
): Promise<boolean> {
  const facts = (paths: readonly string[]) => `SELECT DISTINCT ${SECTION_FACTS} FROM ${tableRows(sections, paths)}`;
  const differing = await connection.runAndReadAll(
    `WITH now AS (${facts(now)}), before AS (${facts(before)})
     SELECT count(*)::INTEGER FROM ((FROM now EXCEPT FROM before) UNION ALL (FROM before EXCEPT FROM now))`,
  );
  return differing.getRowsJS()[0]?.[0] === 0;
}
