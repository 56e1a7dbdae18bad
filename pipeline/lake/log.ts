/** Reads and extends the log of one Delta table. */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { LockedError } from "../errors.ts";
import { type Disk, isLinkRefused } from "../publish/disk.ts";
import { hasCode } from "../generations/disk-reader.ts";
import { type Action, EMPTY_STATE, type TableState } from "./actions.ts";
import { readCheckpoint } from "./checkpoint.ts";
import { checkpointName, commitName, logFolder, parseLogName } from "./layout.ts";
import { writeDraft } from "./draft.ts";

/** Replays the newest checkpoint and the commits after it. A table without a log has version -1. */
export async function readTableLog(connection: DuckDBConnection, disk: Disk, tableFolder: string): Promise<TableState> {
  const folder = logFolder(tableFolder);
  const names = (await disk.readdir(folder)).flatMap((name) => parseLogName(name) ?? []);
  const checkpoint = Math.max(-1, ...names.filter(({ kind }) => kind === "checkpoint").map(({ version }) => version));
  let state: TableState = { ...EMPTY_STATE, version: checkpoint, checkpoint };
  if (checkpoint >= 0)
    state = applyActions(state, await readCheckpoint(connection, join(folder, checkpointName(checkpoint))));
  for (const { version, kind } of names) {
    if (kind !== "commit" || version <= checkpoint) continue;
    if (version !== state.version + 1) throw new Error(`${folder}: version ${state.version + 1} is missing`);
    const actions = parseCommit(await disk.readFile(join(folder, commitName(version))));
    state = { ...applyActions(state, actions), version };
  }
  return state;
}

/** The state after these actions. */
export function applyActions(state: TableState, actions: readonly Action[]): TableState {
  const files = new Map(state.files);
  const removed = new Map(state.removed);
  let { metaData } = state;
  for (const action of actions) {
    if ("add" in action) {
      files.set(action.add.path, action.add);
      removed.delete(action.add.path);
    } else if ("remove" in action) {
      files.delete(action.remove.path);
      removed.set(action.remove.path, action.remove);
    } else if ("metaData" in action) metaData = action.metaData;
  }
  return { ...state, metaData, files, removed };
}

export function parseCommit(text: string): Action[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Action);
}

/**
 * Adds one version, which appears whole and durable or not at all. Its files must be on disk before.
 * @throws LockedError when the version exists
 */
export async function commitVersion(
  disk: Disk,
  {
    drafts,
    tableFolder,
    version,
    actions,
  }: { drafts: string; tableFolder: string; version: number; actions: readonly Action[] },
): Promise<void> {
  const folder = logFolder(tableFolder);
  const path = join(folder, commitName(version));
  const draft = await writeDraft(disk, drafts, actions.map((action) => `${JSON.stringify(action)}\n`).join(""));
  try {
    await disk.link(draft, path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) throw new LockedError(`another export wrote version ${version} of ${tableFolder}`);
    if (!isLinkRefused(error)) throw error;
    // Without hard links only the lock keeps other exports away.
    if (await disk.stat(path)) throw new LockedError(`another export wrote version ${version} of ${tableFolder}`);
    await disk.rename(draft, path);
  }
  await disk.syncFolder(folder);
}
