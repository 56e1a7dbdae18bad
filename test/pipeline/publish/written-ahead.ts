/**
 * Stamped files of several snapshots, written by a statement per partition: for tests about the publication of many
 * snapshots, which would spend most of their time on writing and auditing single files.
 */
import { rmSync } from "node:fs";
import { mkdtemp, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile, Partition } from "../../../pipeline/contract/documents/manifest.ts";
import { duckdbColumns } from "../../../pipeline/contract/table.ts";
import { TABLES, type TableName } from "../../../pipeline/contract/tables.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { filePath } from "../../../pipeline/store/layout.ts";
import type { StagingFolder } from "../../../pipeline/publish/partition.ts";

export interface Stamped {
  readonly table: TableName;
  readonly partition: Partition;
  /** `$1` is the stamp, `$2` the number of rows. */
  readonly select: string;
}

export interface WrittenAhead {
  /** Puts a snapshot's files into a run's staging folder; they are written together with those of the next few. */
  take(room: StagingFolder, stamp: number): Promise<PublishedFile[]>;
  close(): void;
}

/** Writes `several` snapshots at a time, those of stamps that follow each other. */
export async function openAhead(
  connection: DuckDBConnection,
  { stamped, rows, several }: { stamped: readonly Stamped[]; rows: number; several: number },
): Promise<WrittenAhead> {
  const folder = await mkdtemp(join(tmpdir(), "written-ahead-"));
  /** By stamp: the path of each partition's file, and its rows. */
  const written = new Map<number, { at: string; rows: number; of: Stamped }[]>();

  async function write(from: number): Promise<void> {
    written.clear();
    for (let stamp = from; stamp < from + several; stamp++) written.set(stamp, []);
    for (const [number, of] of stamped.entries()) {
      const columns = duckdbColumns(TABLES[of.table].row.shape).map(
        ({ name, type }) => `CAST("${name}" AS ${type}) AS "${name}"`,
      );
      const ofStamp = of.select.replaceAll("$1::INTEGER", "s.stamp::INTEGER");
      const copied = await connection.runAndReadAll(
        `COPY (SELECT stamp, ${columns.join(", ")} FROM range($1::INTEGER, $3::INTEGER) AS s(stamp), LATERAL (${ofStamp}))
         TO '${join(folder, String(number))}' (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (stamp), OVERWRITE, RETURN_STATS)`,
        [from, rows, from + several],
      );
      for (const { filename, count } of copied.getRowObjectsJS()) {
        const at = String(filename);
        written.get(Number(/stamp=(\d+)/.exec(at)?.[1]))?.push({ at, rows: Number(count), of });
      }
    }
  }

  return {
    async take({ filesFolder }, stamp) {
      if (!written.has(stamp)) await write(stamp);
      const files: PublishedFile[] = [];
      for (const { at, rows: count, of } of written.get(stamp) ?? []) {
        const { sha256, bytes } = await nodeDisk.digest(at);
        const path = filePath(of.table, of.partition, sha256);
        await nodeDisk.mkdir(dirname(join(filesFolder, path)));
        await rename(at, join(filesFolder, path));
        files.push({ table: of.table, partition: of.partition, path, sha256, rows: count, bytes });
      }
      return files;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
