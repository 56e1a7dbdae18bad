/** Changes of the schedule of classes from snapshot to snapshot. */
import { constant, sql, where } from "../../duckdb/sql.ts";
import { inPage } from "../../response/paging.ts";
import { defineEndpoint, type Endpoint, type EndpointContext } from "../../response/endpoint.ts";
import { jsonArray } from "../../response/representations/json.ts";
import { shapeOf } from "../../response/shapes/shapes.ts";
import { toFeed } from "./atom.ts";
import { paramsOf, titleOf } from "../filters.ts";
import { changeFilters, type ChangeValues } from "./change-filters.ts";
import { CHANGE_ORDER, onlyTaught, rangeOf } from "./change-range.ts";
import {
  type CountedMonth,
  countMonths,
  countNewest,
  pagesOf,
  readChanges,
  readNewestFirst,
  selectChanges,
  SERVED_COLUMNS,
} from "./change-rows.ts";
import { publishedRows } from "../../snapshot/loading/loading.ts";

const FEED_ENTRIES = 100;

const changesTitle = titleOf(changeFilters, "changes of the schedule of classes");

async function findMonths(
  { instructorName, ...others }: ChangeValues,
  context: EndpointContext,
): Promise<CountedMonth[]> {
  const { months } = await rangeOf(context.snapshot.published, others, context);
  return countMonths(
    context.pool,
    instructorName === undefined ? months : await onlyTaught(context, months, instructorName),
  );
}

const sumOf = (months: readonly CountedMonth[]): number => months.reduce((sum, { rows }) => sum + rows, 0);

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
  async statement(values, context, page) {
    const { year, quarter } = values;
    const { conditions } = await rangeOf(context.snapshot.published, values, context);
    return {
      reads: [{ table: "changes", term: { year, quarter } }],
      select: sql`SELECT ${SERVED_COLUMNS}
        FROM (FROM changes ${where(conditions)} ORDER BY ${constant(CHANGE_ORDER)} ${inPage(page)})`,
      ...(page ? {} : { counted: sql`FROM changes ${where(conditions)}` }),
    };
  },
  async inParts(values, context, page) {
    const months = await findMonths(values, context);
    const total = sumOf(months);
    const from = Math.min(page?.offset ?? 0, total);
    const to = Math.min(from + (page?.limit ?? total), total);
    const statements = pagesOf(months, from, to).map(({ month, ...bounds }) =>
      selectChanges(SERVED_COLUMNS, month, bounds.limit < month.rows ? bounds : undefined),
    );
    const none = sql`SELECT ${SERVED_COLUMNS} FROM ${publishedRows("changes", [])}`;
    return { statements: statements.length === 0 ? [none] : statements, rows: to - from };
  },
  async answer(values, context) {
    const { pool, snapshot } = context;
    const { published } = snapshot;
    const months = await findMonths(values, context);
    const total = sumOf(months);
    return {
      total,
      part: (from, to) => jsonArray(to - from, readChanges(pool, months, from, to)),
      async feed(page, url) {
        const { createdAt, id } = published.manifest;
        const from = Math.min(page?.offset ?? 0, total);
        // Readers poll about once an hour, and a single publication may have changed more than a page.
        const defaultLength = from > 0 ? FEED_ENTRIES : Math.max(FEED_ENTRIES, await countNewest(pool, months, id));
        const to = Math.min(from + (page?.limit ?? defaultLength), total);
        const links = { url, address: context.address(), first: from > 0, next: to < total ? to : undefined };
        const rows = readNewestFirst(pool, months, total - to, total - from);
        return { body: toFeed({ title: changesTitle(values), values, createdAt, ...links }, rows), rows: to - from };
      },
    };
  },
});
