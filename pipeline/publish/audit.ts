/** Audits a written partition: the contract's types, required values, enumerations and key. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { z } from "zod";
import type { Partition } from "../contract/documents/manifest.ts";
import type { Table } from "../contract/table.ts";
import { GuardError } from "../errors.ts";
import { partitionName } from "../store/layout.ts";
import { READ_FILE, schemaProblems } from "../store/schema.ts";
import { quoteIdentifier, quoteLiteral } from "../contract/sql-text.ts";

/** The number of offending rows in an error message. */
const NAMED = 5;

type Schema = z.ZodType;
type Def = {
  type: string;
  element?: Schema;
  innerType?: Schema;
  valueType?: Schema;
  shape?: z.ZodRawShape;
  entries?: Record<string, string>;
};

/**
 * Audits one written file and returns its number of rows.
 * @throws GuardError that names the first offending rows by key
 */
export async function auditFile(
  connection: DuckDBConnection,
  table: Table,
  partition: Partition,
  file: string,
): Promise<number> {
  const place = `${table.name} ${partitionName(partition)}`.trim();
  const schema = await schemaProblems(connection, table, file);
  if (schema.length > 0) throw new GuardError(`${place}: ${schema.slice(0, NAMED).join("; ")}`);

  const checks = [...columnChecks(table), ...partitionChecks(partition)];
  const keys = table.key.length > 0 ? `count(DISTINCT row(${table.key.map(quoteIdentifier).join(", ")}))` : "count(*)";
  const counts = ["count(*)", keys, ...checks.map(({ offends }) => `count_if(${offends})`)];
  const counted = await connection.runAndReadAll(`SELECT ${counts.join(", ")} FROM ${READ_FILE}`, [file]);
  const [rows = 0, distinct = 0, ...offences] = (counted.getRowsJS()[0] ?? []).map(Number);
  const refusals: string[] = [];
  for (const [index, { offends, says }] of checks.entries()) {
    const count = offences[index] ?? 0;
    if (count === 0) continue;
    const named = await namesOf(connection, table, file, `WHERE ${offends} ORDER BY ALL`);
    refusals.push(`${says} in ${count} of ${rows} rows: ${shown(named, count)}`);
  }
  if (distinct < rows) {
    const twice = await namesOf(connection, table, file, "GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL");
    refusals.push(`more than one row with the same ${table.key.join(", ")}: ${shown(twice, twice.length)}`);
  }
  if (refusals.length > 0) throw new GuardError(`${place}: ${refusals.join("; ")}`);
  return rows;
}

const shown = (names: readonly string[], count: number): string =>
  names.slice(0, NAMED).join(", ") + (count > NAMED ? ", …" : "");

/** The keys of the first offending rows, one more than are shown. */
async function namesOf(connection: DuckDBConnection, table: Table, file: string, rest: string): Promise<string[]> {
  const key = table.key.length > 0 ? table.key : Object.keys(table.row.shape).slice(0, 3);
  const offending = await connection.runAndReadAll(
    `SELECT ${key.map(quoteIdentifier).join(", ")} FROM ${READ_FILE} ${rest} LIMIT ${NAMED + 1}`,
    [file],
  );
  return offending.getRowsJson().map((values) => values.map((value) => value ?? "(none)").join(" "));
}

interface Check {
  readonly offends: string;
  readonly says: string;
}

function columnChecks(table: Table): Check[] {
  return Object.entries(table.row.shape).map(([name, schema]) => ({
    offends: offence(schema as Schema, quoteIdentifier(name), 0) ?? "false",
    says: `${name} does not match the contract`,
  }));
}

/** Queries would not find a row in the wrong partition. */
function partitionChecks(partition: Partition): Check[] {
  return Object.entries(partition)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({
      offends: `${quoteIdentifier(name)} IS DISTINCT FROM ${quoteLiteral(String(value))}`,
      says: `${name} is not ${value}`,
    }));
}

/**
 * Returns an SQL condition that is true for a value that breaks its schema: a null that is not allowed, or a value that
 * is not in its enumeration.
 */
function offence(schema: Schema, value: string, depth: number): string | undefined {
  const def = schema.def as unknown as Def;
  if (def.type === "nullable") {
    const inner = contentOffence(def.innerType as Schema, value, depth);
    return inner && `(${value} IS NOT NULL AND ${inner})`;
  }
  const inner = contentOffence(schema, value, depth);
  return inner ? `(${value} IS NULL OR ${inner})` : `${value} IS NULL`;
}

function contentOffence(schema: Schema, value: string, depth: number): string | undefined {
  const def = schema.def as unknown as Def;
  const inList = (element: Schema, list: string) => {
    const item = `i${depth}`;
    const inner = offence(element, item, depth + 1);
    return inner && `len(list_filter(${list}, lambda ${item}: ${inner})) > 0`;
  };
  switch (def.type) {
    case "enum":
      return `${value} NOT IN (${Object.values(def.entries ?? {})
        .map(quoteLiteral)
        .join(", ")})`;
    case "array":
      return inList(def.element as Schema, value);
    case "record":
      return inList(def.valueType as Schema, `map_values(${value})`);
    case "object": {
      const fields = Object.entries(def.shape ?? {})
        .map(([name, field]) => offence(field as Schema, `${value}.${quoteIdentifier(name)}`, depth + 1))
        .filter((condition) => condition !== undefined);
      return fields.length > 0 ? `(${fields.join(" OR ")})` : undefined;
    }
    default:
      return undefined;
  }
}
