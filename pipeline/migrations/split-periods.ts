/**
 * Version 1 had a section's periods in a list column, in one file a term. Version 2 has them in a table of their own, in one file a month, and marks
 * sections that only imported files mention.
 */
import { join } from "node:path";
import { readParquet } from "../contract/sql-text.ts";
import { GuardError } from "../errors.ts";
import { writeSorted } from "../publish/partition.ts";
import { columnsOf, type LocatedFile, type MigrationContext, readValue, rowsOf } from "./located-file.ts";

const VALUES = "maxCapacity, totalEnrolled, waitlist, waitlistCap, requested, newOnlyReserved, status";

/** @throws GuardError when the written files do not have the same content */
export async function splitPeriods(located: LocatedFile, context: MigrationContext): Promise<LocatedFile[]> {
  if (!(await columnsOf(context, located)).includes("periods")) return [located];
  const { partition } = located.file;
  const sections = await write(context, {
    table: "enrollment_history",
    partition,
    select: `SELECT * EXCLUDE (periods), coalesce(list_bool_and(list_transform(periods, lambda p: p.imported)), false) AS imported
        FROM ${rowsOf(located)}`,
    orderBy: "department, courseNumeric, courseNumber, sectionCode",
    rowsPerGroup: 2048,
  });
  const months: LocatedFile[] = [];
  for (const month of await monthsIn(located, context)) {
    months.push(
      await write(context, {
        table: "enrollment_periods",
        partition: { ...partition, month },
        select: `SELECT year, quarter, '${month}' AS month, sectionCode,
            greatest(p.first, DATE '${month}-01') AS first, least(p.last, last_day(DATE '${month}-01')) AS last,
            ${VALUES.split(", ").map((name) => `p.${name}`)}, p.imported
            FROM (SELECT year, quarter, sectionCode, unnest(periods) AS p FROM ${rowsOf(located)})
            WHERE p.first <= last_day(DATE '${month}-01') AND p.last >= DATE '${month}-01'`,
        orderBy: "sectionCode, first",
        rowsPerGroup: 65_536,
      }),
    );
  }
  await expectSameHistory(located, sections, months, context);
  return [sections, ...months];
}

type Written = Omit<Parameters<typeof writeSorted>[2], "count">;

async function write(context: MigrationContext, sorted: Written): Promise<LocatedFile> {
  const count = async (file: string) => Number(await readValue(context, `SELECT count(*) FROM ${readParquet([file])}`));
  const file = await writeSorted(context.connection, context, { ...sorted, count });
  return { file, at: join(context.filesFolder, file.path) };
}

async function monthsIn(located: LocatedFile, { connection }: MigrationContext): Promise<string[]> {
  const read = await connection.runAndReadAll(
    `SELECT DISTINCT strftime(unnest(generate_series(date_trunc('month', p.first), p.last, INTERVAL 1 MONTH)), '%Y-%m') AS month
     FROM (SELECT unnest(periods) AS p FROM ${rowsOf(located)}) ORDER BY month`,
  );
  return read.getRowsJson().map(([month]) => String(month));
}

/** Compares counts and hash sums of all sections and snapshots, which do not depend on the layout. */
async function expectSameHistory(
  old: LocatedFile,
  sections: LocatedFile,
  months: readonly LocatedFile[],
  context: MigrationContext,
): Promise<void> {
  const sum = (columns: string, from: string) =>
    readValue(
      context,
      `SELECT count(*) || ' ' || coalesce(sum(hash(${columns})::HUGEINT), 0) || ' ' || coalesce(bit_xor(hash(${columns})), 0) FROM ${from}`,
    );
  const snapshots = (periods: string) =>
    sum(
      "sectionCode, day, said",
      `(SELECT sectionCode, unnest(generate_series(first, last, INTERVAL 1 DAY))::DATE AS day, row(${VALUES}, imported) AS said FROM ${periods})`,
    );
  const before = `(SELECT sectionCode, unnest(p) FROM (SELECT sectionCode, unnest(periods) AS p FROM ${rowsOf(old)}))`;
  const after = readParquet(months.map(({ at }) => at));
  const isSame =
    (months.length === 0 || (await snapshots(before)) === (await snapshots(after))) &&
    (await sum("s", `(SELECT row(COLUMNS(* EXCLUDE (periods))) AS s FROM ${rowsOf(old)})`)) ===
      (await sum("s", `(SELECT row(COLUMNS(* EXCLUDE (imported))) AS s FROM ${rowsOf(sections)})`));
  const { year, quarter } = old.file.partition;
  if (!isSame) throw new GuardError(`the migrated enrollment history of ${year} ${quarter} is not the same`);
}
