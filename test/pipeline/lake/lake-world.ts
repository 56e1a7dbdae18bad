/** Snapshots that cost next to nothing: a few files are written once, and a snapshot is a choice among them. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { grades } from "../../../pipeline/contract/rows/grade.ts";
import { terms } from "../../../pipeline/contract/rows/listing.ts";
import type { Partition, PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import type { Table } from "../../../pipeline/contract/table.ts";
import { type ExportOptions, exportSnapshot } from "../../../pipeline/lake/complete.ts";
import type { ListedSnapshot } from "../../../pipeline/lake/listing.ts";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import { publishFiles } from "../../../pipeline/publish/staging.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { gradeRow, scratchDatabase, scratchFolder } from "../publish/scratch.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { readVersion } from "./delta-reader.ts";

/**
 * The A grades of each year's only row, and the number in the terms' only row; a year that is missing is not published.
 */
export interface Marks {
  readonly years: Readonly<Record<string, number>>;
  readonly terms: number;
}

/** Call it where the tests are declared. */
export async function openLakeWorld() {
  const { connection } = await scratchDatabase();
  const scratch = scratchFolder();
  const store = join(scratch, "store");
  const written = new Map<string, Promise<PublishedFile>>();

  async function write(table: Table, partition: Partition, row: Record<string, unknown>): Promise<PublishedFile> {
    const select = `SELECT * FROM ${await loadRows(connection, table, [row])}`;
    return writePartition(connection, { disk: nodeDisk, filesFolder: store }, { table, partition, select });
  }

  /** Builds each file once, one after another: they share a table of the database. */
  async function fileOf(key: string, make: () => Promise<PublishedFile>): Promise<PublishedFile> {
    const cached = written.get(key);
    if (cached) return cached;
    const made = Promise.all(written.values()).then(make);
    written.set(key, made);
    return made;
  }

  /** Publishes the snapshot in `artifacts` at that time. Returns its id. */
  async function publishMarks(artifacts: string, { years, terms: mark }: Marks, now: Date): Promise<string> {
    const term = { year: "2024", quarter: "Fall", longName: `version ${mark}`, ordinal: 20246 };
    const files = [await fileOf(`terms ${mark}`, () => write(terms, {}, term))];
    for (const [year, gradeACount] of Object.entries(years))
      files.push(
        await fileOf(`${year} ${gradeACount}`, () => write(grades, { year }, gradeRow({ year, gradeACount }))),
      );
    mkdirSync(artifacts, { recursive: true });
    const base = await readBase(artifacts);
    const folder = join(artifacts, "staging", "run");
    const staged = files.map((file) => ({ file, at: join(store, file.path) }));
    const { id } = await publishFiles({ artifacts, folder, disk: nodeDisk, base, files: staged }, { source: {}, now });
    await nodeDisk.rm(folder);
    return id;
  }

  /** The content of a retained snapshot's versions, read as any reader of Delta tables does. */
  async function readMarks(lake: string, { versions }: Pick<ListedSnapshot, "versions">): Promise<Marks> {
    const rowsOf = async (table: string, columns: string): Promise<string[][]> => {
      const files = await readVersion(connection, join(lake, table), versions[table] ?? -1);
      if (files.length === 0) return [];
      const paths = files.map(({ path }) => `'${join(lake, table, path)}'`);
      const read = await connection.runAndReadAll(
        `SELECT ${columns} FROM read_parquet([${paths.join(", ")}], hive_partitioning = false)`,
      );
      return read.getRowsJson().map((row) => row.map(String));
    };
    const years = await rowsOf("grades", 'year, "gradeACount"');
    const [[longName = ""] = []] = await rowsOf("terms", '"longName"');
    return {
      years: Object.fromEntries(years.map(([year, mark]) => [year, Number(mark)])),
      terms: Number(longName.slice("version ".length)),
    };
  }

  return { connection, scratch, publishMarks, readMarks };
}

/** Into a folder, whose disk may fail. */
export const exportLake = (artifacts: string, lake: string, { disk, ...options }: ExportOptions & { disk?: Disk }) =>
  exportSnapshot(artifacts, openFolderStore(lake, disk), options);

export function listedSnapshots(lake: string): ListedSnapshot[] {
  const text = readFileSync(join(lake, "snapshots.json"), "utf8");
  return (JSON.parse(text) as { snapshots: ListedSnapshot[] }).snapshots;
}
