/** Which tables, columns and files a statement needs: what it does not name is not fetched. */
import { readWords, tablesIn, valuesOf, wantsAllColumns } from "./sql-words.ts";

export interface Column {
  readonly name: string;
  /** DuckDB's name of its type. */
  readonly type: string;
}

const PARTITIONED_BY = ["year", "quarter", "month"] as const;

/** What a plan must know of a published file. */
interface PlannedFile {
  readonly bytes: number;
  readonly rows: number;
  readonly partition: { readonly [Name in (typeof PARTITIONED_BY)[number]]?: string | undefined };
}

/** What a statement reads of one table. */
export interface TablePlan<File extends PlannedFile> {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly files: readonly File[];
  readonly bytes: number;
  readonly rows: number;
}

interface Manifest<File extends PlannedFile> {
  readonly tables: Readonly<Record<string, { readonly columns: readonly Column[]; readonly files: readonly File[] }>>;
}

/** `allColumns` reads every column, for a statement that did not work without. */
export function planStatement<File extends PlannedFile>(
  statement: string,
  manifest: Manifest<File>,
  allColumns = false,
): TablePlan<File>[] {
  const words = readWords(statement);
  const mentioned = tablesIn(words);
  const everything = allColumns || wantsAllColumns(words);
  const wanted =
    mentioned.length === 1 ? PARTITIONED_BY.map((column) => [column, valuesOf(words, column)] as const) : [];
  return Object.entries(manifest.tables)
    .filter(([name]) => mentioned.includes(name))
    .map(([name, { columns, files }]) => {
      const asked = columns.filter((column) => everything || words.includes(column.name.toLowerCase()));
      const left = files.filter(({ partition }) =>
        wanted.every(([column, values]) => !values || !partition[column] || values.includes(partition[column])),
      );
      return {
        name,
        columns: asked.length > 0 ? asked : columns.slice(0, 1),
        files: left,
        bytes: left.reduce((sum, { bytes }) => sum + bytes, 0),
        rows: left.reduce((sum, { rows }) => sum + rows, 0),
      };
    });
}
