/**
 * `make forget`: deletes a person or a withdrawn export from all data, after showing what will be removed and asking.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { CONTRACT_VERSION } from "../../contract/tables.ts";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { UsageError } from "../../errors.ts";
import { finishTakeDown } from "../../forget/forget.ts";
import { findRemains, type Remains, remainsLines } from "../../forget/remains.ts";
import {
  appliedAgain,
  markOf,
  noTombstones,
  openTombstones,
  readTombstones,
  withForgotten,
  writeTombstones,
} from "../../forget/tombstones.ts";
import { findMeant, type Meant, type Selection } from "../../forget/whom.ts";
import { findDamaged } from "../../store/file-check.ts";
import { layoutOf, partitionTitle } from "../../store/layout.ts";
import { readPublishedVersions } from "../../store/versions.ts";
import { createLog, type Log } from "../../log.ts";
import { openDatabase } from "../../store/database.ts";
import { type Disk, nodeDisk } from "../../disk/disk.ts";
import { lockArtifacts } from "../../store/own-folders.ts";
import type { Store } from "../../store/store.ts";
import { askYes } from "./clean-data.ts";

export interface ForgetFlags extends Selection {
  /** True to show what would be removed, and change nothing. */
  readonly isDryRun: boolean;
  /** True when the operator has agreed. */
  readonly isAgreed: boolean;
}

/**
 * Shows what will be removed, asks on a terminal unless the operator has agreed, and takes it down. Without a
 * selection, and for somebody on the list, it takes down the remains of everything on the list.
 * @returns whether it is gone everywhere, or would be
 * @throws UsageError when nobody is meant; LockedError
 */
export async function forget(
  config: PipelineConfig,
  { isAgreed, isDryRun, ...selection }: ForgetFlags,
): Promise<boolean> {
  const selected = Object.entries(selection).filter(([, value]) => value !== undefined && value !== "");
  if (selected.length > 1) throw new UsageError("only one of NETID=, NAME= and FILE= at a time");
  if (selected.length > 0 && !isDryRun && !isAgreed && !process.stdin.isTTY)
    throw new UsageError(
      "forget asks before it takes anything down: run it in a terminal, or say so with YES=1 (--yes); DRY_RUN=1 shows what would go",
    );
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const ask = async (lines: readonly string[]): Promise<boolean> => {
    for (const line of lines) print(line);
    return !isDryRun && (isAgreed || (await askYes('Type "yes" to take it down: ')));
  };
  const log = createLog(config.logLevel);
  const outcome = await takeDown(config, Object.fromEntries(selected), { ask, isDryRun, log, now: () => new Date() });
  if (outcome === "refused") print(isDryRun ? "Nothing was changed: a dry run." : "Nothing was taken down.");
  else if (outcome === "gone") print("It is already gone.");
  else for (const line of outcome) print(line);
  return typeof outcome === "string" ? outcome === "gone" || isDryRun : outcome.length === 1;
}

export interface TakeDownOptions {
  /** Called with lines about what will be removed; returns whether to continue. */
  readonly ask: (lines: readonly string[]) => Promise<boolean>;
  readonly log: Log;
  readonly now: () => Date;
  /** True to change nothing, even without a question. */
  readonly isDryRun?: boolean;
  readonly disk?: Disk;
  readonly store?: Store;
}

/**
 * `refused`, `gone` when it was taken down before and nothing is left, or lines about the outcome: a single line when
 * it is gone everywhere, else a further line for each problem.
 * @throws UsageError when nobody and nothing is meant; LockedError
 */
export async function takeDown(
  config: Pick<PipelineConfig, "artifactsDir" | "dataDir"> &
    Partial<Pick<PipelineConfig, "publishTo" | "aws" | "retain">>,
  selection: Selection,
  { ask, isDryRun = false, log, now, disk = nodeDisk, store }: TakeDownOptions,
): Promise<"refused" | "gone" | string[]> {
  const { artifactsDir, dataDir } = config;
  const lock = await lockArtifacts({ artifactsDir, dataDir });
  const folder = join(layoutOf(artifactsDir).staging, `look-${randomUUID()}`);
  try {
    const tombstones = await readTombstones(dataDir, disk);
    const isNamed = Object.keys(selection).length > 0;
    if (!tombstones && !isNamed) throw new UsageError("say whom or what: make forget NETID=…, NAME=… or FILE=…");
    const list = tombstones ?? noTombstones();
    const listed = openTombstones(list);
    const { meant, next, remains, unread } = await look(config, folder, disk, async (published, unread) => {
      const meant = isNamed ? await findMeant(selection, published, listed) : undefined;
      const next = meant ? withForgotten(list, meant.spellings, meant.exports) : list;
      const remains = await findRemains({ ...published, artifacts: artifactsDir }, openTombstones(next));
      const isApplied = published.snapshots.some(({ manifest }) => manifest.forgotten === markOf(next));
      // A snapshot that contains it in spite of the mark gets another mark.
      return { meant, next: isApplied && hasSnapshots(remains) ? appliedAgain(next) : next, remains, unread };
    });
    const lines = [...(meant ? linesOf({ meant, remains }) : leftLines(remains)), ...unread];
    if (meant ? !(await ask(lines)) : isDryRun && (await ask(lines), true)) return "refused";
    await lock.assertHeld();
    // Record everything that was found, whatever was done before: after a kill, the next run continues.
    if (meant || remains.length > 0) await writeTombstones(dataDir, { ...next, done: null }, disk);
    const assertHeld = () => lock.assertHeld();
    const done = await finishTakeDown({ config, now: now(), log, assertHeld, disk, ...(store ? { store } : {}) });
    if (!done) return "gone";
    return done.problems.length === 0 ? [FINISHED] : [UNFINISHED, ...done.problems];
  } finally {
    await disk.rm(folder).catch(() => undefined);
    await lock.release();
  }
}

const FINISHED = "Taken down. `make verify` looks for it everywhere.";
const UNFINISHED = "Recorded as taken down, but not gone everywhere yet:";

const hasSnapshots = (remains: readonly Remains[]): boolean => remains.some(({ place }) => place === "snapshots");

const leftLines = (remains: readonly Remains[]): string[] =>
  remains.length === 0
    ? ["Nothing is left of what was taken down."]
    : ["Taken down, but still in", ...remainsLines(remains).map((line) => `  ${line}`)];

function linesOf({ meant, remains }: { meant: Meant; remains: readonly Remains[] }): string[] {
  const places = remains.length === 0 ? ["nothing that is on disk names it"] : remainsLines(remains);
  return [
    "To be taken down for good:",
    ...meant.lines.map((line) => `  ${line}`),
    "It is in",
    ...places.map((line) => `  ${line}`),
  ];
}

/** Runs `work` with what can be read of the snapshots, and a line about what cannot. */
async function look<T>(
  { artifactsDir, dataDir }: Pick<PipelineConfig, "artifactsDir" | "dataDir">,
  folder: string,
  disk: Disk,
  work: (published: Parameters<typeof findMeant>[1], unread: readonly string[]) => Promise<T>,
): Promise<T> {
  await disk.mkdir(folder);
  const database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder: folder });
  try {
    const snapshots = (await readPublishedVersions(artifactsDir, disk)).filter(
      ({ manifest }) => manifest.contract === CONTRACT_VERSION,
    );
    const files = new Map(snapshots.flatMap(({ manifest }) => manifest.files).map((file) => [file.path, file]));
    const damaged = await findDamaged(artifactsDir, [...files.values()], disk);
    const paths = new Set(damaged.map(({ file }) => file.path));
    const readable = snapshots.map((published) => {
      const { manifest } = published;
      return { ...published, manifest: { ...manifest, files: manifest.files.filter(({ path }) => !paths.has(path)) } };
    });
    const titles = [...new Set(damaged.map(({ file }) => partitionTitle(file)))].sort();
    const unread = titles.length === 0 ? [] : [`  not read, because they are missing or damaged: ${titles.join(", ")}`];
    return await work({ snapshots: readable, connection: database.connection, dataDir, disk }, unread);
  } finally {
    database.close();
  }
}
