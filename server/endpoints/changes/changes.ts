/** What changed in the schedule of classes, from snapshot to snapshot (behaviour §9). */
import { type Body, defineEndpoint, type Endpoint } from "../../response/endpoint.ts";
import { toFeed } from "./atom.ts";
import { changeParams } from "./change-filters.ts";
import { rangeOf } from "./change-range.ts";
import { CHANGE_JSON, changeRelation, findChanges, type FoundChanges, readChanges } from "./change-rows.ts";
import { changesOrigin } from "./change-origin.ts";
import type { Pool } from "../../duckdb/pool.ts";

const OPEN = Buffer.from("[");
const COMMA = Buffer.from(",");
const CLOSE = Buffer.from("]");

async function* toArray(pool: Pool, found: FoundChanges, from: number, to: number): AsyncGenerator<Buffer> {
  yield OPEN;
  let isFirst = true;
  for await (const [texts = []] of readChanges(pool, found, CHANGE_JSON, from, to)) {
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield Buffer.from((texts as string[]).join(","));
  }
  yield CLOSE;
}

/** Few rows are buffered, so that the response can be cached. */
const MAX_BUFFERED_ROWS = 2000;

async function toBody(pool: Pool, found: FoundChanges, from: number, to: number): Promise<Body> {
  const chunks = toArray(pool, found, from, to);
  if (to - from > MAX_BUFFERED_ROWS) return chunks;
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

export const changesEndpoint: Endpoint = defineEndpoint({
  path: "/changes",
  summary:
    "What changed in the sections of a term, oldest first: one record for each difference; also as an Atom feed, and as a stream of events",
  params: changeParams,
  example: { year: "2026", quarter: "Fall", department: "COMPSCI" },
  tables: ["changes"],
  isOfOneSnapshot: true,
  products: ["schedule"],
  returns: "Changes",
  streams: true,
  hasFeed: true,
  origin: changesOrigin,
  async answer(values, { pool, snapshot: { generation }, history }) {
    const range = await rangeOf(generation, values, history);
    const found = await findChanges(pool, range);
    const total = found.row.length;
    return {
      total,
      part: (from, to) => toBody(pool, found, from, to),
      relation: (from, to) => changeRelation(range, from, to),
      feed: async (from, to) => {
        const texts: string[] = [];
        // The newest first.
        for await (const [rows = []] of readChanges(pool, found, CHANGE_JSON, total - to, total - from))
          texts.push(...(rows as string[]));
        return toFeed(texts.toReversed(), values, generation.manifest.createdAt);
      },
    };
  },
});
