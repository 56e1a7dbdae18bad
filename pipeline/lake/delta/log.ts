/** Reads, extends and collects the log of a Delta table. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import pLimit from "p-limit";
import { UpstreamBadResponse } from "../../errors.ts";
import type { Store, StoreReader } from "../../store/store.ts";
import { parseStored } from "../../store/manifest.ts";
import {
  type Action,
  checkpointKey,
  commitKey,
  EMPTY_STATE,
  logPrefix,
  parseLogKey,
  readAction,
  type Remove,
  type TableState,
  versionOf,
  withTags,
} from "./actions.ts";
import { readCheckpoint } from "./checkpoint.ts";
import { foreignVersion } from "./foreign.ts";

/** The number of commits that are read at the same time; they are small. */
const READS = 16;

/**
 * Replays the newest checkpoint and the commits after it, including those of other writers. A checkpoint of another
 * writer is used only if the log begins with it: it may lack files that were removed, and it hides the writers of
 * earlier versions. A table without a log has version -1.
 * @throws UpstreamError
 */
export async function readTableLog(
  connection: DuckDBConnection,
  store: Store,
  table: string,
  tempFolder: string,
): Promise<TableState> {
  const names = (await store.list(logPrefix(table))).flatMap(({ key, bytes }) => {
    const name = parseLogKey(key);
    return name ? [{ ...name, bytes }] : [];
  });
  const commits = names.filter(({ kind }) => kind === "commit").map(({ version }) => version);
  const checkpoints = names.filter(({ kind }) => kind === "checkpoint").toSorted((a, b) => b.version - a.version);
  /** True when the log leads to a version without the checkpoint of that version. */
  const hasCommits = (version: number): boolean => {
    const older = checkpoints.find((checkpoint) => checkpoint.version < version)?.version ?? -1;
    return Array.from({ length: version - older }, (_, i) => older + 1 + i).every((earlier) =>
      commits.includes(earlier),
    );
  };
  let start = EMPTY_STATE;
  for (const { bytes, version } of checkpoints) {
    const path = join(tempFolder, `${randomUUID()}.parquet`);
    await store.download(checkpointKey(table, version), bytes, path);
    const checkpoint = await readCheckpoint(connection, path, version).catch((cause: unknown) => {
      throw damaged(store, `the checkpoint ${version} of ${table} is damaged`, cause);
    });
    if (checkpoint.isForeign && hasCommits(version)) continue;
    start = applyActions({ ...EMPTY_STATE, version, checkpoint: version }, checkpoint.actions);
    break;
  }
  return replay(store, table, { start, commits });
}

/** Replays the commits after a state. */
async function replay(
  store: Store,
  table: string,
  { start, commits }: { start: TableState; commits: readonly number[] },
): Promise<TableState> {
  const newer = commits.filter((version) => version > start.version).toSorted((a, b) => a - b);
  const limit = pLimit(READS);
  const read = await Promise.all(newer.map((version) => limit(() => readCommit(store, table, version))));
  let state = start;
  for (const [index, version] of newer.entries()) {
    if (version !== state.version + 1) throw damaged(store, `version ${state.version + 1} of ${table} is missing`);
    state = applyCommit(state, read[index] ?? [], version);
  }
  return state;
}

const damaged = ({ name }: Store, what: string, cause?: unknown) =>
  new UpstreamBadResponse(name, `${name}: ${what}`, { cause });

async function readCommit(store: Store, table: string, version: number): Promise<Action[]> {
  const bytes = await store.read(commitKey(table, version));
  if (typeof bytes !== "object") throw damaged(store, `version ${version} of ${table} is missing`);
  return parseCommit(bytes.content.toString(), { table, version }, store);
}

/** Parses the actions of a commit, one per line. @throws UpstreamBadResponse when it is damaged */
export function parseCommit(
  text: string,
  { table, version }: { table: string; version: number },
  store: StoreReader,
): Action[] {
  const lines = text.split("\n").filter((line) => line !== "");
  const what = `version ${version} of ${table}`;
  return lines.map((line) => withTags(parseStored(readAction, line, what, store), version, version));
}

/** The state after a version. */
export function applyCommit(state: TableState, actions: readonly Action[], version: number): TableState {
  const foreign = foreignVersion(actions, version);
  return { ...applyActions(state, actions), version, foreign: foreign ? [...state.foreign, foreign] : [] };
}

/** The state after these actions. */
export function applyActions(state: TableState, actions: readonly Action[]): TableState {
  const files = new Map(state.files);
  const removed = new Map(state.removed);
  let { hasDeletionVectors, metaData, protocol } = state;
  for (const action of actions) {
    if ("add" in action) {
      files.set(action.add.path, action.add);
      removed.delete(action.add.path);
      hasDeletionVectors ||= Boolean(action.add.deletionVector);
    } else if ("remove" in action) {
      const { path, tags } = action.remove;
      const since = files.get(path)?.tags.since ?? tags.since;
      files.delete(path);
      removed.set(path, { ...action.remove, tags: { ...tags, since } });
    } else if ("metaData" in action) metaData = action.metaData;
    else if ("protocol" in action) protocol = action.protocol;
  }
  return { ...state, metaData, protocol, files, removed, hasDeletionVectors };
}

/** Adds a version atomically and durably; false when another publisher added it. Its files must be in the store. */
export const commitVersion = (
  store: Store,
  table: string,
  version: number,
  actions: readonly Action[],
): Promise<boolean> =>
  store.create(commitKey(table, version), actions.map((action) => `${JSON.stringify(action)}\n`).join(""));

/** Returns the removed files that a retained version still uses. */
export function neededFiles(state: TableState, versions: readonly number[]): Map<string, Remove> {
  const isNeeded = ({ tags }: Remove) =>
    versions.some((version) => Number(tags.since) <= version && version < Number(tags.until));
  return new Map([...state.removed].filter(([, remove]) => isNeeded(remove)));
}

/** Removes the entries of a table's log before the newest checkpoint that is not newer than every retained version. */
export async function collectLog(store: Store, table: string, oldestRetained: number): Promise<void> {
  const log = (await store.list(logPrefix(table))).flatMap(({ key }) => {
    const version = versionOf(key);
    return version === undefined ? [] : [{ key, version, kind: parseLogKey(key)?.kind }];
  });
  const first = Math.max(
    -1,
    ...log.flatMap(({ kind, version }) => (kind === "checkpoint" && version <= oldestRetained ? [version] : [])),
  );
  for (const { key, version } of log) if (version < first) await store.remove(key);
}
