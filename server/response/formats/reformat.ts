/** A reply in another format: the rows that were selected, or those of its JSON, copied by DuckDB. */
import type { Pool } from "../../duckdb/pool.ts";
import { sql } from "../../duckdb/sql.ts";
import { isBuffered } from "../encoding/encoding.ts";
import type { Endpoint, EndpointResult } from "../endpoint.ts";
import { copyRows } from "./copy.ts";
import { type Format, FORMAT_TYPES } from "./format.ts";
import { layoutOf, selectFor } from "./layout.ts";

export interface Reformatting {
  readonly pool: Pool;
  readonly request: Pick<Request, "signal">;
  /** Concurrent requests with equal keys share one copy; undefined for a live result. */
  readonly key: string | undefined;
}

/** The same reply as JSON, or as rows. @throws Problem when it is too large */
export async function reformat(
  reply: EndpointResult,
  format: Format,
  { returns, path }: Pick<Endpoint, "returns" | "path">,
  { pool, request, key }: Reformatting,
): Promise<EndpointResult> {
  if (format === "json" || format === "atom") return reply;
  const layout = layoutOf(returns);
  const { relation = () => layout.fromJson(sql`${textOf(reply)}::JSON`), ...rest } = reply;
  const rows = sql`(SELECT ${selectFor(format, layout)} FROM ${relation()} r)`;
  return {
    ...rest,
    body: await copyRows(pool, rows, format, key, request.signal),
    headers: {
      ...reply.headers,
      "Content-Type": FORMAT_TYPES[format],
      "Content-Disposition": `attachment; filename="${fileName(path)}.${format}"`,
    },
  };
}

function textOf({ body }: EndpointResult): string {
  if (!isBuffered(body)) throw new TypeError("a streamed result needs a relation");
  return Buffer.concat(body).toString();
}

/** `/grades/raw` → `grades-raw`. */
const fileName = (path: string): string =>
  path
    .split("/")
    .filter((step) => /^\w+$/.test(step))
    .join("-");
