/**
 * Derives files from those of the tables, for readers of folders: a file of each view for each partition of its first
 * table, and a file without rows for each table and view that has none. A derived file is reused while its inputs are
 * unchanged.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { samePart, isMade, type Partition, type PublishedFile } from "../contract/documents/manifest.ts";
import { nullRow, quoteIdentifier, tableRows } from "../contract/sql-text.ts";
import type { Table } from "../contract/table.ts";
import { emptyName, TABLE_NAMES, type TableName, TABLES } from "../contract/tables.ts";
import { filesOfView, type View, VIEWS } from "../contract/views.ts";
import { partitionTitle } from "../store/layout.ts";
import { countRows } from "../store/schema.ts";
import { columnsOf, orderOf, ROWS_PER_GROUP, type StagingFolder, writeSorted } from "./partition.ts";
import type { LocatedFile } from "../store/publish.ts";
import type { Staging } from "./staging.ts";

export interface DeriveOptions {
  /** Files of the tables of the next snapshot. */
  readonly files: readonly LocatedFile[];
  /** Derived files of other snapshots. */
  readonly earlier: readonly LocatedFile[];
  /** Receives the reason when a file cannot be derived. */
  readonly onProblem: (problem: string) => void;
}

/** The inputs of a derived file. */
interface Recipe {
  /** The name of the table in the manifest. */
  readonly table: string;
  readonly partition: Partition;
  readonly of: Table;
  readonly inputs: ReadonlyMap<TableName, readonly LocatedFile[]>;
  /** The SELECT over relations that are named like the inputs. */
  readonly select: string;
}

/** Adds the derived files to a staging folder that has all files of the tables. */
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
 * Returns the files of `earlier` whose inputs are unchanged, and new ones. A file that cannot be derived is left out,
 * so that the rest is published anyway.
 */
export async function deriveFiles(
  connection: DuckDBConnection,
  staging: StagingFolder,
  { files, earlier, onProblem }: DeriveOptions,
): Promise<readonly LocatedFile[]> {
  const all: LocatedFile[] = [];
  for (const recipe of [...VIEWS.flatMap((view) => recipesOf(view, files)), ...emptyTables(files)]) {
    const madeOf = digestOf(recipe);
    const derived =
      earlier.find(({ file }) => file.madeOf === madeOf && samePart(file, recipe)) ??
      (await make(connection, staging, recipe, madeOf).catch((error: unknown) => {
        onProblem(`${partitionTitle(recipe)}: ${error instanceof Error ? error.message : String(error)}`);
      }));
    if (derived) all.push(derived);
  }
  return all;
}

/**
 * Returns a recipe for each partition of the view's first table; without any partition a single recipe without rows.
 */
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

/** Tables without a file get a file with their columns and no rows. */
const emptyTables = (files: readonly LocatedFile[]): Recipe[] =>
  TABLE_NAMES.filter((name) => !files.some(({ file }) => file.table === name)).map((name) => {
    const of: Table = TABLES[name];
    return { table: emptyName(name), partition: {}, of, inputs: new Map(), select: `${nullRow(of)} WHERE false` };
  });

const partsOf = (files: readonly LocatedFile[]): Partition[] => [
  ...new Map(files.map(({ file }) => [JSON.stringify(file.partition), file.partition])).values(),
];

/**
 * True when rows of a partition may match those of another table's partition, which may be a term where this one is a
 * month.
 */
const isWithin = (part: Partition, other: Partition): boolean =>
  (["year", "quarter", "month"] as const).every(
    (key) => other[key] === undefined || part[key] === undefined || other[key] === part[key],
  );

/** Hashes columns, order and statement, and the content of every input file. */
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
