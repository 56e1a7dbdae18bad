/** Changes as server-sent events (WHATWG HTML, section 9.2). */
import { constant } from "../../duckdb/sql.ts";
import type { Generation } from "../../snapshot/generation.ts";
import { FILTERED_COLUMNS, type FilteredChange } from "./change-filters.ts";
import { CHANGE_JSON } from "./change-rows.ts";
import { CURSOR, toEventId } from "./cursor.ts";

/** The text of an event: JSON has no line breaks. */
export const EVENT = constant(
  `'id: ' || ${CURSOR.pieces[0]} || '@' || snapshot || chr(10) || 'data: ' || ${CHANGE_JSON.pieces[0]} || chr(10) || chr(10)`,
);

export const EVENT_AND_FILTERED = constant(`${EVENT.pieces[0]}, ${FILTERED_COLUMNS.pieces[0]}`);

/** An event without data: clients do not see it, but resume from it. */
export const positionEvent = ({ manifest: { createdAt, id } }: Generation): Buffer =>
  Buffer.from(`id: ${toEventId({ cursor: createdAt, snapshot: id })}\n\n`);

/** From the columns of `EVENT_AND_FILTERED`. */
export const toNewChanges = ([
  events = [],
  years = [],
  quarters = [],
  departmentKeys = [],
  courseNumberKeys = [],
  sectionCodes = [],
  instructorKeys = [],
  kinds = [],
]: unknown[][]): (FilteredChange & { event: Buffer })[] =>
  events.map((event, i) => ({
    event: Buffer.from(event as string),
    year: years[i],
    quarter: quarters[i],
    departmentKey: departmentKeys[i],
    courseNumberKey: courseNumberKeys[i],
    sectionCode: sectionCodes[i],
    instructorKeys: instructorKeys[i],
    kind: kinds[i],
  })) as (FilteredChange & { event: Buffer })[];
