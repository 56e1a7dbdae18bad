/** Published grade rows that new deliveries must still have. */
import { grades } from "../../contract/rows/grade.ts";
import { tableRows } from "../../contract/sql-text.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import type { RunContext } from "../context.ts";
import { type PublishedPart, soundVersion } from "../guard/references.ts";
import type { Reason } from "../guard/refusals.ts";

/** A year may lose this share of its rows. */
const MOST_LOST = 0.01;

/** The most rows that an error names. */
const NAMED = 5;

/** `$1`: a row published without its term does not count once the term is published, as it may have no section. */
const TO_KEEP = "(NOT sheetOnly OR quarter NOT IN (SELECT unnest(CAST($1::JSON AS VARCHAR[]))))";

const publishedQuarters = ({ staging }: RunContext, { partition }: PublishedPart): string =>
  JSON.stringify(
    staging
      .files()
      .filter(({ table, partition: { year }, rows }) => table === "sections" && year === partition.year && rows > 0)
      .map(({ partition: { quarter } }) => quarter),
  );

/** The number of published rows that the new ones are compared with. */
export async function rowsToKeep(context: RunContext, part: PublishedPart): Promise<number> {
  const { database, staging } = context;
  const sound = await soundVersion(context, part);
  if (!sound) return staging.find(part.table, part.partition)?.rows ?? 0;
  const counted = await database.connection.runAndReadAll(
    `SELECT count(*)::INTEGER FROM ${sound.from} WHERE ${TO_KEEP}`,
    [publishedQuarters(context, part)],
  );
  return counted.getRowsJS()[0]?.[0] as number;
}

/**
 * Notes each published row that is missing from the staged rows, a relation; more than one in a hundred of the year is
 * a reason to refuse.
 */
export async function lostGradeRows(
  context: RunContext,
  part: PublishedPart,
  staged: string,
  tally: Tally,
): Promise<Reason[]> {
  const { database } = context;
  const published = (await soundVersion(context, part))?.from ?? tableRows(grades, []);
  const reader = await database.connection.runAndReadAll(
    `SELECT concat_ws(' ', year, quarter, sectionCode, department, courseNumber)
     FROM (SELECT * FROM ${published} WHERE ${TO_KEEP}) p ANTI JOIN ${staged} s ON p.quarter = s.quarter AND p.sectionCode = s.sectionCode
     ORDER BY ALL`,
    [publishedQuarters(context, part)],
  );
  const lost = (reader.getColumnsJS()[0] ?? []) as string[];
  const rows = await rowsToKeep(context, part);
  for (const name of lost) tally.note("a published grade row that the exports no longer have", name);
  if (lost.length <= rows * MOST_LOST) return [];
  const names = `${lost.slice(0, NAMED).join(", ")}${lost.length > NAMED ? ", …" : ""}`;
  const text = `the grades of ${part.partition.year} would lose ${lost.length} of ${rows} rows (${names})`;
  return [{ part, column: "sectionCode", text }];
}
