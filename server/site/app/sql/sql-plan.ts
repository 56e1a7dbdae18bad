/** The tables, columns and files that a statement needs; nothing else is fetched. */
import { tokenize, tablesIn, valuesOf, wantsAllColumns } from "./sql-tokens.ts";

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly alias?: string | undefined;
}

const PARTITIONED_BY = ["year", "quarter", "month"] as const;

interface PlannedFile {
  readonly bytes: number;
  readonly rows: number;
  readonly partition: { readonly [Name in (typeof PARTITIONED_BY)[number]]?: string | undefined };
}

export interface TablePlan<File extends PlannedFile> {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly files: readonly File[];
  readonly bytes: number;
  readonly rows: number;
}

interface Manifest<File extends PlannedFile> {
  readonly tables: Readonly<Record<string, { readonly columns: readonly Column[]; readonly files: readonly File[] }>>;
  readonly views?: readonly View[];
}

export interface View {
  readonly name: string;
  readonly tables: readonly string[];
  readonly select: string;
}

/** The views that a statement reads. */
export function viewsIn(statement: string, { views = [] }: Pick<Manifest<never>, "views">): readonly View[] {
  const mentioned = tablesIn(tokenize(statement));
  return views.filter(({ name }) => mentioned.includes(name));
}

/** `allColumns`: a retry with every column. */
export function planStatement<File extends PlannedFile>(
  statement: string,
  manifest: Manifest<File>,
  allColumns = false,
): TablePlan<File>[] {
  const tokens = tokenize(statement);
  const mentioned = tablesIn(tokens);
  const views = viewsIn(statement, manifest);
  const inViews = views.map(({ select }) => tokenize(select));
  const named = [tokens, ...inViews].flat();
  const everything = allColumns || [tokens, ...inViews].some(wantsAllColumns);
  const read = [...mentioned, ...views.flatMap(({ tables }) => tables)];
  // A view's rows have the partition columns of its tables.
  const wanted =
    mentioned.length === 1 ? PARTITIONED_BY.map((column) => [column, valuesOf(tokens, column)] as const) : [];
  return Object.entries(manifest.tables)
    .filter(([name]) => read.includes(name))
    .map(([name, { columns, files }]) => {
      const isNamed = (column: string | undefined) => column !== undefined && named.includes(column.toLowerCase());
      const needed = columns.filter((column) => everything || isNamed(column.name) || isNamed(column.alias));
      const matching = files.filter(({ partition }) =>
        wanted.every(([column, values]) => !values || !partition[column] || values.includes(partition[column])),
      );
      return {
        name,
        columns: needed.length > 0 ? needed : columns.slice(0, 1),
        files: matching,
        bytes: matching.reduce((sum, { bytes }) => sum + bytes, 0),
        rows: matching.reduce((sum, { rows }) => sum + rows, 0),
      };
    });
}
