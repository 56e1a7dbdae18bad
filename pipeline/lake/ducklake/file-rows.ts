/** The rows of a DuckLake catalogue about its data files, and about each snapshot's changes to them. */
import { isMade, type Manifest, type Partition, type PublishedFile } from "../../contract/documents/manifest.ts";
import { nameOf } from "../../store/layout.ts";
import type { CatalogueRows } from "./catalogue.ts";
import { LAKE_TABLES, type LakeTable } from "./schema-rows.ts";

/**
 * The bounds for skipping files are those of their partition. The extension finds a footer of the usual size without
 * its length.
 */
export function fileRows(
  lifetimes: readonly Lifetime[],
  pathOf: (generation: string, file: PublishedFile) => string,
): CatalogueRows {
  const numbered = lifetimes.map((lifetime, id) => ({ ...lifetime, id }));
  const byTable = LAKE_TABLES.map((table) => {
    let rowId = 0;
    const files = numbered
      .filter(({ file }) => file.table === table.name)
      .map((lifetime) => {
        const row_id_start = rowId;
        rowId += lifetime.file.rows;
        return { ...lifetime, row_id_start };
      });
    return { ...table, files, rowId };
  });
  return {
    ducklake_data_file: byTable.flatMap(({ id: table_id, files }) =>
      files.map(({ id, file, begin, end, newest, row_id_start }) => ({
        data_file_id: id,
        table_id,
        begin_snapshot: begin,
        end_snapshot: end,
        path: pathOf(newest, file),
        path_is_relative: true,
        file_format: "parquet",
        record_count: file.rows,
        file_size_bytes: file.bytes,
        row_id_start,
        mapping_id: table_id,
      })),
    ),
    ducklake_file_column_stats: byTable.flatMap((table) =>
      table.files.flatMap(({ id: data_file_id, file }) =>
        partitionValues(table, file).map(({ column_id, value }) => ({
          data_file_id,
          table_id: table.id,
          column_id,
          value_count: file.rows,
          null_count: 0,
          min_value: value,
          max_value: value,
        })),
      ),
    ),
    ducklake_table_stats: byTable.map(({ id: table_id, files, rowId }) => {
      const now = files.filter(({ end }) => end === null);
      return {
        table_id,
        record_count: now.reduce((sum, { file }) => sum + file.rows, 0),
        next_row_id: rowId,
        file_size_bytes: now.reduce((sum, { file }) => sum + file.bytes, 0),
      };
    }),
  };
}

function partitionValues({ columns }: LakeTable, { partition }: PublishedFile): { column_id: number; value: string }[] {
  return columns.flatMap(({ id, name, parent }) => {
    const value = parent === null ? partition[name as keyof Partition] : undefined;
    return value === undefined ? [] : [{ column_id: id, value }];
  });
}

/** The changes of each snapshot (DuckLake specification, "ducklake_snapshot_changes"). */
export function changesBySnapshot(lifetimes: readonly Lifetime[]): Map<number, Set<string>> {
  const ids = new Map<string, number>(LAKE_TABLES.map(({ name, id }) => [name, id]));
  const changes = new Map<number, Set<string>>();
  const add = (snapshot: number, change: string) =>
    changes.set(snapshot, (changes.get(snapshot) ?? new Set()).add(change));
  for (const { file, begin, end } of lifetimes) {
    add(begin, `inserted_into_table:${ids.get(file.table)}`);
    if (end !== null) add(end, `deleted_from_table:${ids.get(file.table)}`);
  }
  return changes;
}

/** The range of snapshots in which a data file belongs to its table. */
interface Lifetime {
  readonly file: PublishedFile;
  /** The first snapshot with the file. */
  readonly begin: number;
  /** The first snapshot after it without the file; null if it is in the newest. */
  readonly end: number | null;
  /** The newest snapshot with the file, which is retained for longest. */
  readonly newest: string;
}

/**
 * Computes the lifetimes. @param manifests oldest first. A file that comes back has several lifetimes; they are ordered
 * by their begin, then as the manifests are.
 */
export function lifetimesOf(manifests: readonly Manifest[]): Lifetime[] {
  const newest = new Map<string, string>();
  for (const { generation, id, files } of manifests)
    for (const { path } of files) newest.set(path, nameOf({ generation, id }));
  const lifetimes: { file: PublishedFile; begin: number; end: number | null; newest: string }[] = [];
  let open = new Map<string, (typeof lifetimes)[number]>();
  for (const manifest of manifests) {
    const now = new Map<string, (typeof lifetimes)[number]>();
    for (const file of manifest.files.filter((listed) => !isMade(listed))) {
      const started = open.get(file.path);
      const lifetime = started ?? { file, begin: manifest.generation, end: null, newest: newest.get(file.path) ?? "" };
      if (!started) lifetimes.push(lifetime);
      now.set(file.path, lifetime);
    }
    for (const [path, lifetime] of open) if (!now.has(path)) lifetime.end = manifest.generation;
    open = now;
  }
  return lifetimes;
}
