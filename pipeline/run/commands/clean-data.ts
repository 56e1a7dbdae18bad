/** Deletes the published data after a confirmation. Operators' files and backups stay. */
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { changes } from "../../contract/rows/change.ts";
import { enrollmentPeriods } from "../../contract/rows/enrollment-history.ts";
import type { Table } from "../../contract/table.ts";
import { tableRows } from "../../contract/sql-text.ts";
import { UsageError } from "../../errors.ts";
import { openDatabase } from "../../store/database.ts";
import { listPublished } from "../../store/published.ts";
import { layoutOf, OBJECT_FOLDERS, objectBytes, REPORT_FILES } from "../../store/layout.ts";
import { lockArtifacts } from "../../store/own-folders.ts";
import { megabytes } from "../run-report.ts";

/**
 * Runs `make clean-data`: asks on a terminal unless the operator has agreed. Returns whether it deleted. @throws
 * UsageError, LockedError
 */
export async function clean({ artifactsDir }: PipelineConfig, isAgreed: boolean): Promise<boolean> {
  if (!isAgreed && !process.stdin.isTTY)
    throw new UsageError("clean-data asks before it deletes: run it in a terminal, or say so with YES=1 (--yes)");
  const isDeleted = await cleanData(artifactsDir, async (loss) => {
    process.stdout.write(`${loss}\n`);
    return isAgreed || askYes('Type "yes" to delete it: ');
  });
  process.stdout.write(isDeleted ? "Deleted.\n" : "Nothing was deleted.\n");
  return isDeleted;
}

/**
 * Returns whether it deleted. Holds the lock, so that nothing is published after the question.
 * @throws LockedError when a run is alive
 */
export async function cleanData(artifactsDir: string, isAgreed: (loss: string) => Promise<boolean>): Promise<boolean> {
  const layout = layoutOf(artifactsDir);
  const lock = await lockArtifacts({ artifactsDir });
  try {
    if (!(await isAgreed(await describeLoss(artifactsDir)))) return false;
    await lock.assertHeld();
    // Remove the pointer first: a half-deleted snapshot must not be current.
    const objects = OBJECT_FOLDERS.map((name) => join(artifactsDir, name));
    const reports = REPORT_FILES.map((name) => join(artifactsDir, name));
    for (const path of [
      ...[layout.pointer, layout.current, layout.freshness, ...reports, layout.staging],
      ...[layout.snapshots, layout.checkouts, ...objects],
    ])
      await rm(path, { recursive: true, force: true });
    return true;
  } finally {
    await lock.release();
  }
}

async function describeLoss(artifactsDir: string): Promise<string> {
  const names = await listPublished(artifactsDir);
  const newest = names.at(0)?.name;
  const size = megabytes(await objectBytes(artifactsDir));
  const history =
    newest === undefined ? [] : await describeHistory(artifactsDir).catch(() => ["enrollment history: cannot be read"]);
  return [
    `To be deleted from ${artifactsDir}:`,
    `  ${names.length} snapshots, ${size}${newest === undefined ? "" : `; the newest is ${newest}`}`,
    ...history.map((line) => `  ${line}`),
    "Files in the data folder stay, including its backup/.",
  ].join("\n");
}

/** Describes the files of all snapshots on disk, so that a damaged manifest hides nothing. Shared files count once. */
async function describeHistory(artifactsDir: string): Promise<string[]> {
  const rowsOf = async (table: Table): Promise<string> => {
    const folder = join(artifactsDir, table.name);
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    return tableRows(
      table,
      names.filter((name) => name.endsWith(".parquet")).map((name) => join(folder, name)),
    );
  };
  const database = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder: artifactsDir });
  try {
    const counted = await database.connection.runAndReadAll(`
      SELECT imported, count(*)::INTEGER AS snapshots, count(DISTINCT day)::INTEGER AS days, min(day)::VARCHAR AS first, max(day)::VARCHAR AS last
      FROM (SELECT DISTINCT "year", quarter, "sectionCode", imported, first + unnest(range(last - first + 1))::INTEGER AS day
        FROM ${await rowsOf(enrollmentPeriods)})
      GROUP BY imported ORDER BY imported`);
    const key = changes.key.map((column) => `"${column}"`).join();
    const recorded = await database.connection.runAndReadAll(
      `SELECT count(*)::INTEGER FROM (SELECT DISTINCT ${key} FROM ${await rowsOf(changes)}) HAVING count(*) > 0`,
    );
    const lines = counted
      .getRowObjectsJS()
      .map(
        ({ imported, snapshots, days, first, last }) =>
          `${imported ? "imported" : "recorded"} enrollment history: ${snapshots} snapshots of sections on ${days} days (${first} to ${last})${imported ? "" : ", which cannot be fetched again"}`,
      );
    return [
      ...lines,
      ...recorded.getRowsJS().map(([count]) => `${count} recorded changes of sections, which cannot be fetched again`),
    ];
  } finally {
    database.close();
  }
}

/** Agrees only to `yes`; the end of the input does not agree. */
export async function askYes(
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  try {
    const answer = await Promise.race([lines.question(question), once(lines, "close").then(() => "")]);
    return answer.trim().toLowerCase() === "yes";
  } finally {
    lines.close();
  }
}
