/** `make forget`: takes a person or a withdrawn export down, everywhere, after showing what goes and asking. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { CONTRACT_VERSION } from "../../contract/tables.ts";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { UsageError } from "../../errors.ts";
import { findRemains, type Remains, remainsLines } from "../../forget/remains.ts";
import {
  noTombstones,
  openTombstones,
  readTombstones,
  withForgotten,
  writeTombstones,
} from "../../forget/tombstones.ts";
import { findMeant, type Meant, type Selection } from "../../forget/whom.ts";
import { layoutOf } from "../../generations/layout.ts";
import { readPublishedVersions } from "../../generations/versions.ts";
import { createLog, type Log } from "../../log.ts";
import { openDatabase } from "../../publish/database.ts";
import { type Disk, nodeDisk } from "../../publish/disk.ts";
import { lockArtifacts } from "../../publish/own-folders.ts";
import type { Store } from "../../stores/store.ts";
import { finishTakeDown, namingTexts } from "../take-down.ts";
import { askYes } from "./clean-data.ts";

export interface ForgetFlags extends Selection {
  /** Shows what would go, and changes nothing. */
  readonly isDryRun: boolean;
  /** The operator has agreed. */
  readonly isAgreed: boolean;
}

/**
 * Says what goes, asks in a terminal unless the operator has agreed, and takes it down. Without a selection it finishes what a killed one left.
 * @returns whether it is gone everywhere, or would go
 * @throws UsageError when nobody is meant; LockedError
 */
export async function forget(
  config: PipelineConfig,
  { isAgreed, isDryRun, ...selection }: ForgetFlags,
): Promise<boolean> {
  const given = Object.entries(selection).filter(([, value]) => value !== undefined && value !== "");
  if (given.length > 1) throw new UsageError("only one of NETID=, NAME= and FILE= at a time");
  if (given.length > 0 && !isDryRun && !isAgreed && !process.stdin.isTTY)
    throw new UsageError(
      "forget asks before it takes anything down: run it in a terminal, or say so with YES=1 (--yes); DRY_RUN=1 shows what would go",
    );
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const ask = async (lines: readonly string[]): Promise<boolean> => {
    for (const line of lines) print(line);
    return !isDryRun && (isAgreed || (await askYes('Type "yes" to take it down: ')));
  };
  const log = createLog(config.logLevel);
  const outcome = await takeDown(config, Object.fromEntries(given), { ask, log, now: new Date() });
  if (outcome === "refused") print(isDryRun ? "Nothing was changed: a dry run." : "Nothing was taken down.");
  else if (outcome === "gone") print("It is gone already.");
  else for (const line of outcome) print(line);
  return typeof outcome === "string" ? outcome === "gone" || isDryRun : outcome.length === 1;
}

export interface TakeDownOptions {
  /** Shown what goes, in lines; whether to go on. */
  readonly ask: (lines: readonly string[]) => Promise<boolean>;
  readonly log: Log;
  readonly now: Date;
  readonly disk?: Disk;
  readonly store?: Store;
}

/**
 * `refused`, `gone` when it was taken down before, or what became of it in lines: one when it is gone everywhere, else a line more for each problem.
 * @throws UsageError when nobody and nothing is meant; LockedError
 */
export async function takeDown(
  config: Pick<PipelineConfig, "artifactsDir" | "dataDir"> &
    Partial<Pick<PipelineConfig, "publishTo" | "aws" | "retain">>,
  selection: Selection,
  { ask, log, now, disk = nodeDisk, store }: TakeDownOptions,
): Promise<"refused" | "gone" | string[]> {
  const { artifactsDir, dataDir } = config;
  const lock = await lockArtifacts({ artifactsDir, dataDir });
  const folder = join(layoutOf(artifactsDir).staging, `look-${randomUUID()}`);
  try {
    const finishing = { config, now, log, assertHeld: () => lock.assertHeld(), disk, ...(store ? { store } : {}) };
    const list = (await readTombstones(dataDir, disk)) ?? noTombstones();
    if (Object.keys(selection).length === 0) {
      const done = await finishTakeDown(finishing);
      if (!done) throw new UsageError("say whom or what: make forget NETID=…, NAME=… or FILE=…");
      return [FINISHED, ...done.problems];
    }
    const known = openTombstones(list);
    const looked = await look(config, folder, disk, async (published) => {
      const meant = await findMeant(selection, published, known);
      const next = meant && withForgotten(list, meant.spellings, meant.exports);
      const remains =
        next &&
        (await findRemains(
          { ...published, artifacts: artifactsDir, texts: namingTexts(artifactsDir) },
          openTombstones(next),
        ));
      return meant && next && remains ? { meant, next, remains } : undefined;
    });
    if (!looked) {
      const done = await finishTakeDown(finishing);
      return done ? [FINISHED, ...done.problems] : "gone";
    }
    if (!(await ask(linesOf(looked)))) return "refused";
    await lock.assertHeld();
    await writeTombstones(dataDir, looked.next, disk);
    const done = await finishTakeDown(finishing);
    return [FINISHED, ...(done?.problems ?? [])];
  } finally {
    await disk.rm(folder).catch(() => undefined);
    await lock.release();
  }
}

const FINISHED = "Taken down. `make verify` looks for it everywhere.";

function linesOf({ meant, remains }: { meant: Meant; remains: readonly Remains[] }): string[] {
  const places = remains.length === 0 ? ["nothing that is on disk names it"] : remainsLines(remains);
  return [
    "To be taken down for good:",
    ...meant.lines.map((line) => `  ${line}`),
    "It is in",
    ...places.map((line) => `  ${line}`),
  ];
}

async function look<T>(
  { artifactsDir, dataDir }: Pick<PipelineConfig, "artifactsDir" | "dataDir">,
  folder: string,
  disk: Disk,
  work: (published: Parameters<typeof findMeant>[1]) => Promise<T>,
): Promise<T> {
  await disk.mkdir(folder);
  const database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder: folder });
  try {
    const generations = (await readPublishedVersions(artifactsDir, disk)).filter(
      ({ manifest }) => manifest.contract === CONTRACT_VERSION,
    );
    return await work({ generations, connection: database.connection, dataDir, disk });
  } finally {
    database.close();
  }
}
