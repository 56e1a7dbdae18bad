/** Positions in the list of changes: text that sorts like the list, equal on every server that has the same data. */
import { z } from "zod";
import { constant } from "../../duckdb/sql.ts";
import { quarterRank } from "../../snapshot/tables/expressions.ts";

/** Rows of `changes` by crawl time, term, section and field. */
export const CHANGE_ORDER = `"at", year, ${quarterRank}, sectionCode, field`;

/** `2026-11-22T10:00:00.000Z`, of a column of times. */
export const isoTime = (column: string): string =>
  `strftime(make_timestamp(epoch_us("${column}")), '%Y-%m-%dT%H:%M:%S.%gZ')`;

/** `2026-11-22T10:00:00.000Z_2026-6_34250_status`: all parts but the last one have one width. */
export const CURSOR = constant(
  `(${isoTime("at")} || '_' || year || '-' || ${quarterRank} || '_' || sectionCode || '_' || field)`,
);

export interface Position {
  readonly cursor: string;
  /** The snapshot that published the change, or that was the current one. */
  readonly snapshot: string;
}

export const toEventId = ({ cursor, snapshot }: Position): string => `${cursor}@${snapshot}`;

const EVENT_ID = /^((.{24})(?:_[\w.-]+)?)@([0-9a-f]{16})$/;
const TIME = z.iso.datetime({ precision: 3 });

/** Undefined when it is none. */
export function readEventId(text: string): Position | undefined {
  const [, cursor, time, snapshot] = EVENT_ID.exec(text) ?? [];
  return cursor !== undefined && snapshot !== undefined && TIME.safeParse(time).success
    ? { cursor, snapshot }
    : undefined;
}
