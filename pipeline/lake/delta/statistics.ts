/**
 * The statistics of data files, from their Parquet footers (Delta protocol, "Per-file Statistics"): engines skip files
 * by them.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteLiteral } from "../../contract/sql-text.ts";
import { duckdbColumns, type Table } from "../../contract/table.ts";

/** Longer texts, such as comments, would bloat the log and help no query. */
const LONGEST_TEXT = 64;

type Value = string | number;

interface Group {
  readonly file: string;
  readonly column: string;
  readonly least: string | null;
  readonly greatest: string | null;
  readonly missing: number | null;
}

/**
 * Reads the statistics by file, as the text that `add` holds. Partition columns and nested ones have none, and a column
 * without bounds in any row group has no bounds here.
 */
export async function readStatistics(
  connection: DuckDBConnection,
  table: Table,
  files: readonly { readonly from: string; readonly rows: number }[],
): Promise<Map<string, string>> {
  if (files.length === 0) return new Map();
  const columns = duckdbColumns(table.row.shape).filter(({ name }) => !table.partitionedBy.includes(name));
  const scalars = columns.filter(({ type }) => !/\[\]$|^(MAP|STRUCT)\(/.test(type));
  const read = await connection.runAndReadAll(
    `SELECT file_name AS "file", path_in_schema AS "column", stats_min_value AS least, stats_max_value AS greatest, stats_null_count AS missing
     FROM parquet_metadata([${files.map(({ from }) => quoteLiteral(from)).join(", ")}])
     WHERE path_in_schema IN (${scalars.map(({ name }) => quoteLiteral(name)).join(", ")})`,
  );
  const groups = new Map<string, Group[]>(files.map(({ from }) => [from, []]));
  for (const group of read.getRowObjectsJson() as unknown as Group[]) groups.get(group.file)?.push(group);
  return new Map(files.map(({ from, rows }) => [from, toStatistics(scalars, groups.get(from) ?? [], rows)]));
}

function toStatistics(
  columns: readonly { name: string; type: string }[],
  groups: readonly Group[],
  numRecords: number,
): string {
  const minValues: Record<string, Value> = {};
  const maxValues: Record<string, Value> = {};
  const nullCount: Record<string, number> = {};
  for (const { name, type } of columns) {
    const columnGroups = groups.filter(({ column }) => column === name);
    if (columnGroups.every(({ missing }) => missing !== null))
      nullCount[name] = columnGroups.reduce((sum, { missing }) => sum + Number(missing), 0);
    const bounds = toBounds(type, columnGroups);
    if (!bounds) continue;
    [minValues[name], maxValues[name]] = bounds;
  }
  return JSON.stringify({ numRecords, minValues, maxValues, nullCount });
}

/** The minimum and the maximum; undefined if a row group has none, or readers define no order for the type. */
function toBounds(type: string, groups: readonly Group[]): [Value, Value] | undefined {
  if (groups.length === 0 || type === "BOOLEAN") return undefined;
  const values: Value[] = [];
  for (const { least, greatest } of groups) {
    if (least === null || greatest === null) return undefined;
    values.push(toValue(type, least), toValue(type, greatest));
  }
  if (values.some((value) => (typeof value === "number" ? !Number.isFinite(value) : value.length > LONGEST_TEXT)))
    return undefined;
  values.sort(compare);
  return [values[0] as Value, values.at(-1) as Value];
}

function toValue(type: string, text: string): Value {
  if (type === "VARCHAR" || type === "DATE") return text;
  if (type.startsWith("TIMESTAMP")) return new Date(text.replace(" ", "T").replace(/\+00$/, "Z")).toISOString();
  return Number(text);
}

/** Compares texts by their bytes in UTF-8, as Parquet orders them. */
function compare(a: Value, b: Value): number {
  return typeof a === "number" ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
}
