/** What changed in the schedule of classes, from snapshot to snapshot. */
import { defineEndpoint, type Endpoint } from "../../response/endpoint.ts";
import { jsonArray } from "../../response/json-array.ts";
import { toFeed } from "./atom.ts";
import { paramsOf } from "../filters.ts";
import { changeFilters } from "./change-filters.ts";
import { rangeOf } from "./change-range.ts";
import { CHANGE_JSON, findChanges, type FoundChanges, readChanges } from "./change-rows.ts";
import { changesOrigin } from "./change-origin.ts";
import type { Pool } from "../../duckdb/pool.ts";

/** Rows as JSON, some thousand at a time. */
async function* readJson(pool: Pool, found: FoundChanges, from: number, to: number): AsyncGenerator<string> {
  for await (const [texts = []] of readChanges(pool, found, CHANGE_JSON, from, to)) yield (texts as string[]).join(",");
}

export const changesEndpoint: Endpoint = defineEndpoint({
  path: "/changes",
  summary:
    "What changed in the sections of a term, oldest first: one record for each difference; also as an Atom feed, and as a stream of events",
  params: paramsOf(changeFilters),
  example: { year: "2026", quarter: "Fall", department: "COMPSCI" },
  tables: ["changes"],
  isOfOneSnapshot: true,
  products: ["schedule"],
  returns: "Changes",
  streams: true,
  hasFeed: true,
  origin: changesOrigin,
  async answer(values, { pool, snapshot: { generation }, history }) {
    const found = await findChanges(pool, await rangeOf(generation, values, history));
    const total = found.row.length;
    return {
      total,
      part: (from, to) => jsonArray(to - from, readJson(pool, found, from, to)),
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
