/**
 * Makes files from those of the tables, for readers of folders: of each view a file for each partition of its first
 * table, and a file without rows for each table and view that has none. A file that was made of the same is kept.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { isMade, type Partition, type PublishedFile } from "../contract/documents/manifest.ts";
import { nullRow, quoteIdentifier, tableRows } from "../contract/sql-text.ts";
import type { Table } from "../contract/table.ts";
import { emptyName, TABLE_NAMES, type TableName, TABLES } from "../contract/tables.ts";
import { filesOfView, type View, VIEWS } from "../contract/views.ts";
import { partitionTitle, samePart } from "../store/layout.ts";
import { countRows } from "../store/schema.ts";
import { columnsOf, orderOf, ROWS_PER_GROUP, type StagingFolder, writeSorted } from "./partition.ts";
import type { LocatedFile } from "./publication.ts";
import type { Staging } from "./staging.ts";

export interface DeriveOptions {
  /** The tables' files of the next generation. */
  readonly files: readonly LocatedFile[];
  /** Made files of other generations. */
  readonly earlier: readonly LocatedFile[];
  /** Receives the reason when a file cannot be made. */
  readonly onProblem: (problem: string) => void;
}

/** What a file is made of. */
interface Recipe {
  /** As the manifest names it. */
  readonly table: string;
  readonly partition: Partition;
  readonly of: Table;
  readonly inputs: ReadonlyMap<TableName, readonly LocatedFile[]>;
  /** Over relations with the names of the inputs. */
  readonly select: string;
}

/** Adds the made files to a staging folder that has all files of the tables. */
export async function stageDerived(
  connection: DuckDBConnection,
  staging: Staging,
  onProblem: DeriveOptions["onProblem"],
): Promise<void> {
  const located = (file: PublishedFile): LocatedFile => ({ file, at: staging.pathOf(file) });
  const earlier = (staging.base?.manifest.files ?? []).filter((file) => isMade(file) && staging.isSound(file));
  const options = { files: staging.files().map(located), earlier: earlier.map(located), onProblem };
  for (const { file } of await deriveFiles(connection, staging, options)) staging.put(file);
}

/**
 * Returns those of `earlier` that are made of the same, and new ones. A file that cannot be made is left out, so that
 * everything else is published all the same.
 */
export async function deriveFiles(
  connection: DuckDBConnection,
  staging: StagingFolder,
  { files, earlier, onProblem }: DeriveOptions,
): Promise<readonly LocatedFile[]> {
  const all: LocatedFile[] = [];
  for (const recipe of [...VIEWS.flatMap((view) => recipesOf(view, files)), ...emptyTables(files)]) {
    const madeOf = digestOf(recipe);
    const made =
      earlier.find(({ file }) => file.madeOf === madeOf && samePart(file, recipe)) ??
      (await make(connection, staging, recipe, madeOf).catch((error: unknown) => {
        onProblem(`${partitionTitle(recipe)}: ${error instanceof Error ? error.message : String(error)}`);
      }));
    if (made) all.push(made);
  }
  return all;
}

/** One for each partition of the view's first table; without any partition one without rows. */
function recipesOf(view: View, files: readonly LocatedFile[]): Recipe[] {
  const [first] = view.tables;
  const parts = view.partitionedBy.length === 0 ? [{}] : partsOf(files.filter(({ file }) => file.table === first));
  const common = { table: filesOfView(view), of: view, select: view.select };
  const recipes = parts.map((partition) => ({
    ...common,
    partition,
    inputs: new Map(
      view.tables.map((table) => [
        table as TableName,
        files.filter(({ file }) => file.table === table && isWithin(partition, file.partition)),
      ]),
    ),
  }));
  if (parts.length === 0) return [{ ...common, partition: {}, inputs: noInputs(view.tables) }];
  return recipes.filter(({ inputs }) => [...inputs.values()].flat().every(({ at }) => at !== undefined));
}

const noInputs = (tables: readonly string[]) =>
  new Map(tables.map((table) => [table as TableName, [] as LocatedFile[]]));

/** The tables without a file: their own columns, and no row. */
const emptyTables = (files: readonly LocatedFile[]): Recipe[] =>
  TABLE_NAMES.filter((name) => !files.some(({ file }) => file.table === name)).map((name) => {
    const of: Table = TABLES[name];
    return { table: emptyName(name), partition: {}, of, inputs: new Map(), select: `${nullRow(of)} WHERE false` };
  });

const partsOf = (files: readonly LocatedFile[]): Partition[] => [
  ...new Map(files.map(({ file }) => [JSON.stringify(file.partition), file.partition])).values(),
];

/** Whether rows of a part may be among those of another table's part, which may be of a term where this one is of a month. */
const isWithin = (part: Partition, other: Partition): boolean =>
  (["year", "quarter", "month"] as const).every(
    (key) => other[key] === undefined || part[key] === undefined || other[key] === part[key],
  );

/** Columns, order and statement, and the content of every file that it reads. */
function digestOf({ of, inputs, select }: Recipe): string {
  const contents = [...inputs].map(([table, files]) => [table, ...files.map(({ file }) => file.sha256).sort()]);
  return createHash("sha256")
    .update(JSON.stringify([columnsOf(of), orderOf(of), select, contents]))
    .digest("hex");
}

async function make(
  connection: DuckDBConnection,
  staging: StagingFolder,
  { table, partition, of, inputs, select }: Recipe,
  madeOf: string,
): Promise<LocatedFile> {
  const relations = [...inputs].map(([name, files]) => {
    const rows = tableRows(
      TABLES[name],
      files.map(({ at = "" }) => at),
    );
    return `${quoteIdentifier(name)} AS NOT MATERIALIZED (SELECT * FROM ${rows})`;
  });
  const file = await writeSorted(connection, staging, {
    table,
    partition,
    select: `${relations.length > 0 ? `WITH ${relations.join(", ")} ` : ""}SELECT ${columnsOf(of)} FROM (${select})`,
    orderBy: orderOf(of),
    rowsPerGroup: of.rowsPerGroup ?? ROWS_PER_GROUP,
    count: (path) => countRows(connection, path),
  });
  return { file: { ...file, madeOf }, at: join(staging.filesFolder, file.path) };
}
