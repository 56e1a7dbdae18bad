/** `explain=true`: explains how a response is derived, instead of sending it (server/RULES.md, Time). */
import type { z } from "zod";
import { BULK_BASE } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import type { Product } from "../../../pipeline/contract/documents/manifest.ts";
import { PRODUCT_OF, type TableName } from "../../../pipeline/contract/tables.ts";
import { termName } from "../../../pipeline/contract/vocabulary.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { constant, type Fragment, sql, statementText } from "../../duckdb/sql.ts";
import { filesOf, nameIn, type TermPart } from "../../snapshot/generation.ts";
import { jsonObject, rowsOf } from "../../snapshot/loading/loading.ts";
import type { EndpointContext, EndpointResult, Statement } from "../endpoint.ts";
import { withTables } from "../published-tables.ts";
import { flag } from "../params.ts";
import type { RequestParams, Representation } from "../representations/representation.ts";
import { EXPLANATION_TYPE, type ExplainedSource, type ExplainedTable, type Explanation } from "./shape.ts";

export const explainParam = flag(
  `true describes, as ${EXPLANATION_TYPE}, how the response is derived instead of sending it: snapshot, files, sources and the SQL statement`,
);

const TYPE = `${EXPLANATION_TYPE}; charset=utf-8`;

export const explanation = {
  name: "explanation",
  types: [TYPE],
  // A wildcard must not select it, because it is not the response.
  onlyByName: true,
  parameter: "explain",
  hasFields: true,
  dependsOn: "request",
  render: async (params, context) => ({ ...(await explain(params, context)), headers: { "Content-Type": TYPE } }),
} satisfies Representation;

type Reads = Statement["reads"];

async function explain(
  { endpoint, values, page, fields, url }: RequestParams,
  context: EndpointContext,
): Promise<EndpointResult> {
  const { id, generation, createdAt } = context.snapshot.published.manifest;
  const statement = await endpoint.statement(values, context, page);
  const { reads, live, select, counted = select, grades } = statement;
  const tables = withTables(context.snapshot.published, statement);
  const [[rows] = []] = await context.pool.columns(
    sql`${tables} SELECT count(*)::INTEGER FROM (${counted})`,
    OVER_FILES,
  );
  const explained: z.infer<typeof Explanation> = {
    title: endpoint.title(values, context),
    request: { url: url(), values, ...(fields ? { fields: [...fields] } : {}) },
    snapshot: { id, generation, createdAt },
    tables: live ? [] : await Promise.all(reads.map((read) => toTable(context, read))),
    upstream: live?.address ?? null,
    sql: live ? null : statementText(select),
    rows: rows as number,
  };
  const text = JSON.stringify(explained);
  const chunks = grades && (await readGrades(context, sql`${tables} FROM (${grades})`));
  const body = chunks
    ? [Buffer.from(`${text.slice(0, -1)},"grades":[`), ...chunks, Buffer.from("]}")]
    : [Buffer.from(text)];
  return { body, rows: explained.rows };
}

async function toTable(
  context: EndpointContext,
  { table, term }: Reads[number],
): Promise<z.infer<typeof ExplainedTable>> {
  const { published } = context.snapshot;
  const usedPaths = new Set(filesOf(published, table, term).paths);
  const base = `${BULK_BASE}/${nameIn(published)}`;
  return {
    name: table,
    files: published.manifest.files
      .filter(({ path }) => usedPaths.has(`${published.folder}/${path}`))
      .map(({ path, sha256, rows }) => ({ path, url: `${base}/${path}`, sha256, rows })),
    sources: await sourcesOf(context, table, term),
  };
}

const GRADE = jsonObject([
  "year",
  "quarter",
  "sectionCode",
  ["file", "exportFile"],
  ["sha256", "exportSha256"],
  ["sheet", "exportSheet"],
  ["row", "exportRow"],
]);

/** Reads rows as chunks of their JSON with commas, because there may be hundreds of thousands. */
async function readGrades({ pool }: EndpointContext, rows: Fragment): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const [texts = []] of pool.chunks(sql`SELECT ${constant(GRADE)}::VARCHAR FROM (${rows})`, OVER_FILES))
    chunks.push(Buffer.from(`${chunks.length > 0 ? "," : ""}${texts.join(",")}`));
  return chunks;
}

type Source = z.infer<typeof ExplainedSource>;

/** The source systems of products, if their names differ. */
const SYSTEM_OF: Readonly<Partial<Record<Product, string>>> = {
  grades: "records",
  instructors: "directory",
  history: "schedule",
  enrollment: "schedule",
};

/** Formats a point in time like `Date.toISOString`. */
const utc = (column: string) => `strftime(timezone('UTC', ${column}), '%Y-%m-%dT%H:%M:%S.%gZ')`;
const SOURCE = jsonObject(["system", "name", "year", "quarter", ["fetchedAt", utc("fetchedAt")], "sha256", "rows"]);

/** Returns the recorded sources of a table; without records, only the address and time of the crawl. */
async function sourcesOf(
  { pool, snapshot: { published }, freshness }: EndpointContext,
  table: TableName,
  { year, quarter }: TermPart = {},
): Promise<Source[]> {
  const isOf = sql`tableName = ${table}
    AND (year IS NULL OR ${year === undefined ? sql`TRUE` : sql`year = ${year}`})
    AND (quarter IS NULL OR ${quarter === undefined ? sql`TRUE` : sql`quarter = ${quarter}`})`;
  const [recorded = []] = await pool.columns(
    sql`SELECT ${constant(SOURCE)}::VARCHAR FROM ${rowsOf(published, "sources")} WHERE ${isOf} ORDER BY ALL`,
    { uncached: true },
  );
  if (recorded.length > 0) return recorded.map((text) => JSON.parse(text as string) as Source);
  const product = PRODUCT_OF[table];
  const system = SYSTEM_OF[product] ?? product;
  const address = published.manifest.source[system];
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
