/** Cursors in the list of changes: texts that sort like the list and are equal on every server with the same data. */
import { z } from "zod";
import { constant } from "../../duckdb/sql.ts";
import { quarterRank } from "../../snapshot/tables/expressions.ts";

/** Sorts rows of `changes` by crawl time, term, section and field. */
export const CHANGE_ORDER = `"at", year, ${quarterRank}, sectionCode, field`;

/** Formats a column of times: `2026-11-22T10:00:00.000Z`. */
export const isoTime = (column: string): string =>
  `strftime(make_timestamp(epoch_us("${column}")), '%Y-%m-%dT%H:%M:%S.%gZ')`;

/**
 * Builds the cursor: `2026-11-22T10:00:00.000Z_2026-6_34250_status`. All components but the last have a fixed width.
 */
export const CURSOR = constant(
  `(${isoTime("at")} || '_' || year || '-' || ${quarterRank} || '_' || sectionCode || '_' || field)`,
);

export interface Position {
  readonly cursor: string;
  /** The snapshot that published the change, or the current snapshot. */
  readonly snapshot: string;
}

export const toEventId = ({ cursor, snapshot }: Position): string => `${cursor}@${snapshot}`;

const EVENT_ID = /^((.{24})(?:_[\w.-]+)?)@([0-9a-f]{16})$/;
const TIME = z.iso.datetime({ precision: 3 });

/** Parses an event id; undefined if it is invalid. */
export function readEventId(text: string): Position | undefined {
  const [, cursor, time, snapshot] = EVENT_ID.exec(text) ?? [];
  return cursor !== undefined && snapshot !== undefined && TIME.safeParse(time).success
    ? { cursor, snapshot }
    : undefined;
}
