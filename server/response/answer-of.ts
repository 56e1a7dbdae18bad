/** The response of an endpoint without its format. */
import { sql } from "../duckdb/sql.ts";
import type { Endpoint, EndpointContext, EndpointResult, List } from "./endpoint.ts";
import { listTexts } from "./list.ts";
import { withTables } from "./origin.ts";
import type { Params, ValuesOf } from "./params.ts";

/** From its `answer`, or else from the rows of its `origin`. */
export async function answerOf(
  endpoint: Endpoint,
  values: ValuesOf<Params>,
  context: EndpointContext,
): Promise<EndpointResult | List> {
  if (endpoint.answer) return endpoint.answer(values, context);
  const origin = await endpoint.origin(values, context, undefined);
  const over = withTables(context.snapshot.generation, origin);
  // Files have other names in every generation.
  const options = { uncached: true };
  const statement = sql`${over} SELECT to_json(r)::VARCHAR FROM (${origin.statement}) AS r`;
  const [texts = []] = await context.pool.columns(statement, options);
  return listTexts(texts as string[]);
}
