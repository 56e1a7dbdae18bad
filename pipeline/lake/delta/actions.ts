/** The actions of a Delta Lake log (Delta protocol, "Actions"), and the commit that leads from one snapshot of a table to the next. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Partition, PublishedFile } from "../../contract/documents/manifest.ts";
import type { Table } from "../../contract/table.ts";
import { deltaSchema } from "./schema.ts";

export interface Add {
  /** Relative to the table's folder. */
  readonly path: string;
  readonly partitionValues: Readonly<Record<string, string>>;
  readonly size: number;
  readonly modificationTime: number;
  readonly dataChange: boolean;
  /** JSON text: rows, and the least, the greatest and the number of missing values by column. */
  readonly stats: string;
  readonly tags: { readonly since: string };
}

export interface Remove extends Pick<Add, "path" | "partitionValues" | "size" | "dataChange"> {
  readonly deletionTimestamp: number;
  readonly extendedFileMetadata: true;
  /** The file belongs to the versions from `since` to before `until`: retention needs both after the commits are gone. */
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
  /** The snapshot id, where every engine's history shows it. */
  readonly userMetadata: string;
}

export type Action =
  | { readonly commitInfo: CommitInfo }
  | { readonly protocol: { readonly minReaderVersion: number; readonly minWriterVersion: number } }
  | { readonly metaData: MetaData }
  | { readonly add: Add }
  | { readonly remove: Remove };

const texts = z.record(z.string(), z.string());
/** What a later version needs of an action; the rest stays as it was written. */
const needed = z.union([
  z.looseObject({
    add: z.looseObject({
      path: z.string(),
      partitionValues: texts,
      size: z.int(),
      tags: z.looseObject({ since: z.string() }),
    }),
  }),
  z.looseObject({
    remove: z.looseObject({
      path: z.string(),
      size: z.int(),
      tags: z.looseObject({ since: z.string(), until: z.string() }),
    }),
  }),
  z.looseObject({ metaData: z.looseObject({ id: z.string(), createdTime: z.int() }) }),
  z.looseObject({ protocol: z.looseObject({}) }),
  z.looseObject({ commitInfo: z.looseObject({}) }),
]);
/** An action as this program wrote it, which needs its own tags to go on. It is compared as text later: its fields keep their order. */
export const readAction = z.custom<Action>((value) => needed.safeParse(value).success);

/** What the log says of a table after its newest version. */
export interface TableState {
  /** -1 before the first. */
  readonly version: number;
  /** The version of the newest checkpoint; -1 without one. */
  readonly checkpoint: number;
  readonly metaData: MetaData | undefined;
  readonly files: ReadonlyMap<string, Add>;
  readonly removed: ReadonlyMap<string, Remove>;
}

export const EMPTY_STATE: TableState = {
  version: -1,
  checkpoint: -1,
  metaData: undefined,
  files: new Map(),
  removed: new Map(),
};

export const PROTOCOL = { minReaderVersion: 1, minWriterVersion: 2 };

/** The file's path in the table's folder. */
export const tablePath = ({ table, path }: PublishedFile): string => path.slice(table.length + 1);

/** The files that the table's newest version does not have. */
export function newFiles(state: TableState, files: readonly PublishedFile[]): PublishedFile[] {
  return files.filter((file) => !state.files.has(tablePath(file)));
}

/**
 * The actions of the version after `state`, whose files are those of the snapshot; none when the table is as it was.
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
  if (state.version >= 0 && metaData === state.metaData && gone.length === 0 && added.length === 0) return [];
  const commitInfo: CommitInfo = {
    timestamp: at,
    operation: "WRITE",
    operationParameters: { mode: "Overwrite", partitionBy: JSON.stringify(table.partitionedBy) },
    engineInfo: "academic-data-rest-service",
    userMetadata: snapshot,
  };
  return [
    { commitInfo },
    ...(state.version < 0 ? [{ protocol: PROTOCOL }] : []),
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

/** The one before, as long as the table is what it was. */
function nextMetaData(before: MetaData | undefined, table: Table, at: number): MetaData {
  const next: MetaData = {
    id: before?.id ?? randomUUID(),
    name: table.name,
    description: table.about,
    format: { provider: "parquet", options: {} },
    schemaString: JSON.stringify(deltaSchema(table)),
    partitionColumns: table.partitionedBy,
    configuration: {},
    createdTime: before?.createdTime ?? at,
  };
  return before && JSON.stringify(before) === JSON.stringify(next) ? before : next;
}
