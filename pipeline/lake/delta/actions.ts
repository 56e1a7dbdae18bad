/**
 * The actions of a Delta Lake log (Delta protocol, "Actions"), the commit that leads from a snapshot of a table to the
 * next, and the keys of the log.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Partition, PublishedFile } from "../../contract/documents/manifest.ts";
import type { Table } from "../../contract/table.ts";
import { deltaSchema } from "./schema.ts";

export interface Add {
  /** The path relative to the table's folder. */
  readonly path: string;
  readonly partitionValues: Readonly<Record<string, string | null>>;
  readonly size: number;
  readonly modificationTime: number;
  readonly dataChange: boolean;
  /** JSON text: the number of rows, and by column the minimum, the maximum and the number of missing values. */
  readonly stats: string;
  /** The first version with the file. */
  readonly tags: { readonly since: string };
  /** Rows that other writers marked as deleted in the file. */
  readonly deletionVector?: unknown;
}

export interface Remove extends Pick<Add, "path" | "partitionValues" | "size" | "dataChange" | "deletionVector"> {
  readonly deletionTimestamp: number;
  readonly extendedFileMetadata: true;
  /**
   * The file belongs to the versions from `since` (inclusive) to `until` (exclusive): retention needs both after the
   * commits are gone.
   */
  readonly tags: { readonly since: string; readonly until: string };
}

export interface MetaData {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly format: { readonly provider: "parquet"; readonly options: Readonly<Record<string, string>> };
  readonly schemaString: string;
  readonly partitionColumns: readonly string[];
  readonly configuration: Readonly<Record<string, string>>;
  readonly createdTime: number;
}

export interface CommitInfo {
  readonly timestamp: number;
  readonly operation: string;
  readonly operationParameters: Readonly<Record<string, string>>;
  readonly engineInfo: string;
  /** The snapshot id, which every engine's history shows. */
  readonly userMetadata: string;
}

export interface Protocol {
  readonly minReaderVersion: number;
  readonly minWriterVersion: number;
  readonly readerFeatures?: readonly string[] | null;
  readonly writerFeatures?: readonly string[] | null;
}

export type Action =
  | { readonly commitInfo: CommitInfo }
  | { readonly protocol: Protocol }
  | { readonly metaData: MetaData }
  | { readonly add: Add }
  | { readonly remove: Remove };

const texts = z.record(z.string(), z.string().nullable()).nullish();
const kinds = {
  add: z.looseObject({ path: z.string(), partitionValues: texts, size: z.int(), tags: texts }),
  remove: z.looseObject({ path: z.string(), partitionValues: texts, size: z.int().nullish(), tags: texts }),
  metaData: z.looseObject({ id: z.string(), createdTime: z.int().nullish() }),
  protocol: z.looseObject({ minReaderVersion: z.int(), minWriterVersion: z.int() }),
  commitInfo: z.looseObject({}),
};
/** The parts of an action that a later version needs. Kinds that only other writers use change nothing here. */
const needed = z.looseObject(kinds).partial();
/** An action of any writer. Actions are compared as text later, so fields keep their order. */
export const readAction = z.custom<Action>((value) => needed.safeParse(value).success);

/**
 * Adds the tags that retention needs, which other writers do not write.
 * @param version the version whose commit has the action
 * @param since the first version that a file may have belonged to, if nothing states it
 */
export function withTags(action: Action, version: number, since: number): Action {
  const tags = { since: String(since), until: String(version) };
  if ("add" in action) return { add: { ...action.add, tags: Object.assign({ since: tags.since }, action.add.tags) } };
  if ("remove" in action) return { remove: { ...action.remove, tags: Object.assign(tags, action.remove.tags) } };
  return action;
}

/** The state of a table after the newest version in its log. */
export interface TableState {
  /** The version; -1 before the first. */
  readonly version: number;
  /** The version of the newest checkpoint; -1 without a checkpoint. */
  readonly checkpoint: number;
  readonly metaData: MetaData | undefined;
  readonly protocol: Protocol | undefined;
  readonly files: ReadonlyMap<string, Add>;
  readonly removed: ReadonlyMap<string, Remove>;
  /** The versions of other writers after the newest version of this program. */
  readonly foreign: readonly ForeignVersion[];
  /** True when a writer marked rows of files as deleted, in any version that is still in the log. */
  readonly hasDeletionVectors: boolean;
}

/** A version that another program added. */
export interface ForeignVersion {
  readonly version: number;
  /** The operation in the commit; empty if it names none. */
  readonly operation: string;
  readonly engine: string;
}

export const EMPTY_STATE: TableState = {
  version: -1,
  checkpoint: -1,
  metaData: undefined,
  protocol: undefined,
  files: new Map(),
  removed: new Map(),
  foreign: [],
  hasDeletionVectors: false,
};

export const PROTOCOL: Protocol = { minReaderVersion: 1, minWriterVersion: 2 };
const isPublishedProtocol = ({
  minReaderVersion,
  minWriterVersion,
  readerFeatures,
  writerFeatures,
}: Protocol): boolean =>
  minReaderVersion === PROTOCOL.minReaderVersion &&
  minWriterVersion === PROTOCOL.minWriterVersion &&
  !readerFeatures?.length &&
  !writerFeatures?.length;

/** The name of this program in the commits that it writes. */
export const ENGINE = "academic-data-rest-service";

/** The file's path in the table's folder. */
export const tablePath = ({ table, path }: PublishedFile): string => path.slice(table.length + 1);

/** The files that are missing from the table's newest version, or have another size or partition there. */
export function newFiles(state: TableState, files: readonly PublishedFile[]): PublishedFile[] {
  return files.filter((file) => {
    const add = state.files.get(tablePath(file));
    if (add?.size !== file.bytes) return true;
    const values = Object.entries(file.partition);
    return values.some(([column, value]) => add.partitionValues[column] !== value);
  });
}

/**
 * The actions of the version after `state`, whose files are those of the snapshot; none when the table is unchanged.
 * Versions of other writers are always followed by a version of this program, which restores protocol, schema and
 * files.
 * @param files the table's files in the snapshot
 * @param stats by the paths of `newFiles`
 * @param at the time of the snapshot, in milliseconds
 */
export function toActions(
  state: TableState,
  {
    table,
    files,
    stats,
    at,
    snapshot,
  }: {
    table: Table;
    files: readonly PublishedFile[];
    stats: ReadonlyMap<string, string>;
    at: number;
    snapshot: string;
  },
): Action[] {
  const version = state.version + 1;
  const metaData = nextMetaData(state.metaData, table, at);
  const wanted = new Set(files.map(tablePath));
  const gone = [...state.files.values()].filter(({ path }) => !wanted.has(path));
  const added = newFiles(state, files);
  const protocol = state.protocol && isPublishedProtocol(state.protocol) ? [] : [{ protocol: PROTOCOL }];
  const isNew = state.version < 0 || state.foreign.length > 0 || protocol.length > 0;
  if (!isNew && metaData === state.metaData && gone.length === 0 && added.length === 0) return [];
  const commitInfo: CommitInfo = {
    timestamp: at,
    operation: "WRITE",
    operationParameters: { mode: "Overwrite", partitionBy: JSON.stringify(table.partitionedBy) },
    engineInfo: ENGINE,
    userMetadata: snapshot,
  };
  return [
    { commitInfo },
    ...protocol,
    ...(metaData === state.metaData ? [] : [{ metaData }]),
    ...gone.map(({ path, partitionValues, size, tags }) => ({
      remove: {
        path,
        deletionTimestamp: at,
        dataChange: true,
        extendedFileMetadata: true as const,
        partitionValues,
        size,
        tags: { since: tags.since, until: String(version) },
      },
    })),
    ...added.map((file) => {
      const path = tablePath(file);
      // A file that comes back may still belong to an older retained version.
      const since = state.removed.get(path)?.tags.since ?? String(version);
      const partitionValues = Object.fromEntries(
        table.partitionedBy.map((column) => [column, file.partition[column as keyof Partition] ?? ""]),
      );
      const text = stats.get(file.path) ?? JSON.stringify({ numRecords: file.rows });
      return {
        add: {
          path,
          partitionValues,
          size: file.bytes,
          modificationTime: at,
          dataChange: true,
          stats: text,
          tags: { since },
        },
      };
    }),
  ];
}

/** Returns the previous metadata, as long as the table has not changed. */
function nextMetaData(previous: MetaData | undefined, table: Table, createdAt: number): MetaData {
  const next: MetaData = {
    id: previous?.id ?? randomUUID(),
    name: table.name,
    description: table.about,
    format: { provider: "parquet", options: {} },
    schemaString: JSON.stringify(deltaSchema(table)),
    partitionColumns: table.partitionedBy,
    configuration: {},
    createdTime: previous?.createdTime ?? createdAt,
  };
  return previous && JSON.stringify(previous) === JSON.stringify(next) ? previous : next;
}

/** The keys of a table's log in a store. */
export const logPrefix = (table: string): string => `${table}/_delta_log/`;

const DIGITS = 20;
const numbered = (version: number): string => String(version).padStart(DIGITS, "0");

export const commitKey = (table: string, version: number): string => `${logPrefix(table)}${numbered(version)}.json`;
export const checkpointKey = (table: string, version: number): string =>
  `${logPrefix(table)}${numbered(version)}.checkpoint.parquet`;
export const lastCheckpointKey = (table: string): string => `${logPrefix(table)}_last_checkpoint`;

interface LogName {
  readonly kind: "commit" | "checkpoint";
  readonly version: number;
}

/** Returns undefined for any other object. */
export function parseLogKey(key: string): LogName | undefined {
  const match = /\/_delta_log\/(\d{20})\.(json|checkpoint\.parquet)$/.exec(key);
  return match ? { kind: match[2] === "json" ? "commit" : "checkpoint", version: Number(match[1]) } : undefined;
}

/** The version of any object of a log, including forms that only other writers use; undefined if the name has none. */
export function versionOf(key: string): number | undefined {
  const digits = /\/_delta_log\/(\d{20})\./.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
