/**
 * Lakes of many universities, each of which is the published data under another id, in several layouts of files. They
 * are written into the bucket of a store that stores its objects as files: repeated objects are hard links.
 */
import { createHash } from "node:crypto";
import { link, mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { quoteLiteral, readParquet } from "../../pipeline/contract/sql-text.ts";
import { TABLE_NAMES } from "../../pipeline/contract/tables.ts";
import { type Action, type Add, EMPTY_STATE, type MetaData } from "../../pipeline/lake/delta/actions.ts";
import type { DeltaStruct } from "../../pipeline/lake/delta/schema.ts";
import { commitKey } from "../../pipeline/lake/delta/actions.ts";
import { applyActions, commitVersion } from "../../pipeline/lake/delta/log.ts";
import { openDatabase } from "../../pipeline/store/database.ts";
import type { Store } from "../../pipeline/store/store.ts";

/** The content of a file in each layout. */
export const LAYOUTS = {
  published: "a table and term of one university",
  tables: "a table of one university",
  terms: "a table and term of all universities",
} as const;
export type Layout = keyof typeof LAYOUTS;

export interface ManyUniversities {
  readonly layout: Layout;
  readonly universities: number;
  readonly store: Store;
  /** The folder in which the store has the objects below its prefix. */
  readonly folder: string;
  /** The prefix of the exported lake of one university. */
  readonly from: string;
  /** The prefix of the new lake. */
  readonly to: string;
  readonly scratch: string;
  /**
   * In layouts of large files, only the files that the questions read are written; all others exist only in the log,
   * which is enough to count rows.
   */
  readonly isRead: (table: string, partitionValues: Add["partitionValues"]) => boolean;
}

type Part = Pick<Add, "partitionValues"> & { readonly files: readonly Add[] };
type File = Pick<Add, "path" | "partitionValues" | "size" | "stats">;
type Added = File & { readonly version: 0 | 1 };

/** Every table has two versions: the second one adds the last university. Returns the number of data files. */
export async function writeLake(options: ManyUniversities): Promise<number> {
  let files = 0;
  for (const table of TABLE_NAMES) files += await writeTable(table, options);
  return files;
}

async function writeTable(table: string, options: ManyUniversities): Promise<number> {
  const { folder, from, layout, to, universities } = options;
  const { metaData, files } = applyActions(
    EMPTY_STATE,
    (await readFile(join(folder, from, commitKey(table, 0)), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Action),
  );
  if (!metaData) throw new Error(`${table} has no schema`);
  const adds = [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const added: Added[] = [];
  const merge = (part: Part, first: number, last: number) => merged(table, part, [first, last], options);
  if (layout === "terms") {
    for (const part of byPartition(adds)) {
      if (universities > 1) added.push({ ...(await merge(part, 1, universities - 1)), version: 0 });
      added.push({ ...(await merge(part, universities, universities)), version: 1 });
    }
  } else {
    const whole =
      layout === "tables" && adds.length > 0 ? await merge({ partitionValues: {}, files: adds }, 0, 0) : undefined;
    const one = whole
      ? [{ ...whole, at: join(to, table, whole.path) }]
      : adds.map((add) => ({ ...add, at: join(from, table, add.path) }));
    for (let number = 1; number <= universities; number++) {
      const university = idOf(number);
      for (const { at, partitionValues, path, size, stats } of one) {
        const linked = `university=${university}/${path}`;
        const target = join(folder, to, table, linked);
        await mkdir(dirname(target), { recursive: true });
        await link(join(folder, at), target);
        const version = number === universities ? 1 : 0;
        added.push({ path: linked, size, stats, partitionValues: { university, ...partitionValues }, version });
      }
    }
  }
  await writeLog(table, metaData, added, options);
  return added.length;
}

async function writeLog(
  table: string,
  metaData: MetaData,
  added: readonly Added[],
  options: ManyUniversities,
): Promise<void> {
  const { layout, store, to } = options;
  const { fields } = JSON.parse(metaData.schemaString) as DeltaStruct;
  const column = { name: "university", type: "string", nullable: true, metadata: { comment: "id of the university" } };
  const partitionColumns = [
    ...(layout === "terms" ? [] : ["university"]),
    ...(layout === "tables" ? [] : metaData.partitionColumns),
  ];
  const schemaString = JSON.stringify({ type: "struct", fields: [column, ...fields] });
  const head: Action[] = [
    { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
    { metaData: { ...metaData, schemaString, partitionColumns } },
  ];
  for (const version of [0, 1] as const) {
    const actions: Action[] = version === 0 ? head : [];
    for (const { version: of, ...file } of added) {
      if (of !== version) continue;
      actions.push({ add: { ...file, modificationTime: 0, dataChange: true, tags: { since: String(version) } } });
    }
    await commitVersion(store, `${to}/${table}`, version, actions);
  }
}

/**
 * Writes a file with the rows of these files, once for each university from `first` to `last`, one after another;
 * without a university for 0. Row groups have DuckDB's default size.
 */
async function merged(
  table: string,
  { files, partitionValues }: Part,
  [first, last]: readonly [number, number],
  { folder, from, isRead, scratch, store, to }: ManyUniversities,
): Promise<File> {
  const copies = last - first + 1;
  const name = createHash("sha256")
    .update(`${JSON.stringify(partitionValues)} ${first}`)
    .digest("hex")
    .slice(0, 32);
  const path = `${[...Object.values(partitionValues), name].join("-")}.parquet`;
  const rows = files.reduce((sum, { stats }) => sum + (JSON.parse(stats) as { numRecords: number }).numRecords, 0);
  const stats = JSON.stringify({ numRecords: rows * copies });
  if (first > 0 && !isRead(table, partitionValues))
    return { path, partitionValues, stats, size: copies * files.reduce((sum, file) => sum + file.size, 0) };
  const source = readParquet(files.map((file) => join(folder, from, table, file.path)));
  const selects = Array.from({ length: copies }, (_, at) =>
    first === 0 ? `FROM ${source}` : `SELECT ${quoteLiteral(idOf(first + at))} AS university, * FROM ${source}`,
  );
  const written = join(scratch, "merged.parquet");
  const database = await openDatabase({ memoryLimit: "3GB", threads: 2, tempFolder: join(scratch, "spill") });
  try {
    await database.connection.run(
      `COPY (${selects.join(" UNION ALL ")}) TO ${quoteLiteral(written)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } finally {
    database.close();
  }
  const { size } = await stat(written);
  await store.addFiles([{ key: `${to}/${table}/${path}`, at: written }]);
  await rm(written);
  return { path, partitionValues, size, stats };
}

const idOf = (number: number): string => `u${String(number).padStart(3, "0")}`;

function byPartition(adds: readonly Add[]): Part[] {
  const parts = new Map<string, Part>();
  for (const add of adds) {
    const key = JSON.stringify(add.partitionValues);
    const { files = [] } = parts.get(key) ?? {};
    parts.set(key, { partitionValues: add.partitionValues, files: [...files, add] });
  }
  return [...parts.values()];
}
