/**
 * Merges older history from operators' files with recorded snapshots. A recorded snapshot takes precedence on the same
 * day.
 */
import {
  DESCRIBED_COLUMNS,
  enrollmentHistory,
  type EnrollmentImport,
  enrollmentImports,
  enrollmentPeriods,
  importedSectionFields,
} from "../../contract/rows/enrollment-history.ts";
import { sections } from "../../contract/rows/section.ts";
import { duckdbColumns, duckdbType } from "../../contract/table.ts";
import type { Term } from "../../contract/vocabulary.ts";
import { GuardError, UpstreamBadResponse } from "../../errors.ts";
import {
  BadSnapshot,
  toDate,
  toDescription,
  toSection,
  toValues,
} from "../../normalize/enrollment/imported-snapshot.ts";
import { parseEnrollmentFile } from "../../parse/enrollment-file.ts";
import { writePartition } from "../../publish/partition.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { type EnrollmentFile, readEnrollmentFolder } from "../../sources/enrollment-files.ts";
import { isDamaged, type RunContext } from "../context.ts";
import { describedSections } from "./enrollment-recording.ts";
import { type KnownSections, openKnownSections, OTHER_SECTION } from "./section-facts.ts";
import {
  createLoader,
  IMPORTED,
  IMPORTED_DESCRIPTIONS,
  IMPORTED_VALUES,
  type Loader,
  TEXT_VALUES,
  VALUES_TEXT,
} from "./imported-rows.ts";
import { readRows, writeRows } from "../rows.ts";
import { tableRows } from "../../contract/sql-text.ts";

/** Returns all files when any of them is new or changed, otherwise none. */
export async function findImports(context: RunContext, tally: Tally): Promise<EnrollmentFile[]> {
  const files = [...context.enrollmentFiles, ...(await readEnrollmentFolder(context.config.dataDir, tally))];
  const imported = new Map((await readImports(context)).map((file) => [file.file, file]));
  for (const { name, sha256 } of files) {
    const previous = imported.get(name);
    if (previous?.sha256 === sha256 && previous.refused > 0)
      tally.note("rows that were refused when the file was imported", `${name}: ${previous.refused}`);
  }
  return files.every(({ name, sha256 }) => imported.get(name)?.sha256 === sha256) ? [] : files;
}

const readImports = ({ database, staging }: RunContext): Promise<EnrollmentImport[]> =>
  readRows(database, enrollmentImports, staging.paths("enrollment_imports"));

/**
 * Imports the files in order: the later file takes precedence for the same section and day. An imported day stays when
 * its file is removed. **Output:** enrollment_history and enrollment_periods of every term in the files,
 * enrollment_imports.
 */
export async function importHistory(
  context: RunContext,
  files: readonly EnrollmentFile[],
  tally: Tally,
): Promise<void> {
  const { database, staging } = context;
  const { connection } = database;
  const load = await createLoader(database);
  const knownSections = await openKnownSections(context);
  const imported = new Map((await readImports(context)).map((file) => [file.file, file]));
  for (const file of files) {
    const rows = await loadFile(context, file, { load, knownSections }, tally);
    if (!rows) continue;
    imported.set(file.name, { file: file.name, sha256: file.sha256, ...rows });
  }
  load.flush();
  const terms = await connection.runAndReadAll(`SELECT DISTINCT year, quarter FROM ${IMPORTED} ORDER BY ALL`);
  for (const [year, quarter] of terms.getRowsJS() as [string, Term["quarter"]][])
    await mergeTerm(context, { year, quarter });
  await load.close();
  if (imported.size === 0) return;
  const file = await writeRows(context, enrollmentImports, imported.values());
  // Imported files may be gone since, and then only this list has their names.
  const rowsBefore = staging.find("enrollment_imports", {})?.rows ?? 0;
  if (isDamaged(context, "enrollment_imports") && file.rows < rowsBefore && !context.config.allowShrink)
    throw new GuardError(
      `the list of imported files was damaged and would come back with ${file.rows} of ${rowsBefore}: refused (ALLOW_SHRINK=1 overrides)`,
    );
  staging.put(file);
}

/** Loads a whole file or nothing. Returns undefined when it is damaged, which is reported. */
async function loadFile(
  { today }: RunContext,
  file: EnrollmentFile,
  { load, knownSections }: { readonly load: Loader; readonly knownSections: KnownSections },
  tally: Tally,
): Promise<Pick<EnrollmentImport, "snapshots" | "refused"> | undefined> {
  const countBefore = load.count();
  let unreadable = 0;
  let contradictory = 0;
  const { batches, fieldsOf } = parseEnrollmentFile(file.name, file.read());
  const sectionOf = remember((text) => {
    const section = toSection(fieldsOf("section", text));
    // The description that was last compared with the section.
    return { ...section, id: load.addSection(section), compared: undefined as object | undefined };
  });
  const dayOf = remember((text) => Date.parse(toDate(fieldsOf("date", text), today)) / DAY_MS);
  const valuesOf = remember((text) => load.addValues(toValues(fieldsOf("values", text))));
  const descriptionOf = remember((text) => {
    const description = knownSections.withCode(toDescription(fieldsOf("description", text)));
    return { ...description, id: load.addDescription(description) };
  });
  try {
    for await (const rows of batches) {
      tally.read(rows.length);
      for (const row of rows) {
        try {
          if (row.problem !== undefined) throw new BadSnapshot(row.problem);
          const section = sectionOf(row.section);
          const [day, values] = [dayOf(row.date), valuesOf(row.values)];
          const description = descriptionOf(row.description);
          if (section.compared !== description) {
            const place = `${file.name} line ${row.line}`;
            const contradiction = await knownSections.contradiction(section, description, place);
            if (contradiction !== undefined) {
              contradictory++;
              tally.drop(OTHER_SECTION, `${place}: ${contradiction}`);
              continue;
            }
            section.compared = description;
          }
          load.add(section.id, day, values, description.id);
        } catch (error) {
          if (!(error instanceof BadSnapshot)) throw error;
          unreadable++;
          tally.drop(
            "a row of an enrollment file that cannot be read",
            `${file.name} line ${row.line}: ${error.message}`,
          );
        }
      }
    }
  } catch (error) {
    if (!(error instanceof UpstreamBadResponse) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    await load.backTo(countBefore);
    knownSections.forget(file.name);
    tally.damage(
      `${file.name}: ${error instanceof UpstreamBadResponse ? error.message : "the file cannot be read"}; nothing of it is imported`,
    );
    return undefined;
  }
  const snapshots = load.count() - countBefore;
  const refused = unreadable + contradictory;
  const all = snapshots + refused;
  if (unreadable > 0) tally.damage(`${file.name}: ${unreadable} of ${all} rows cannot be read`);
  if (contradictory > 0)
    tally.damage(`${file.name}: ${contradictory} of ${all} rows are of other sections than those with their codes`);
  tally.keep(snapshots);
  return { snapshots, refused };
}

const DAY_MS = 86_400_000;
/** Bounds the memory for texts that were read; a forgotten one is read again. */
const KNOWN_TEXTS = 50_000;

/** Reads each text once, as most rows of a file repeat those of others. Errors are not remembered. */
function remember<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = read(text);
    if (known.size >= KNOWN_TEXTS) known.clear();
    // V8 would keep the whole piece of the file that the text is a slice of. A slice of another string is a copy.
    known.set(` ${text}`.slice(1), value);
    return value;
  };
}

/** The files' description of a section, as of the latest day. */
const LATEST_DESCRIPTIONS = `
  SELECT sectionCode, ${DESCRIBED_COLUMNS.map((name) => `arg_max(t.${name}, latest) AS ${name}`).join(", ")}
  FROM (
    SELECT sectionCode, description, max(date_diff('day', DATE '2000-01-01', date) * 1000000000 + place) AS latest
    FROM ${IMPORTED} WHERE year = $1 AND quarter = $2 GROUP BY sectionCode, description)
  LEFT JOIN (SELECT description, text::JSON::${duckdbType(importedSectionFields)} AS t FROM ${IMPORTED_DESCRIPTIONS}) USING (description)
  GROUP BY sectionCode`;

/** The description of a section: the recorded one, or else the schedule's, or else the files'. */
const DESCRIBED = (recorded: string, shown: string) => `
  SELECT $1 AS year, $2 AS quarter, sectionCode, coalesce(known.imported, true) AS imported,
    ${DESCRIBED_COLUMNS.map(
      (name) => `CASE WHEN NOT known.imported THEN known.${name} WHEN shown.sectionCode IS NOT NULL THEN shown.${name}
        ELSE coalesce(fromFiles.${name}, known.${name}, ${emptyOf(name)}) END AS ${name}`,
    ).join(", ")}
  FROM ${recorded} known FULL OUTER JOIN (${LATEST_DESCRIPTIONS}) fromFiles USING (sectionCode)
  LEFT JOIN (${describedSections(shown)}) shown USING (sectionCode)`;

function emptyOf(column: (typeof DESCRIBED_COLUMNS)[number]): string {
  const type = duckdbColumns(enrollmentHistory.row.shape).find(({ name }) => name === column)?.type ?? "";
  return type.endsWith("[]") ? `[]::${type}` : type === "INTEGER" ? "0" : "''";
}

/**
 * The periods of a term's months: recorded ones, and imported ones of these or earlier files. `$1` and `$2` are year
 * and quarter.
 */
const PERIODS = (recorded: string) => `
  WITH latest AS (
    SELECT sectionCode, date, arg_max(said, place) AS said FROM ${IMPORTED} WHERE year = $1 AND quarter = $2 GROUP BY ALL),
  days AS (SELECT sectionCode, date, text FROM latest JOIN ${IMPORTED_VALUES} USING (said)),
  known AS MATERIALIZED (SELECT * FROM ${recorded}),
  own AS (SELECT * FROM known WHERE NOT imported),
  earlier AS (
    SELECT sectionCode, unnest(generate_series(first, last, INTERVAL 1 DAY))::DATE AS date, ${VALUES_TEXT} AS text FROM known WHERE imported),
  importedDays AS (
    SELECT * FROM days
    UNION ALL SELECT earlier.* FROM earlier ANTI JOIN days ON earlier.sectionCode = days.sectionCode AND earlier.date = days.date),
  free AS (
    SELECT importedDays.* FROM importedDays ANTI JOIN own ON importedDays.sectionCode = own.sectionCode AND importedDays.date BETWEEN own.first AND own.last),
  -- Consecutive days with equal values have the same difference to their row numbers.
  numbered AS (SELECT *, date - row_number() OVER (PARTITION BY sectionCode, text ORDER BY date)::INTEGER AS island FROM free),
  periods AS (
    SELECT ${MONTH} AS month, sectionCode, min(date) AS first, max(date) AS last, text FROM numbered GROUP BY month, sectionCode, text, island)
  SELECT $1 AS year, $2 AS quarter, month, sectionCode, first, last, ${TEXT_VALUES}, true AS imported FROM periods
  UNION ALL BY NAME SELECT * FROM own`;
const MONTH = "strftime(date, '%Y-%m')";

async function mergeTerm({ database, staging }: RunContext, { year, quarter }: Term): Promise<void> {
  const { connection } = database;
  const term = { year, quarter };
  const recorded = tableRows(enrollmentHistory, staging.paths("enrollment_history", term));
  const shown = tableRows(sections, staging.paths("sections", term));
  const request = {
    table: enrollmentHistory,
    partition: term,
    select: DESCRIBED(recorded, shown),
    values: [year, quarter],
  };
  staging.put(await writePartition(connection, staging, request));
  const months = await connection.runAndReadAll(
    `SELECT DISTINCT ${MONTH} FROM (SELECT DISTINCT date FROM ${IMPORTED} WHERE year = $1 AND quarter = $2) ORDER BY ALL`,
    [year, quarter],
  );
  const partitions = (months.getRowsJS() as [string][]).map(([month]) => ({ ...term, month }));
  const paths = partitions.flatMap((partition) => staging.paths("enrollment_periods", partition));
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${MERGED} AS ${PERIODS(tableRows(enrollmentPeriods, paths))}`, [
    year,
    quarter,
  ]);
  for (const partition of partitions) {
    const select = `SELECT * FROM ${MERGED} WHERE month = $1`;
    const write = { table: enrollmentPeriods, partition, select, values: [partition.month] };
    staging.put(await writePartition(connection, staging, write));
  }
  await connection.run(`DROP TABLE ${MERGED}`);
}

const MERGED = "merged_periods";
