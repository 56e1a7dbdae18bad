/** Reads and extends the log of one Delta table. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import pLimit from "p-limit";
import { UpstreamBadResponse } from "../../errors.ts";
import type { Store, StoreReader } from "../../stores/store.ts";
import { parseStored } from "../../stores/stored-json.ts";
import { type Action, EMPTY_STATE, readAction, type TableState } from "./actions.ts";
import { readCheckpoint } from "./checkpoint.ts";
import { checkpointKey, commitKey, logPrefix, parseLogKey } from "./keys.ts";

/** Commits are small, and read at the same time. */
const READS = 16;

/** Replays the newest checkpoint and the commits after it. A table without a log has version -1. @throws UpstreamError */
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
  const checkpoint = names.findLast(({ kind }) => kind === "checkpoint");
  let state: TableState = EMPTY_STATE;
  if (checkpoint) {
    const { version } = checkpoint;
    const path = join(tempFolder, `${randomUUID()}.parquet`);
    await store.download(checkpointKey(table, version), checkpoint.bytes, path);
    const actions = await readCheckpoint(connection, path).catch((cause: unknown) => {
      throw damaged(store, `the checkpoint ${version} of ${table} is damaged`, cause);
    });
    state = applyActions({ ...state, version, checkpoint: version }, actions);
  }
  const newer = names
    .filter(({ kind, version }) => kind === "commit" && version > state.version)
    .toSorted((a, b) => a.version - b.version);
  const limit = pLimit(READS);
  const commits = await Promise.all(newer.map(({ version }) => limit(() => readCommit(store, table, version))));
  for (const [at, { version }] of newer.entries()) {
    if (version !== state.version + 1) throw damaged(store, `version ${state.version + 1} of ${table} is missing`);
    state = { ...applyActions(state, commits[at] ?? []), version };
  }
  return state;
}

const damaged = ({ name }: Store, what: string, cause?: unknown) =>
  new UpstreamBadResponse(name, `${name}: ${what}`, { cause });

async function readCommit(store: Store, table: string, version: number): Promise<Action[]> {
  const what = `version ${version} of ${table}`;
  const found = await store.read(commitKey(table, version));
  if (typeof found !== "object") throw damaged(store, `${what} is missing`);
  return parseCommit(found.content.toString(), what, store);
}

/** The actions of a commit, a line each. @param what names it, as in `version 3 of grades` @throws UpstreamBadResponse when it is damaged */
export function parseCommit(text: string, what: string, store: StoreReader): Action[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => parseStored(readAction, line, what, store));
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

/** Adds one version, which appears whole and durable or not at all; false when another publisher added it. Its files must be in the store. */
export const commitVersion = (
  store: Store,
  table: string,
  version: number,
  actions: readonly Action[],
): Promise<boolean> =>
  store.create(commitKey(table, version), actions.map((action) => `${JSON.stringify(action)}\n`).join(""));
