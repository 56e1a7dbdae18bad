/**
 * The files that follow from those of the tables, for readers of folders: of each view one for each part of its first table, and one without rows of each
 * table and view that has none. What was made of the same is not made again.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { DerivedFile, Partition, PublishedFile } from "../contract/documents/manifest.ts";
import { nullRow, quoteIdentifier, tableRows } from "../contract/sql-text.ts";
import type { Table } from "../contract/table.ts";
import { TABLE_NAMES, type TableName, TABLES } from "../contract/tables.ts";
import { filesOfView, type View, VIEWS } from "../contract/views.ts";
import type { Base } from "../generations/base.ts";
import { emptyPath, partitionTitle, samePartition } from "../generations/layout.ts";
import { countRows } from "../generations/schema.ts";
import { columnsOf, orderOf, ROWS_PER_GROUP, type StagingFolder, writeSorted } from "./partition.ts";

export interface Derived {
  readonly file: DerivedFile;
  readonly at: string;
}

/** A table's file of the next generation, and where it is now; undefined for one that the next run has to fetch again. */
interface Input {
  readonly file: PublishedFile;
  readonly at: string | undefined;
}

export interface DeriveOptions {
  readonly base: Base;
  readonly files: readonly Input[];
  /** What was made for other generations. */
  readonly made?: readonly Derived[];
  /** Told of a file that cannot be made, and why. */
  readonly onProblem: (problem: string) => void;
}

/** What a derived file is made of. */
interface Recipe {
  /** As the manifest names it. */
  readonly table: string;
  readonly partition: Partition;
  readonly of: Table;
  readonly inputs: ReadonlyMap<TableName, readonly Input[]>;
  /** Over relations with the names of the inputs. */
  readonly select: string;
  readonly isEmpty: boolean;
}

/** A file that cannot be made is left out and told of: everything else is published all the same. */
export async function deriveFiles(
  connection: DuckDBConnection,
  staging: StagingFolder,
  { base, files, made: before = [], onProblem }: DeriveOptions,
): Promise<readonly Derived[]> {
  const derived: Derived[] = [];
  for (const recipe of [...VIEWS.flatMap((view) => recipesOf(view, files)), ...emptyTables(files)]) {
    const madeOf = digestOf(recipe);
    const isIt = (file: DerivedFile) =>
      file.madeOf === madeOf && file.table === recipe.table && samePartition(file.partition, recipe.partition);
    const known = base.derived.find(isIt);
    const same = before.find(({ file }) => isIt(file));
    if (known) derived.push({ file: known, at: join(base.generation?.folder ?? "", known.path) });
    else if (same) derived.push(same);
    else {
      const made = await make(connection, staging, recipe, madeOf).catch((error: unknown) => {
        onProblem(`${partitionTitle(recipe)}: ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
      });
      if (made) derived.push(made);
    }
  }
  return derived;
}

/** One for each part of the view's first table; without any part one without rows. */
function recipesOf(view: View, files: readonly Input[]): Recipe[] {
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
    isEmpty: false,
  }));
  if (parts.length === 0) return [{ ...common, partition: {}, inputs: noInputs(view.tables), isEmpty: true }];
  return recipes.filter(({ inputs }) => [...inputs.values()].flat().every(({ at }) => at !== undefined));
}

const noInputs = (tables: readonly string[]) => new Map(tables.map((table) => [table as TableName, [] as Input[]]));

/** The tables without a file: their own columns, and no row. */
const emptyTables = (files: readonly Input[]): Recipe[] =>
  TABLE_NAMES.filter((name) => !files.some(({ file }) => file.table === name)).map((name) => {
    const of: Table = TABLES[name];
    const common = { table: name, partition: {}, of, inputs: new Map() };
    return { ...common, select: `${nullRow(of)} WHERE false`, isEmpty: true };
  });

const partsOf = (files: readonly Input[]): Partition[] => [
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
  { table, partition, of, inputs, select, isEmpty }: Recipe,
  madeOf: string,
): Promise<Derived> {
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
    ...(isEmpty ? { pathOf: (sha256: string) => emptyPath(table, sha256) } : {}),
    count: (path) => countRows(connection, path),
  });
  return { file: { ...file, madeOf }, at: join(staging.filesFolder, file.path) };
}
