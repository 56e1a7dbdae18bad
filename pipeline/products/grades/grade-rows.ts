/** Published grade rows that new deliveries must still have. */
import { grades } from "../../contract/rows/grade.ts";
import { tableRows } from "../../contract/sql-text.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { GuardError } from "../../errors.ts";
import type { RunContext } from "../context.ts";

/** A year may lose this share of its rows. */
const MOST_LOST = 0.01;

/** Rows named in an error. */
const NAMED = 5;

/** `$1`: a row published without its term does not count once the term is published, as it may have no section. */
const TO_KEEP = "(NOT sheetOnly OR quarter NOT IN (SELECT unnest(CAST($1::JSON AS VARCHAR[]))))";

const publishedQuarters = ({ staging }: RunContext, year: string): string =>
  JSON.stringify(
    staging
      .files()
      .filter(({ table, partition, rows }) => table === "sections" && partition.year === year && rows > 0)
      .map(({ partition }) => partition.quarter),
  );

/** The number of published rows that new ones are compared with. */
export async function rowsToKeep(context: RunContext, year: string): Promise<number> {
  const { database, staging } = context;
  const paths = staging.paths("grades", { year });
  if (paths.length === 0) return staging.find("grades", { year })?.rows ?? 0;
  const counted = await database.connection.runAndReadAll(
    `SELECT count(*)::INTEGER FROM ${tableRows(grades, paths)} WHERE ${TO_KEEP}`,
    [publishedQuarters(context, year)],
  );
  return counted.getRowsJS()[0]?.[0] as number;
}

/**
 * Notes each published row that the staged ones, a relation, lack.
 * @throws GuardError when more than one in a hundred of the year is lost, unless shrinking is allowed
 */
export async function guardGradeRows(context: RunContext, year: string, staged: string, tally: Tally): Promise<void> {
  const { config, database, staging } = context;
  const published = tableRows(grades, staging.paths("grades", { year }));
  const reader = await database.connection.runAndReadAll(
    `SELECT concat_ws(' ', year, quarter, sectionCode, department, courseNumber)
     FROM (SELECT * FROM ${published} WHERE ${TO_KEEP}) p ANTI JOIN ${staged} s ON p.quarter = s.quarter AND p.sectionCode = s.sectionCode
     ORDER BY ALL`,
    [publishedQuarters(context, year)],
  );
  const lost = (reader.getColumnsJS()[0] ?? []) as string[];
  const rows = await rowsToKeep(context, year);
  if (lost.length > rows * MOST_LOST && !config.allowShrink)
    throw new GuardError(
      `the grades of ${year} would lose ${lost.length} of ${rows} rows (${lost.slice(0, NAMED).join(", ")}${lost.length > NAMED ? ", …" : ""}): refused, what is published stays (ALLOW_SHRINK=1 overrides)`,
    );
  for (const name of lost) tally.note("a published grade row that the exports no longer have", name);
}
