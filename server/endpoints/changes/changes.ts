/** Changes of the schedule of classes from snapshot to snapshot. */
import { constant, type Fragment, sql, where } from "../../duckdb/sql.ts";
import { inPage } from "../../response/paging.ts";
import { defineEndpoint, type Endpoint, type Page } from "../../response/endpoint.ts";
import { jsonArray } from "../../response/list.ts";
import { shapeOf } from "../../response/shapes/shapes.ts";
import { toFeed } from "./atom.ts";
import { paramsOf, titleOf } from "../filters.ts";
import { changeFilters } from "./change-filters.ts";
import { rangeOf } from "./change-range.ts";
import { countPieces } from "./change-counts.ts";
import { partsOf, type Piece, weeksOf } from "./change-pieces.ts";
import { countNewest, numbered, readChanges, readNewestFirst, SERVED_COLUMNS } from "./change-rows.ts";
import { CHANGE_ORDER } from "./cursor.ts";
import { publishedRows } from "../../snapshot/loading/loading.ts";

/** The default number of entries per feed page. */
const FEED_ENTRIES = 100;

const changesTitle = titleOf(changeFilters, "changes of the schedule of classes");

const sumOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { rows }) => sum + rows, 0);

const select = ({ files, conditions }: Piece, more: readonly Fragment[], page?: Page): Fragment =>
  sql`SELECT ${SERVED_COLUMNS} FROM (FROM ${numbered(files)} ${where([...conditions, ...more])}
    ORDER BY ${constant(CHANGE_ORDER)} ${inPage(page)})`;

const selectPart = ({ piece, from, to }: ReturnType<typeof partsOf>[number]): Fragment[] =>
  from === 0 && to === piece.rows
    ? weeksOf(piece).map((week) => select(piece, week))
    : [select(piece, [], { limit: to - from, offset: from })];

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
  // Changes depend on the retained snapshots, which `since` and `until` can name.
  isOfSnapshot: true,
  async origin(values, context, page) {
    const { year, quarter } = values;
    const { conditions } = await rangeOf(context.snapshot.generation, values, context);
    return {
      reads: [{ table: "changes", term: { year, quarter } }],
      statement: sql`SELECT ${SERVED_COLUMNS}
        FROM (FROM changes ${where(conditions)} ORDER BY ${constant(CHANGE_ORDER)} ${inPage(page)})`,
      ...(page ? {} : { counted: sql`FROM changes ${where(conditions)}` }),
    };
  },
  async inParts(values, context, page) {
    const range = await rangeOf(context.snapshot.generation, values, context);
    const pieces = await countPieces(context, range, values);
    const total = sumOf(pieces);
    const from = Math.min(page?.offset ?? 0, total);
    const to = Math.min(from + (page?.limit ?? total), total);
    const parts = partsOf(pieces, from, to);
    const none = sql`SELECT ${SERVED_COLUMNS} FROM ${publishedRows("changes", [])}`;
    return { statements: parts.length === 0 ? [none] : parts.flatMap(selectPart), rows: to - from };
  },
  async answer(values, context) {
    const { pool, snapshot } = context;
    const { generation } = snapshot;
    const pieces = await countPieces(context, await rangeOf(generation, values, context), values);
    const total = sumOf(pieces);
    return {
      total,
      part: (from, to) => jsonArray(to - from, readChanges(pool, pieces, from, to)),
      async feed(page, url) {
        const { createdAt, id } = generation.manifest;
        const from = Math.min(page?.offset ?? 0, total);
        // Readers poll about once an hour, and a single publication may have changed more than a page.
        const defaultLength = from > 0 ? FEED_ENTRIES : Math.max(FEED_ENTRIES, await countNewest(pool, pieces, id));
        const to = Math.min(from + (page?.limit ?? defaultLength), total);
        const links = { url, address: context.address(), first: from > 0, next: to < total ? to : undefined };
        const rows = readNewestFirst(pool, pieces, total - to, total - from);
        return { body: toFeed({ title: changesTitle(values), values, createdAt, ...links }, rows), rows: to - from };
      },
    };
  },
});
