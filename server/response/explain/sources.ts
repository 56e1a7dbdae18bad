/** The exports and crawls behind a table (server/RULES.md, Time). */
import type { z } from "zod";
import type { Product } from "../../../pipeline/contract/documents/manifest.ts";
import { PRODUCT_OF, type TableName } from "../../../pipeline/contract/tables.ts";
import { termName } from "../../../pipeline/contract/vocabulary.ts";
import { OVER_FILES } from "../../duckdb/pool.ts";
import { constant, sql } from "../../duckdb/sql.ts";
import { filesOf, type TermPart } from "../../snapshot/generation.ts";
import { jsonObject, publishedRows } from "../../snapshot/loading/loading.ts";
import type { EndpointContext } from "../endpoint.ts";
import type { ExplainedSource } from "./shape.ts";

type Source = z.infer<typeof ExplainedSource>;

/** Where a product comes from, if its system has another name. */
const SYSTEM_OF: Readonly<Partial<Record<Product, string>>> = {
  grades: "records",
  instructors: "directory",
  history: "schedule",
  enrollment: "schedule",
};

/** A point in time as `Date.toISOString` writes it. */
const utc = (column: string) => `strftime(timezone('UTC', ${column}), '%Y-%m-%dT%H:%M:%S.%gZ')`;
const SOURCE = jsonObject(["system", "name", "year", "quarter", ["fetchedAt", utc("fetchedAt")], "sha256", "rows"]);

/** The recorded sources of a table; a generation without them names the address and the time of the crawl only. */
export async function sourcesOf(
  { pool, snapshot: { generation }, freshness }: EndpointContext,
  table: TableName,
  { year, quarter }: TermPart = {},
): Promise<Source[]> {
  const sources = publishedRows("sources", filesOf(generation, "sources").paths);
  const isOf = sql`tableName = ${table}
    AND (year IS NULL OR ${year === undefined ? sql`TRUE` : sql`year = ${year}`})
    AND (quarter IS NULL OR ${quarter === undefined ? sql`TRUE` : sql`quarter = ${quarter}`})`;
  const [recorded = []] = await pool.columns(
    sql`SELECT ${constant(SOURCE)}::VARCHAR FROM ${sources} WHERE ${isOf} ORDER BY ALL`,
    OVER_FILES,
  );
  if (recorded.length > 0) return recorded.map((text) => JSON.parse(text as string) as Source);
  const product = PRODUCT_OF[table];
  const system = SYSTEM_OF[product] ?? product;
  const address = generation.manifest.source[system];
  const fetchedAt =
    (year !== undefined && quarter !== undefined && freshness.terms[termName({ year, quarter })]) ||
    freshness.products[product];
  if (address === undefined && fetchedAt === undefined) return [];
  return [
    {
      system,
      name: address ?? "",
      year: year ?? null,
      quarter: quarter ?? null,
      fetchedAt: fetchedAt ?? null,
      sha256: null,
      rows: null,
    },
  ];
}
