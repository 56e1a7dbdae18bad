/** The manifest over HTTP: a snapshot, the columns of every table, and the URL of each file. */
import { z } from "zod";
import { describedColumns } from "../descriptions.ts";
import { type Freshness, freshness, type Manifest, type PublishedFile, publishedFile } from "./manifest.ts";
import type { Table } from "../table.ts";
import { emptyName, TABLES } from "../tables.ts";
import { COLUMN_ALIASES, descriptionsOf, filesOfView, VIEWS } from "../views.ts";

/** The path of manifest and files on a server or a copy of it. */
export const BULK_BASE = "/v1/data";
export const BULK_MANIFEST = `${BULK_BASE}/manifest.json`;

/** `path` is relative to the snapshot. */
export const bulkFile = publishedFile
  .omit({ table: true, madeOf: true })
  .extend({ url: z.string().describe("to be put behind the address of the server") });
export type BulkFile = z.infer<typeof bulkFile>;

const madeFile = bulkFile.extend({
  madeOf: publishedFile.shape.madeOf.unwrap().describe("hash over the statement and the files that it was made of"),
});
type MadeBulkFile = z.infer<typeof madeFile>;

const bulkColumn = z.object({
  name: z.string(),
  type: z.string().describe("as DuckDB writes it"),
  description: z.string(),
});

const countedFiles = {
  partitionedBy: z.array(z.string()),
  rows: z.int(),
  files: z.array(bulkFile),
};

export const bulkTable = z.object({
  about: z.string(),
  columns: z.array(
    bulkColumn.extend({
      alias: z
        .string()
        .optional()
        .describe("second name in SQL, where SQL reserves the first or other tables have this one"),
    }),
  ),
  ...countedFiles,
  empty: madeFile.exactOptional().describe("a file with the columns and no row, of a table that has no other"),
});
export type BulkTable = z.infer<typeof bulkTable>;

export const bulkView = z.object({
  name: z.string(),
  about: z.string(),
  tables: z.array(z.string()).describe("what it reads; a year, quarter or month of its rows is that of theirs"),
  select: z.string().describe("statement over these tables, in DuckDB's SQL"),
  descriptions: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe("what its columns mean, by name; those of its tables' columns are among them"),
  columns: z.array(bulkColumn).exactOptional().describe("those of its files"),
  partitionedBy: countedFiles.partitionedBy.exactOptional(),
  rows: countedFiles.rows.exactOptional(),
  files: z.array(madeFile).exactOptional().describe("its rows as files, for readers without SQL"),
});
export type BulkView = z.infer<typeof bulkView>;

export const bulkManifest = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe("the snapshot id"),
  contentId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe("equal for equal inputs, whenever they were crawled: a hash over the tables of what the university says"),
  generation: z.int().min(1),
  name: z.string().describe("the generation as it stands in the addresses of its files"),
  createdAt: z.iso.datetime(),
  contract: z.int().describe("goes up whenever a table changes its shape"),
  source: z.record(z.string(), z.string()).describe("where the data came from"),
  changesBefore: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .describe("hash of the changes recorded before this snapshot; its id covers it"),
  forgotten: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .exactOptional()
    .describe(
      "set once something was taken down: a copy whose snapshots have another value, or none, must drop the earlier ones",
    ),
  forgottenAt: z.iso.datetime().exactOptional().describe("when something was last taken down"),
  sample: z.boolean().describe("true when people and numbers are invented"),
  note: z.string().describe("what to know about the data; empty when there is nothing"),
  freshness: freshness.describe("when each product and term was looked at last"),
  tables: z.record(z.string(), bulkTable),
  views: z.array(bulkView).exactOptional().describe("SQL views over the tables, which `make sql` and the site have"),
});
export type BulkManifest = z.infer<typeof bulkManifest>;

/** All files, with the `table` of each as in the snapshot's manifest. */
export const filesIn = ({ tables, views = [] }: BulkManifest): (PublishedFile & Pick<BulkFile, "url">)[] => [
  ...Object.entries(tables).flatMap(([table, { empty, files }]) => [
    ...files.map((file) => ({ ...file, table })),
    ...(empty ? [{ ...empty, table: emptyName(table) }] : []),
  ]),
  ...views.flatMap((view) => (view.files ?? []).map((file) => ({ ...file, table: filesOfView(view) }))),
];

const SAMPLE_NOTE = "This data comes from the embedded sample campus: people and numbers are invented.";

/**
 * @param name the name of the snapshot's folder
 * @param urlOf returns the URL of a file; by default the server's
 */
export function toBulkManifest(
  name: string,
  manifest: Manifest,
  freshness: Freshness,
  urlOf: (path: string) => string = (path) => `${BULK_BASE}/${name}/${path}`,
): BulkManifest {
  const { id, contentId, generation, createdAt, contract, source, changesBefore, files } = manifest;
  const { forgotten, forgottenAt } = manifest;
  const sample = Object.values(source).some((from) => from.startsWith("sample campus"));
  const toBulk = ({ path, sha256, rows, bytes, partition }: PublishedFile): BulkFile => {
    return { path, url: urlOf(path), sha256, bytes, rows, partition };
  };
  const madeFilesOf = (name: string): MadeBulkFile[] =>
    files.flatMap((file) => (file.table === name && file.madeOf ? [{ ...toBulk(file), madeOf: file.madeOf }] : []));
  const withRows = <File extends BulkFile>(tableFiles: File[]) => ({
    rows: tableFiles.reduce((sum, { rows }) => sum + rows, 0),
    files: tableFiles,
  });
  const tables = Object.entries(TABLES).map(([tableName, table]: [string, Table]): [string, BulkTable] => {
    const tableFiles = files.filter((file) => file.table === tableName).map(toBulk);
    const [empty] = madeFilesOf(emptyName(tableName));
    return [
      tableName,
      {
        about: table.about,
        columns: describedColumns(table).map((column) => {
          const alias = COLUMN_ALIASES[tableName]?.[column.name];
          return alias === undefined ? column : { ...column, alias };
        }),
        partitionedBy: [...table.partitionedBy],
        ...withRows(tableFiles),
        ...(empty === undefined ? {} : { empty }),
      },
    ];
  });
  return {
    id,
    contentId,
    generation,
    name,
    createdAt,
    contract,
    source,
    changesBefore,
    ...(forgotten === undefined ? {} : { forgotten }),
    ...(forgottenAt === undefined ? {} : { forgottenAt }),
    sample,
    note: sample ? SAMPLE_NOTE : "",
    freshness,
    tables: Object.fromEntries(tables),
    views: VIEWS.map((view) => ({
      name: view.name,
      about: view.about,
      tables: [...view.tables],
      select: view.select,
      descriptions: descriptionsOf(view),
      columns: describedColumns(view),
      partitionedBy: [...view.partitionedBy],
      ...withRows(madeFilesOf(filesOfView(view))),
    })),
  };
}
