/** JSON in an envelope, its rows with the predecessor's fields. A response costs as much more as parsing and writing its rows takes. */
import type { Body, Endpoint, EndpointContext, EndpointResult, List } from "../response/endpoint.ts";
import { jsonArray } from "../response/list.ts";
import { answerOf } from "../response/origin.ts";
import { toResult } from "../response/paging.ts";
import { explanation as plainExplanation } from "../response/representations/explanation.ts";
import { json as plainJson, withFields } from "../response/representations/json.ts";
import type { Representation } from "../response/representations/representation.ts";
import type { ShapeName } from "../response/shapes/shapes.ts";
import { createYielder } from "../snapshot/event-loop-yielder.ts";
import { envelope } from "./envelope.ts";
import { previews, ROWS } from "./rows.ts";

/** Rows that are parsed before other requests have a turn: one may have hundreds of days. */
const ROWS_PER_BATCH = 64;

type Rewrite = (row: unknown) => object;

export const json: Representation = {
  ...plainJson,
  // The rows of courses and people show each other.
  dependsOn: "snapshot",
  cacheKeyParts: { compat: true },
  envelope: envelope,
  async render(asked, context) {
    const answer = await answerOf(asked.endpoint, asked.values, context);
    const rewrite = await rewriteOf(asked.endpoint, context);
    return withFields(
      await toResult(rewrite ? await rewritten(answer, rewrite, asked.endpoint) : answer, asked.page),
      asked,
    );
  },
};

export const explanation: Representation = { ...plainExplanation, envelope: envelope };

async function rewriteOf({ returns }: Endpoint, { snapshot }: EndpointContext): Promise<Rewrite | undefined> {
  const rewrite = ROWS[returns.name as ShapeName] as ((row: unknown, known: object) => object) | undefined;
  if (!rewrite) return undefined;
  const known = await snapshot.derive(previews);
  return (row) => rewrite(row, known);
}

async function rewritten(
  answer: EndpointResult | List,
  rewrite: Rewrite,
  { streams = false }: Endpoint,
): Promise<EndpointResult | List> {
  if (!("part" in answer)) {
    const row = JSON.parse(await textOf(answer.body)) as object;
    return { ...answer, body: [Buffer.from(JSON.stringify(rewrite(row)))] };
  }
  const part = async (from: number, to: number): Promise<Body> => {
    const batches = batchesOf(answer, rewrite, from, to);
    if (streams) return jsonArray(to - from, batches);
    const texts: string[] = [];
    for await (const batch of batches) texts.push(batch);
    return [Buffer.from(`[${texts.join(",")}]`)];
  };
  return { ...answer, part };
}

/** Rows with commas between them. */
async function* batchesOf({ part }: List, rewrite: Rewrite, from: number, to: number): AsyncGenerator<string> {
  const yieldToEventLoop = createYielder();
  for (let at = from; at < to; at += ROWS_PER_BATCH) {
    const rows = JSON.parse(await textOf(await part(at, Math.min(at + ROWS_PER_BATCH, to)))) as unknown[];
    yield rows.map((row) => JSON.stringify(rewrite(row))).join(",");
    await yieldToEventLoop();
  }
}

async function textOf(body: Body): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
