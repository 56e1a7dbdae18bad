/** Changes as a statement over the published table, for `explain=true`. */
import { constant, type Fragment, sql, textList, where } from "../../duckdb/sql.ts";
import type { EndpointContext, Origin, Page } from "../../response/endpoint.ts";
import { inPage } from "../../response/paging.ts";
import { SNAPSHOT_ID } from "../../../pipeline/contract/as-of.ts";
import { changeConditions, type ChangeValues } from "./change-filters.ts";
import { findGeneration, snapshotsIn, timeOf } from "./change-range.ts";
import { SERVED_COLUMNS } from "./change-rows.ts";
import { CHANGE_ORDER } from "./cursor.ts";

/** @throws Problem (404) for a snapshot that is not retained */
export async function changesOrigin(
  values: ChangeValues,
  context: EndpointContext,
  page: Page | undefined,
): Promise<Origin> {
  const { since, until, year, quarter } = values;
  const conditions = [
    ...changeConditions(values),
    ...(since === undefined ? [] : [await isAfter(since, context)]),
    ...(until === undefined ? [] : [sql`NOT (${await isAfter(until, context)})`]),
  ];
  const term = { ...(year === undefined ? {} : { year }), ...(quarter === undefined ? {} : { quarter }) };
  return {
    reads: [{ table: "changes", term }],
    statement: sql`SELECT ${SERVED_COLUMNS}
      FROM (FROM changes ${where(conditions)} ORDER BY ${constant(CHANGE_ORDER)} ${inPage(page)})`,
  };
}

/** A snapshot has recorded everything but the changes that later ones published. */
async function isAfter(moment: string, { pool, snapshot, history }: EndpointContext): Promise<Fragment> {
  if (!SNAPSHOT_ID.test(moment)) return sql`changedAt > ${timeOf(moment)}::TIMESTAMPTZ`;
  const { generation } = snapshot;
  const before = await findGeneration(moment, history);
  const [later = []] = await pool.columns(
    sql`FROM ${snapshotsIn(generation)} EXCEPT FROM ${snapshotsIn(before)} ORDER BY 1`,
    {
      uncached: true,
    },
  );
  return sql`list_contains(${textList(later as string[])}, snapshot)`;
}
