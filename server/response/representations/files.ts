/** A response in CSV, NDJSON or Parquet: DuckDB copies the rows of its statement. */
import type { z } from "zod";
import { sql } from "../../duckdb/sql.ts";
import type { EndpointContext, EndpointResult, Statement } from "../endpoint.ts";
import { withTables } from "../published-tables.ts";
import { totalHeader } from "../paging.ts";
import { copyRows, type FileFormat, streamRows } from "./copy.ts";
import { answerOf } from "./json.ts";
import { csvColumns, rowOf, selectFor } from "./layout.ts";
import { type RequestParams, type BodyDescription, fileHeaders, type Representation } from "./representation.ts";

/**
 * Exports the rows. @param key concurrent requests with equal keys share a copy; undefined for a live result.
 * @throws Problem when it is too large
 */
async function exportRows(
  file: Pick<Representation, "types"> & { readonly name: FileFormat },
  params: RequestParams,
  context: EndpointContext,
  key: string | undefined,
): Promise<EndpointResult> {
  const { endpoint, values, page } = params;
  const { pool, snapshot, signal } = context;
  const statement = await endpoint.statement(values, context, page);
  const rows = sql`${withTables(snapshot.published, statement)} FROM (${statement.flat ?? statement.select})`;
  const parts = await endpoint.inParts?.(values, context, page);
  const columns = selectFor(file.name, rowOf(endpoint.returns, values));
  const statements = (parts ? parts.statements : [rows]).map((part) => sql`SELECT ${columns} FROM (${part}) r`);
  const total = await totalOf(params, context, statement);
  const headers = { ...statement.headers, ...total, ...fileHeaders(endpoint.path, file) };
  if (parts && statements.length > 1 && file.name !== "parquet")
    return { body: streamRows(pool, statements, file.name, signal()), rows: parts.rows, headers };
  return { ...(await copyRows(pool, statements, file.name, key, signal())), headers };
}

/** Returns the total of a page, which counts elements of the JSON, not rows. */
export async function totalOf(
  { endpoint, values, page }: RequestParams,
  context: EndpointContext,
  { live }: Statement,
): Promise<Record<string, string>> {
  if (!page) return {};
  // Reuse the upstream's rows instead of querying it again.
  const listContext = live ? { ...context, live: { ask: () => Promise.resolve(live) } } : context;
  const list = await answerOf(endpoint, values, listContext);
  return "total" in list ? totalHeader(list.total) : {};
}

function toFile<N extends FileFormat>(
  name: N,
  types: readonly [string, ...string[]],
  describe: (columns: z.ZodRawShape) => BodyDescription,
) {
  const file = { name, types };
  return {
    ...file,
    isFormat: true,
    hasRanges: true,
    dependsOn: "rows",
    describe: ({ returns }) => describe(rowOf(returns)),
    render: (params, context, key) => exportRows(file, params, context, key),
  } satisfies Representation;
}

/** Describes the columns, and how values differ from JSON. */
function columnsText(columns: z.ZodRawShape, names: readonly string[] = Object.keys(columns)): string {
  const blank = "averageGPA" in columns ? "; averageGPA is null where JSON has 0 for want of letter grades" : "";
  return names.join(", ") + blank;
}

export const csv = toFile("csv", ["text/csv; charset=utf-8; header=present"], (columns) => {
  const names = csvColumns(columns).map(({ path }) => path.join("."));
  return {
    about: `a header line, then a line per row: ${columnsText(columns, names)}. Cells are as they are: what begins with =, +, - or @ is a formula to a spreadsheet`,
  };
});
export const ndjson = toFile(
  "ndjson",
  ["application/x-ndjson; charset=utf-8", "application/ndjson", "application/jsonl"],
  (columns) => ({ about: `an object per line with the fields ${columnsText(columns)}` }),
);
export const parquet = {
  ...toFile("parquet", ["application/vnd.apache.parquet"], (columns) => ({
    about: `the columns ${columnsText(columns)}`,
    isBinary: true,
  })),
  isCompressed: true,
};
