/** Decides whether the course history has to be computed again, which reads every published section. */
import { join } from "node:path";
import { campusToday } from "../contract/campus-time.ts";
import { sections } from "../contract/rows/section.ts";
import type { TableName } from "../contract/tables.ts";
import { QUARTERS } from "../contract/vocabulary.ts";
import { hasBegun } from "../normalize/course-history.ts";
import type { Database } from "../publish/database.ts";
import { DAY_MS, type RunContext } from "./context.ts";
import { tableRows } from "../contract/sql-text.ts";

/** The columns that the history takes from sections. */
export const SECTION_FACTS = "year, quarter, deptCode, courseNumber, instructors, cancelled";

/** The inputs besides the sections, and the outputs. */
const INPUTS_AND_OUTPUTS: readonly TableName[] = ["grades", "departments", "calendar", "courses", "instructors"];

/**
 * True when the run changed no input of the history, and the same terms have begun. Seats change every hour, instructors rarely.
 */
export async function isHistoryCurrent(context: RunContext): Promise<boolean> {
  const { catalogue, database, directory, freshness, mode, now: clock, staging } = context;
  const { base } = staging;
  if (mode === "build" || catalogue !== undefined || directory !== undefined || !base) return false;
  // A run whose history step failed published its sections.
  const computed = freshness.products["history"] ?? "";
  if (computed < base.manifest.createdAt || computed > clock().toISOString()) return false;
  const filesOf = (table: TableName) => ({
    now: staging.files().filter((file) => file.table === table),
    before: base.manifest.files.filter((file) => file.table === table),
  });
  for (const table of INPUTS_AND_OUTPUTS) {
    const { now, before } = filesOf(table);
    if (now.length !== before.length || !now.every((file) => before.includes(file))) return false;
  }
  if (!isSameBegun(context, base.manifest.createdAt)) return false;
  const { now, before } = filesOf("sections");
  const written = now.filter((file) => !before.includes(file));
  const replaced = before.filter((file) => !now.includes(file));
  // A damaged file cannot be compared.
  if (replaced.some((file) => !staging.isSound(file))) return false;
  return haveSameFacts(
    database,
    written.flatMap(({ partition }) => staging.paths("sections", partition)),
    replaced.map(({ path }) => join(base.folder, path)),
  );
}

/** Whether the same terms have begun as when the history was computed, which is at most a day before `publishedAt`. */
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
