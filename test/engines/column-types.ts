/**
 * Compares the types that libraries assign to the columns of each table's folder, read in the shortest way that they
 * offer.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SCRIPT = join(fileURLToPath(new URL(".", import.meta.url)), "column_types.py");
const TIME_LIMIT_MS = 600_000;

/** Types by reader, table and column. */
export type ColumnTypes = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

export interface TypesResult {
  readonly versions: Readonly<Record<string, string>>;
  readonly tables: number;
  readonly columns: number;
  /** A line for each column that is not of one type. */
  readonly problems: readonly string[];
}

export async function runTypes(python: string, job: string): Promise<TypesResult> {
  const { stdout } = await promisify(execFile)(python, [SCRIPT, job], { timeout: TIME_LIMIT_MS, maxBuffer: 1 << 26 });
  const line = stdout.trim().split("\n").at(-1) ?? "";
  const { versions, types } = JSON.parse(line) as { versions: Record<string, string>; types: ColumnTypes };
  return { versions, ...compareTypes(types) };
}

export function compareTypes(types: ColumnTypes): Omit<TypesResult, "versions"> {
  const readers = Object.entries(types);
  const columnsOf = new Map<string, Set<string>>();
  for (const [, tables] of readers)
    for (const [table, columns] of Object.entries(tables))
      columnsOf.set(table, new Set([...(columnsOf.get(table) ?? []), ...Object.keys(columns)]));
  const problems: string[] = [];
  for (const [table, columns] of columnsOf)
    for (const column of columns) {
      const types = readers.map(([reader, tables]) => [reader, tables[table]?.[column] ?? "none"] as const);
      if (new Set(types.map(([, type]) => type)).size > 1)
        problems.push(`${table}.${column}: ${types.map((pair) => pair.join(" ")).join("; ")}`);
    }
  const columns = [...columnsOf.values()].reduce((sum, { size }) => sum + size, 0);
  return { tables: columnsOf.size, columns, problems };
}
