/** The response as declared, in JSON; the default representation. */
import type { Pool } from "../../duckdb/pool.ts";
import type { QueryOptions } from "../../duckdb/query.ts";
import { type Fragment, sql } from "../../duckdb/sql.ts";
import type { Body, Endpoint, EndpointContext, EndpointResult, List, Selection } from "../endpoint.ts";
import { selectFields } from "../fields/select.ts";
import { JSON_TYPE } from "../headers.ts";
import { withTables } from "../published-tables.ts";
import { isPaged, isSingle, toResult } from "../paging.ts";
import type { Params, ValuesOf } from "../params.ts";
import type { RequestParams, Representation } from "./representation.ts";

export const withFields = async (result: EndpointResult, { fields }: RequestParams): Promise<EndpointResult> =>
  fields ? { ...result, body: await selectFields(result.body, fields) } : result;

export const json = {
  name: "json",
  types: [JSON_TYPE],
  isFormat: true,
  hasFields: true,
  dependsOn: "rows",
  isShared: true,
  render: async (params, context) =>
    withFields(await toResult(await answerOf(params.endpoint, params.values, context), params.page), params),
} satisfies Representation;

/** Returns the response of an endpoint, without a format: from its `answer`, or else the rows of its statement. */
export async function answerOf(
  endpoint: Endpoint,
  values: ValuesOf<Params>,
  context: EndpointContext,
): Promise<EndpointResult | List> {
  if (endpoint.answer) return endpoint.answer(values, context);
  const statement = await endpoint.statement(values, context, undefined);
  const texts = statement.loaded
    ? await readTexts(context.pool, await statement.loaded())
    : // File names differ in every snapshot, so a prepared statement would never be reused.
      await readTexts(
        context.pool,
        sql`${withTables(context.snapshot.published, statement)} FROM (${statement.select})`,
        { uncached: true },
      );
  if (isSingle(endpoint, values)) return { body: [Buffer.from(texts[0] ?? "")], rows: 1 };
  return isPaged(endpoint) ? listTexts(texts) : { body: texts.map((text) => Buffer.from(text)) };
}

/** Reads the rows of a statement in order, each as JSON. */
export async function readTexts(pool: Pool, statement: Fragment, options?: QueryOptions): Promise<readonly string[]> {
  const [texts = []] = await pool.columns(sql`SELECT to_json(r)::VARCHAR FROM (${statement}) AS r`, options);
  return texts as string[];
}

export const listTexts = (texts: readonly string[]): List => ({
  total: texts.length,
  part: (from, to) => [Buffer.from(`[${texts.slice(from, to).join(",")}]`)],
});

/** Selects rows in the order of responses. Sorting here is cheaper than ORDER BY. @param rows `FROM … WHERE …` */
export async function selectRows(pool: Pool, records: readonly string[], rows: Fragment) {
  const [rowIds = new Int32Array()] = await pool.integers(sql`SELECT row_id ${rows}`);
  return { records, rowIds: rowIds.sort() };
}

const OPEN = Buffer.from("[");

export const listRecords = (selection: Selection): List => ({
  total: (selection.rowIds ?? selection.records).length,
  selection,
  part(from, to) {
    const { records, rowIds } = selection;
    const texts = rowIds ? Array.from(rowIds.subarray(from, to), (id) => records[id]) : records.slice(from, to);
    return [OPEN, Buffer.from(`${texts.join(",")}]`)];
  },
});

/** The most elements that are buffered, so that the response can be cached; longer lists are streamed. */
const MAX_BUFFERED = 2000;

/** Joins batches to a JSON array of `total` elements; each batch is comma-separated JSON. */
export async function jsonArray(total: number, batches: AsyncIterable<string>): Promise<Body> {
  const chunks = toChunks(batches);
  if (total > MAX_BUFFERED) return chunks;
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

async function* toChunks(batches: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let separator = "[";
  for await (const batch of batches) {
    yield Buffer.from(separator + batch);
    separator = ",";
  }
  yield Buffer.from(separator === "[" ? "[]" : "]");
}
