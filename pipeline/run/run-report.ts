/** The build report on disk: `report.json` for programs, `report.txt` for people. */
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../log.ts";
import { readRegularFile } from "../regular-files.ts";
import {
  type BackupReport,
  type Dropped,
  type ProductReport,
  runReport,
  type RunReport,
  type StoreReport,
} from "../contract/documents/run-report.ts";

/** The number of names for each reason in the summary. */
const SHOWN_NAMES = 5;

/** `32,196` */
export const grouped = (count: number): string => count.toLocaleString("en-US");

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function* linesOf(report: RunReport): Generator<string> {
  yield `${report.mode} of ${report.startedAt}, ${(report.ms / 1000).toFixed(1)} s`;
  yield `snapshot ${report.snapshot}${report.changed ? "" : " (unchanged)"}; retained snapshots: ${report.disk.generations}${report.disk.retain === undefined ? "" : ` (RETAIN ${report.disk.retain})`}, ${megabytes(report.disk.keptBytes)} on disk, ${megabytes(report.disk.freedBytes)} freed`;
  if (report.base) yield* baseLines(report.base);
  for (const problem of [...(report.advice ?? []), ...report.disk.problems]) yield `  disk: ${problem}`;
  if (report.backup) yield* backupLines(report.backup);
  if (report.store) yield* storeLines(report.store);
  for (const note of report.history?.notes ?? []) yield `  history: ${note}`;
  for (const problem of report.history?.problems ?? []) yield `  history damaged: ${problem}`;
  for (const [system, source] of Object.entries(report.source)) yield `  ${system}: from ${source}`;
  for (const [system, text] of Object.entries(report.closed ?? {})) yield `  ${system}: ${text}`;
  for (const product of report.products) yield* productLines(product);
  if (report.withheld !== undefined) yield `Nothing is published, what is in service stays: ${report.withheld}.`;
  else if (report.products.some(({ status, damaged }) => status === "failed" || damaged.length > 0))
    yield "At least one product failed or was damaged; everything else is published.";
  else if (report.failed)
    yield "All products are published or unchanged; check the recorded history, its backup and the store.";
  else yield "All products are published or unchanged.";
}

function* baseLines({ generation, problem, files }: NonNullable<RunReport["base"]>): Generator<string> {
  const instead = generation === null ? "everything is built" : `started from ${generation}`;
  if (problem !== undefined) yield `  base: ${problem}; ${instead}`;
  else if (generation === null) yield "  base: nothing is published yet; everything is built";
  else if (files.length > 0)
    yield `  base: ${generation}, in which ${files.length === 1 ? "1 file is" : `${files.length} files are`} damaged`;
  for (const { path, problem: damage, outcome } of files) yield `  damaged: ${path}: ${damage}; ${outcome}`;
}

function* storeLines({ name, notes = [], problems, snapshot }: StoreReport): Generator<string> {
  yield `published to ${name}: ${snapshot === null ? "nothing" : `snapshot ${snapshot}`}`;
  for (const note of notes) yield `  store: ${note}`;
  for (const problem of problems) yield `  store failed: ${problem}`;
}

function* backupLines({ newest, backups, bytes, taken, repaired, problems }: BackupReport): Generator<string> {
  if (newest !== null)
    yield `backup: ${taken ? "taken; " : ""}${backups} ${backups === 1 ? "day" : "days"}, the newest ${newest}, ${megabytes(bytes)}`;
  for (const what of repaired) yield `  backup repaired: ${what} was damaged and is copied again`;
  for (const problem of problems) yield `  backup failed: ${problem}`;
}

function* productLines({
  product,
  status,
  read,
  kept,
  ms,
  error,
  damaged,
  dropped,
  noted,
}: ProductReport): Generator<string> {
  yield "";
  yield `${product}: ${status}, ${read} read, ${kept} kept, ${(ms / 1000).toFixed(1)} s`;
  if (error !== undefined) yield `  failed: ${error}`;
  for (const what of damaged) yield `  damaged: ${what}`;
  for (const entry of dropped) yield* reasonLines("dropped", entry);
  for (const entry of noted) yield* reasonLines("noted", entry);
}

function* reasonLines(word: string, { reason, count, names }: Dropped): Generator<string> {
  yield `  ${word} ${count}: ${reason}`;
  for (const name of names.slice(0, SHOWN_NAMES)) yield `    ${name}`;
  if (count > SHOWN_NAMES) yield `    and ${count - Math.min(count, SHOWN_NAMES)} more`;
}

/** A report that cannot be written does not fail the run. */
export async function writeRunReport(artifactsDir: string, report: RunReport, log: Log): Promise<void> {
  try {
    for (const [name, text] of [
      ["report.json", `${JSON.stringify(report, undefined, 2)}\n`],
      ["report.txt", `${reportText(report)}\n`],
    ] as const) {
      const path = join(artifactsDir, name);
      // A new file: a link of that name would be written through.
      await rm(`${path}.part`, { recursive: true, force: true });
      await writeFile(`${path}.part`, text, { flag: "wx" });
      await rename(`${path}.part`, path);
    }
  } catch (error) {
    log.warn("the report could not be written", { cause: String(error) });
  }
}

/** The sources of the last run; empty without a report. */
export async function readReportedSource(artifactsDir: string): Promise<RunReport["source"]> {
  try {
    return runReport.parse(JSON.parse((await readRegularFile(join(artifactsDir, "report.json"))).toString())).source;
  } catch {
    return {};
  }
}

export const reportText = (report: RunReport): string => [...linesOf(report)].join("\n");
