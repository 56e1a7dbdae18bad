/** What changed in the schedule of classes, from snapshot to snapshot. */
import { constant, sql, where } from "../../duckdb/sql.ts";
import { inPage } from "../../response/paging.ts";
import { defineEndpoint, type Endpoint } from "../../response/endpoint.ts";
import { jsonArray } from "../../response/list.ts";
import { shapeOf } from "../../response/shapes/shapes.ts";
import { toFeed } from "./atom.ts";
import { paramsOf, titleOf } from "../filters.ts";
import { changeFilters } from "./change-filters.ts";
import { rangeOf } from "./change-range.ts";
import {
  CHANGE_JSON,
  countNewest,
  findChanges,
  type FoundChanges,
  readChanges,
  readNewestFirst,
  SERVED_COLUMNS,
} from "./change-rows.ts";
import { CHANGE_ORDER } from "./cursor.ts";
import type { Pool } from "../../duckdb/pool.ts";

/** Entries of a page of the feed by default. */
const FEED_ENTRIES = 100;

const changesTitle = titleOf(changeFilters, "changes of the schedule of classes");

/** Rows as JSON, some thousand at a time. */
async function* readJson(pool: Pool, found: FoundChanges, from: number, to: number): AsyncGenerator<string> {
  for await (const [texts = []] of readChanges(pool, found, CHANGE_JSON, from, to)) yield (texts as string[]).join(",");
}

export const changesEndpoint: Endpoint = defineEndpoint({
  path: "/changes",
  summary:
    "What changed in the sections of a term, oldest first: one record for each difference; also as an Atom feed, and as a stream of events",
  title: changesTitle,
  params: paramsOf(changeFilters),
  example: { year: "2026", quarter: "Fall", department: "COMPSCI" },
  tables: ["changes"],
  products: ["schedule"],
  returns: shapeOf("Changes"),
  streams: true,
  content: "changes",
  // Which snapshots are retained, between which there are changes.
  isOfSnapshot: true,
  async origin(values, context, page) {
    const { year, quarter } = values;
    const { conditions } = await rangeOf(context.snapshot.generation, values, context);
    return {
      reads: [{ table: "changes", term: { year, quarter } }],
      statement: sql`SELECT ${SERVED_COLUMNS}
        FROM (FROM changes ${where(conditions)} ORDER BY ${constant(CHANGE_ORDER)} ${inPage(page)})`,
    };
  },
  async answer(values, context) {
    const { pool, snapshot } = context;
    const { generation } = snapshot;
    const found = await findChanges(pool, await rangeOf(generation, values, context));
    const total = found.row.length;
    return {
      total,
      part: (from, to) => jsonArray(to - from, readJson(pool, found, from, to)),
      async feed(page, url) {
        const { createdAt, id } = generation.manifest;
        const from = Math.min(page?.offset ?? 0, total);
        // Readers ask every hour or so: what one publication changed may be more than a page.
        const usual = from > 0 ? FEED_ENTRIES : Math.max(FEED_ENTRIES, await countNewest(pool, found, id));
        const to = Math.min(from + (page?.limit ?? usual), total);
        const links = { url, base: context.base, first: from > 0, next: to < total ? to : undefined };
        const rows = readNewestFirst(pool, found, CHANGE_JSON, total - to, total - from);
        return { body: toFeed({ title: changesTitle(values), values, createdAt, ...links }, rows), rows: to - from };
      },
    };
  },
});
