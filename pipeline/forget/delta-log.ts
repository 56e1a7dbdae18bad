/**
 * Rewrites the log of a Delta table in place: every version stays, but refers to the rewritten files instead of those
 * that named somebody. Statistics contain column values, so they are recomputed as well.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { type TableName, TABLES } from "../contract/tables.ts";
import { type Action, type Add, logPrefix, parseLogKey, tablePath } from "../lake/delta/actions.ts";
import { checkpointFile, readCheckpoint } from "../lake/delta/checkpoint.ts";
import { parseCommit } from "../lake/delta/log.ts";
import { readStatistics } from "../lake/delta/statistics.ts";
import type { Store } from "../store/store.ts";
import { withoutNames } from "./names-in-text.ts";
import type { LocatedFile } from "../store/publish.ts";
import type { Forgotten } from "./tombstones.ts";

export interface DeltaLogOptions {
  readonly connection: DuckDBConnection;
  readonly tempFolder: string;
  readonly forgotten: Forgotten;
  /** Rewritten files by the path that the original had below the store. */
  readonly made: ReadonlyMap<string, LocatedFile | undefined>;
}

/** Rewrites the log. Idempotent. */
export async function rewriteDeltaLog(store: Store, table: TableName, options: DeltaLogOptions): Promise<void> {
  const { connection, made, tempFolder } = options;
  const stats = await statisticsOf(connection, table, made);
  const objects = await store.list(logPrefix(table));
  const logs: { key: string; actions: Action[]; isCommit: boolean }[] = [];
  for (const { bytes, key } of objects) {
    const name = parseLogKey(key);
    if (!name) continue;
    if (name.kind === "commit") {
      const stored = await store.read(key);
      if (typeof stored !== "object") continue;
      const actions = parseCommit(stored.content.toString(), { table, version: name.version }, store);
      logs.push({ key, actions, isCommit: true });
    } else {
      const path = join(tempFolder, `${randomUUID()}.parquet`);
      await store.download(key, bytes, path);
      const { actions } = await readCheckpoint(connection, path, name.version);
      logs.push({ key, actions: [...actions], isCommit: false });
    }
  }
  const renamed = logs.map((log) => ({
    ...log,
    names: log.actions.flatMap((action) => rename(action, table, options, stats)),
  }));
  const since = firstVersions(renamed.flatMap(({ names }) => names));
  for (const { actions, isCommit, key, names } of renamed) {
    const all = names.map((action) => withSince(action, since));
    const left = isCommit ? withoutSame(all) : all;
    const next = textOf(left);
    if (next === textOf(actions)) continue;
    const content = isCommit ? next : { at: await checkpointFile(connection, left, tempFolder) };
    for (let isWritten = false; !isWritten;) {
      const stored = await store.read(key);
      isWritten = await store.replace(key, content, typeof stored === "object" ? stored.etag : null);
    }
  }
}

const textOf = (actions: readonly Action[]): string => actions.map((action) => `${JSON.stringify(action)}\n`).join("");

async function statisticsOf(
  connection: DuckDBConnection,
  name: TableName,
  made: DeltaLogOptions["made"],
): Promise<ReadonlyMap<string, string>> {
  const here = [...made].flatMap(([key, rewritten]) =>
    rewritten?.at !== undefined && rewritten.file.table === name && rewritten.file.path !== key
      ? [{ path: rewritten.file.path, rows: rewritten.file.rows, from: rewritten.at }]
      : [],
  );
  const byPlace = await readStatistics(connection, TABLES[name], here);
  return new Map(here.map(({ from, path }) => [path, byPlace.get(from) ?? ""]));
}

/** Points an action to the rewritten file; returns no action when nothing is left of the file. */
function rename(
  action: Action,
  table: TableName,
  { forgotten, made }: DeltaLogOptions,
  stats: ReadonlyMap<string, string>,
): Action[] {
  const path = "add" in action ? action.add.path : "remove" in action ? action.remove.path : undefined;
  if (path === undefined) return [action];
  const key = `${table}/${path}`;
  const now = made.get(key);
  if (made.has(key) && !now) return [];
  const file: PublishedFile | undefined = now && now.file.path !== key ? now.file : undefined;
  if ("remove" in action)
    return [file ? { remove: { ...action.remove, path: tablePath(file), size: file.bytes } } : action];
  if (!("add" in action)) return [action];
  const { add } = action;
  if (file) {
    const text = stats.get(file.path) ?? JSON.stringify({ numRecords: file.rows });
    return [{ add: { ...add, path: tablePath(file), size: file.bytes, stats: text } }];
  }
  return [{ add: { ...add, stats: statsWithoutNames(add, forgotten) } }];
}

/** Drops all bounds that contain a name: the file is gone, so they cannot be recomputed. */
function statsWithoutNames({ stats }: Add, forgotten: Forgotten): string {
  // Other writers may leave them out.
  if (typeof stats !== "string") return stats;
  const texts: string[] = [];
  const parsed = JSON.parse(stats, (_key, value: unknown) => {
    if (typeof value === "string") texts.push(value);
    return value;
  }) as { numRecords?: number };
  const isNaming = texts.some(
    (text) =>
      forgotten.isName(text) || forgotten.isNetid(text) || withoutNames(text, forgotten, { isNotice: true }) !== text,
  );
  return isNaming ? JSON.stringify({ numRecords: parsed.numRecords }) : stats;
}

/** Two states that differed in a name alone are one file now: it belongs to the table since the first of them. */
function firstVersions(actions: readonly Action[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const action of actions) {
    const file = "add" in action ? action.add : "remove" in action ? action.remove : undefined;
    if (file) first.set(file.path, Math.min(first.get(file.path) ?? Infinity, Number(file.tags.since)));
  }
  return first;
}

function withSince(action: Action, first: ReadonlyMap<string, number>): Action {
  const sinceOf = ({ path, tags }: Pick<Add, "path" | "tags">) => String(first.get(path) ?? tags.since);
  if ("add" in action) return { add: { ...action.add, tags: { ...action.add.tags, since: sinceOf(action.add) } } };
  if ("remove" in action)
    return { remove: { ...action.remove, tags: { ...action.remove.tags, since: sinceOf(action.remove) } } };
  return action;
}

/** Drops actions that cancel each other: a version that removes and adds the same file leaves it as it is. */
function withoutSame(actions: readonly Action[]): Action[] {
  const added = new Set(actions.flatMap((action) => ("add" in action ? [action.add.path] : [])));
  const both = new Set(
    actions.flatMap((action) => ("remove" in action && added.has(action.remove.path) ? [action.remove.path] : [])),
  );
  return actions.filter(
    (action) =>
      !("add" in action && both.has(action.add.path)) && !("remove" in action && both.has(action.remove.path)),
  );
}
