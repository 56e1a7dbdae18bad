/** A response in CSV, NDJSON or Parquet: the statement of its origin, copied by DuckDB. */
import { sql } from "../../duckdb/sql.ts";
import type { Endpoint, EndpointContext, EndpointResult, Origin } from "../endpoint.ts";
import { answerOf, withTables } from "../origin.ts";
import { totalHeader } from "../paging.ts";
import type { RequestQuery } from "../query.ts";
import { copyRows, type FileFormat, streamRows } from "./copy.ts";
import { fileHeaders } from "./format.ts";
import { rowOf, selectFor } from "./layout.ts";

/** Concurrent requests with equal keys share one copy; undefined for a live result. @throws Problem when it is too large */
export async function exportRows(
  endpoint: Endpoint,
  { values, page }: Pick<RequestQuery, "values" | "page">,
  format: FileFormat,
  context: EndpointContext,
  key: string | undefined,
): Promise<EndpointResult> {
  const { pool, snapshot, signal } = context;
  const origin = await endpoint.origin(values, context, page);
  const rows = sql`${withTables(snapshot.generation, origin)} FROM (${origin.flat ?? origin.statement})`;
  const parts = await endpoint.inParts?.(values, context, page);
  const columns = selectFor(format, rowOf(endpoint.returns, values));
  const statements = (parts ? parts.statements : [rows]).map((part) => sql`SELECT ${columns} FROM (${part}) r`);
  const total = await totalOf(endpoint, { values, page }, context, origin);
  const headers = { ...origin.headers, ...total, ...fileHeaders(endpoint.path, format) };
  if (parts && statements.length > 1 && format !== "parquet")
    return { body: streamRows(pool, statements, format, signal()), rows: parts.rows, headers };
  return { ...(await copyRows(pool, statements, format, key, signal())), headers };
}

/** A page counts elements of the JSON, so that its total is that of the JSON. */
export async function totalOf(
  endpoint: Endpoint,
  { values, page }: Pick<RequestQuery, "values" | "page">,
  context: EndpointContext,
  { live }: Origin,
): Promise<Record<string, string>> {
  if (!page) return {};
  // What the upstream returned is not asked for twice.
  const asked = live ? { ...context, live: { ask: () => Promise.resolve(live) } } : context;
  const list = await answerOf(endpoint, values, asked);
  return "total" in list ? totalHeader(list.total) : {};
}
