/**
 * Adapts COMPAT=1 responses: errors, the envelope of JSON, and rows with the predecessor's fields, which cost one more
 * parse and serialization: once for rows of loaded tables, and for each response for others.
 */
import type { Body, Endpoint, EndpointResult, List, Selection } from "../response/endpoint.ts";
import type { ToErrorBody } from "../response/problem.ts";
import { toResult } from "../response/paging.ts";
import { explanation as plainExplanation } from "../response/explain/explain.ts";
import { answerOf, json as plainJson, jsonArray, listRecords, withFields } from "../response/representations/json.ts";
import type { Representation } from "../response/representations/representation.ts";
import type { ShapeName } from "../response/shapes/shapes.ts";
import { createYielder } from "../snapshot/event-loop-yielder.ts";
import { type Previews, previews, ROWS } from "./rows.ts";

/** Formats a time like the predecessor, also in errors: `04/Mar/2023:21:04:09 +0000`. */
export function toLogTime(now: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(now.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Returns the bytes before and after the payload of a 200. */
export function envelope({ requestId, now }: { readonly requestId: string; readonly now: Date }) {
  const head = JSON.stringify({ statusCode: 200, timestamp: toLogTime(now), requestId });
  return [Buffer.from(`${head.slice(0, -1)},"payload":`), Buffer.from(',"success":true}')] as const;
}

export const toErrorBody: ToErrorBody = (fields) => ({
  ...fields,
  timestamp: toLogTime(new Date(fields.timestamp)),
  success: false,
});

/** The rows that are parsed before other requests get a turn; a row may contain hundreds of days. */
const ROWS_PER_BATCH = 64;

type Rewrite = (row: unknown, data: Previews) => object;

export const json: Representation = {
  ...plainJson,
  // Rows of courses contain previews of people, and vice versa.
  dependsOn: "snapshot",
  envelope,
  async render(params, context) {
    const { endpoint, values, page } = params;
    const answer = await answerOf(endpoint, values, context);
    const rewrite = ROWS[endpoint.returns.name as ShapeName] as Rewrite | undefined;
    const rewritten = rewrite
      ? await rewriteAnswer(answer, rewrite, await context.snapshot.derive(previews), endpoint)
      : answer;
    return withFields(await toResult(rewritten, page), params);
  },
};

export const explanation: Representation = { ...plainExplanation, envelope };

async function rewriteAnswer(
  answer: EndpointResult | List,
  rewrite: Rewrite,
  data: Previews,
  { streams = false }: Endpoint,
): Promise<EndpointResult | List> {
  if (!("part" in answer)) {
    const row = JSON.parse(await textOf(answer.body)) as object;
    return { ...answer, body: [Buffer.from(JSON.stringify(rewrite(row, data)))] };
  }
  if (answer.selection) return { ...answer, part: partOfRewritten(answer.selection, rewrite, data) };
  const part = async (from: number, to: number): Promise<Body> => {
    const batches = batchesOf(answer, (row) => rewrite(row, data), from, to);
    if (streams) return jsonArray(to - from, batches);
    const texts: string[] = [];
    for await (const batch of batches) texts.push(batch);
    return [Buffer.from(`[${texts.join(",")}]`)];
  };
  return { ...answer, part };
}

/** Returns the function that reads rows of a loaded table; rows that are read for the first time are rewritten. */
function partOfRewritten({ records, rowIds }: Selection, rewrite: Rewrite, data: Previews): List["part"] {
  const { rewritten } = data;
  const texts = rewritten.get(records) ?? [];
  rewritten.set(records, texts);
  return async (from, to) => {
    const yieldToEventLoop = createYielder();
    for (let i = from; i < to; i++) {
      const id = rowIds ? (rowIds[i] as number) : i;
      if (texts[id] !== undefined) continue;
      texts[id] = JSON.stringify(rewrite(JSON.parse(records[id] as string), data));
      await yieldToEventLoop();
    }
    return listRecords({ records: texts, rowIds }).part(from, to);
  };
}

/** Yields batches of comma-separated rows. */
async function* batchesOf(
  { part }: List,
  rewrite: (row: unknown) => object,
  from: number,
  to: number,
): AsyncGenerator<string> {
  const yieldToEventLoop = createYielder();
  for (let offset = from; offset < to; offset += ROWS_PER_BATCH) {
    const rows = JSON.parse(await textOf(await part(offset, Math.min(offset + ROWS_PER_BATCH, to)))) as unknown[];
    yield rows.map((row) => JSON.stringify(rewrite(row))).join(",");
    await yieldToEventLoop();
  }
}

async function textOf(body: Body): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
