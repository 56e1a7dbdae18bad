/** A response in CSV, NDJSON or Parquet: the statement of its origin, copied by DuckDB. */
import { sql } from "../../duckdb/sql.ts";
import type { EndpointContext, EndpointResult, Origin } from "../endpoint.ts";
import { answerOf, withTables } from "../origin.ts";
import { totalHeader } from "../paging.ts";
import { copyRows, type FileFormat, streamRows } from "./copy.ts";
import { rowOf, selectFor } from "./layout.ts";
import { type Asked, fileHeaders, type Representation } from "./representation.ts";

/** @param key concurrent requests with equal ones share one copy; undefined for a live result. @throws Problem when it is too large */
async function exportRows(
  file: Pick<Representation, "types"> & { readonly name: FileFormat },
  asked: Asked,
  context: EndpointContext,
  key: string | undefined,
): Promise<EndpointResult> {
  const { endpoint, values, page } = asked;
  const { pool, snapshot, signal } = context;
  const origin = await endpoint.origin(values, context, page);
  const rows = sql`${withTables(snapshot.generation, origin)} FROM (${origin.flat ?? origin.statement})`;
  const parts = await endpoint.inParts?.(values, context, page);
  const columns = selectFor(file.name, rowOf(endpoint.returns, values));
  const statements = (parts ? parts.statements : [rows]).map((part) => sql`SELECT ${columns} FROM (${part}) r`);
  const total = await totalOf(asked, context, origin);
  const headers = { ...origin.headers, ...total, ...fileHeaders(endpoint.path, file) };
  if (parts && statements.length > 1 && file.name !== "parquet")
    return { body: streamRows(pool, statements, file.name, signal()), rows: parts.rows, headers };
  return { ...(await copyRows(pool, statements, file.name, key, signal())), headers };
}

/** A page counts elements of the JSON, so that its total is that of the JSON. */
export async function totalOf(
  { endpoint, values, page }: Asked,
  context: EndpointContext,
  { live }: Origin,
): Promise<Record<string, string>> {
  if (!page) return {};
  // What the upstream returned is not asked for twice.
  const asked = live ? { ...context, live: { ask: () => Promise.resolve(live) } } : context;
  const list = await answerOf(endpoint, values, asked);
  return "total" in list ? totalHeader(list.total) : {};
}

function toFile<N extends FileFormat>(name: N, ...types: [string, ...string[]]) {
  const file = { name, types };
  return {
    ...file,
    isFormat: true,
    hasFields: false,
    hasRanges: true,
    dependsOn: "rows",
    // Each request opens the file for itself.
    isShared: false,
    marks: { format: name },
    render: (asked, context, key) => exportRows(file, asked, context, key),
  } satisfies Representation;
}

export const csv = toFile("csv", "text/csv; charset=utf-8; header=present");
export const ndjson = toFile(
  "ndjson",
  "application/x-ndjson; charset=utf-8",
  "application/ndjson",
  "application/jsonl",
);
export const parquet = { ...toFile("parquet", "application/vnd.apache.parquet"), isCompressed: true };
