/**
 * A published base as a fictitious contract version 0 would have it, and a step that migrates it: the example for
 * future steps.
 */
import { createHash } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { type PublishedSnapshot, readCurrent } from "../../../pipeline/store/published.ts";
import { filePath, layoutOf, nameOf } from "../../../pipeline/store/layout.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { migratePublished, type MigrationOptions } from "../../../pipeline/migrations/migrate.ts";
import type { Step, Steps } from "../../../pipeline/migrations/steps.ts";
import type { Database } from "../../../pipeline/store/database.ts";
import { ROWS_PER_GROUP, writeSorted } from "../../../pipeline/publish/partition.ts";
import { gradeRow } from "../../support/grade-row.ts";
import { publishRows } from "../../support/published/published.ts";
import { historyRow, periodRows } from "../../server/response/representations/history-row.ts";

/** Later than every recorded day. */
export const NOW = new Date("2026-11-20T18:00:00Z");

/** Fewer columns, or others, than today. `select` is what stands before `FROM`, for the rows of one file. */
export interface Rewriting {
  readonly table: string;
  readonly select: string;
}

/** In version 0, terms had no number to sort them by. */
const OLDER_TERMS: Rewriting = { table: "terms", select: "SELECT * EXCLUDE (ordinal)" };
const QUARTERS = "['Winter', 'Spring', 'Summer1', 'Summer10wk', 'Summer2', 'Fall']";
const ORDINAL = `(10 * year::INTEGER + list_position(${QUARTERS}, quarter))::INTEGER AS ordinal`;
export const STEPS: Steps = { 0: stepOf({ table: "terms", select: `SELECT *, ${ORDINAL}` }) };

/** A step that rewrites the files of one table, and no row is added or lost. */
export function stepOf({ select, table }: Rewriting): Step {
  return (files, context) =>
    Promise.all(
      files.map(async (located) => {
        const { partition, rows } = located.file;
        if (located.file.table !== table) return located;
        const from = readParquet([located.at]);
        const request = { table, partition, select: `${select} FROM ${from}`, rowsPerGroup: ROWS_PER_GROUP };
        const file = await writeSorted(context.connection, context, { ...request, count: async () => rows });
        return { file, at: join(context.filesFolder, file.path) };
      }),
    );
}

/**
 * Publishes a few rows of several tables in the current version, with history of two months and an imported file, and
 * converts them to version 0.
 */
export async function publishOlder(
  artifacts: string,
  reader: Database,
  older = OLDER_TERMS,
): Promise<PublishedSnapshot> {
  const terms = [["2019", "Fall"] as const, ["2020", "Winter"] as const].map(([year, quarter]) => {
    return { year, quarter, longName: `${year} ${quarter} Quarter` };
  });
  const days = ["98001", "98002"].flatMap((code) =>
    periodRows(code, [
      ["2019-09-20", "2019-09-30", "1"],
      ["2019-10-01", "2019-10-05", code],
    ]),
  );
  const rows = {
    terms,
    grades: [gradeRow(), gradeRow({ year: "2025", averageGPA: null })],
    enrollment_history: ["98001", "98002"].map(historyRow),
    enrollment_periods: days.map((period, i) => ({ ...period, imported: i === 0 })),
    enrollment_imports: [{ file: "old.csv", sha256: "a".repeat(64), snapshots: 11, refused: 0 }],
  };
  await publishRows(artifacts, rows, { now: new Date("2026-11-20T06:00:00Z"), derive: true });
  return makeOlder(artifacts, reader, older);
}

/** Makes version 0 of the published snapshot, with other files of one table. */
export async function makeOlder(
  artifacts: string,
  { connection }: Database,
  older?: Rewriting,
): Promise<PublishedSnapshot> {
  const published = (await readCurrent(artifacts)) as PublishedSnapshot;
  const files = [];
  for (const file of published.manifest.files) {
    if (file.table !== older?.table) {
      files.push(file);
      continue;
    }
    const at = join(published.folder, file.path);
    await connection.run(`COPY (${older.select} FROM ${readParquet([at])}) TO '${at}.older' (FORMAT parquet)`);
    const bytes = await readFile(`${at}.older`);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const path = filePath(file.table, file.partition, sha256);
    await rm(at);
    await rename(`${at}.older`, join(published.folder, path));
    files.push({ ...file, path, sha256, bytes: bytes.length });
  }
  // Ids cover the contract version.
  const id = createHash("sha256").update(published.manifest.id).digest("hex").slice(0, 16);
  const manifest = { ...published.manifest, contract: 0, id, files };
  const { pointer, snapshots } = layoutOf(artifacts);
  await rm(join(snapshots, `${nameOf(published.manifest)}.json`));
  await writeFile(join(snapshots, `${nameOf(manifest)}.json`), JSON.stringify(manifest));
  await writeFile(pointer, JSON.stringify({ snapshot: manifest, retained: [] }));
  return { folder: artifacts, manifest, retained: [] };
}

export function migrate(artifactsDir: string, options: Partial<MigrationOptions> = {}) {
  return migratePublished({
    ...{ artifactsDir, dataDir: join(artifactsDir, "../data"), now: NOW, today: "2026-11-20" },
    ...{ allowLoss: false, log: silentLog, steps: STEPS, assertHeld: () => Promise.resolve() },
    ...options,
  });
}
