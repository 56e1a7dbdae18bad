/** The enrollment histories of a term per file: the JSON of its sections, and their periods by month. */
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import { createYielder } from "../event-loop-yielder.ts";
import { jsonObject, readRecords } from "../loading/loading.ts";
import type { PartKind } from "../loading/parts.ts";
import { SECTION_FIELDS, SECTION_NUMBER } from "./enrollment-history.ts";

export const SECTION_JSON = jsonObject(
  SECTION_FIELDS.map((field) => (field === "sectionCode" ? [field, `${field}::INTEGER`] : field)),
);

type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** The periods, sorted by section and first day. */
export interface Periods {
  /** The numbers of the sections, ascending. */
  readonly sections: Float64Array;
  /** The periods of `sections[i]` are those from `starts[i]` to `starts[i + 1]`. */
  readonly starts: Int32Array;
  /** A day, counted from 1970-01-01. */
  readonly baseDay: number;
  /** The first days, counted from the base day. */
  readonly first: Numbers;
  readonly last: Numbers;
  readonly values: readonly Values[];
}

/** A column of `SNAPSHOT_VALUES`: indexes of its few distinct texts. */
interface Values {
  readonly texts: readonly string[];
  readonly indexes: Numbers;
}

/** Returns the range of a section's periods; `to` is exclusive. */
export function rangeOf({ sections, starts }: Periods, section: number): readonly [from: number, to: number] {
  let [low, high] = [0, sections.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sections[middle] as number) < section) low = middle + 1;
    else high = middle;
  }
  return sections[low] === section ? [starts[low] as number, starts[low + 1] as number] : [0, 0];
}

const day = (column: string) => `("${column}" - DATE '1970-01-01')::INTEGER AS "${column}"`;
const NUMBERS = ["section", "first", "last"] as const;
const COLUMNS = constant(
  [
    `${SECTION_NUMBER} AS section`,
    ...["first", "last"].map(day),
    ...SNAPSHOT_VALUES.map((value) => `to_json(${value})::VARCHAR AS ${value}`),
  ].join(", "),
);
/**
 * Aggregates each column to a single text: this halves the time for 33,000 rows of ten columns. JSON has no line
 * breaks.
 */
const TEXTS = constant([...NUMBERS, ...SNAPSHOT_VALUES].map((name) => `string_agg(${name}, chr(10))`).join(", "));

/** Reads the periods of these rows, which may be of several terms and months. */
export async function readPeriods(pool: Pool, rows: Fragment): Promise<Periods> {
  const yieldToEventLoop = createYielder();
  const columns = await pool.columns(
    sql`SELECT ${TEXTS} FROM (SELECT ${COLUMNS} FROM ${rows} ORDER BY section, first)`,
    OVER_FILES,
  );
  const lines = columns.map(([text]) => (typeof text === "string" ? text.split("\n") : []));
  const sections = Float64Array.from(lines[0] ?? [], Number);
  const first = Int32Array.from(lines[1] ?? [], Number);
  const last = Int32Array.from(lines[2] ?? [], Number);
  const starts = [...sections.keys()].filter((i) => sections[i] !== sections[i - 1]);
  const baseDay = first.reduce((least, firstDay) => Math.min(least, firstDay), Infinity);
  const values: Values[] = [];
  for (const texts of lines.slice(NUMBERS.length)) {
    await yieldToEventLoop();
    const indexByText = new Map<string, number>();
    const indexes = Int32Array.from(texts, (text) => {
      let index = indexByText.get(text);
      if (index === undefined) indexByText.set(text, (index = indexByText.size));
      return index;
    });
    // Copy the texts: a slice would keep the whole text in memory.
    values.push({
      texts: [...indexByText.keys()].map((text) => Buffer.from(text).toString()),
      indexes: small(indexes),
    });
  }
  return {
    sections: Float64Array.from(starts, (start) => sections[start] as number),
    starts: Int32Array.of(...starts, sections.length),
    baseDay,
    first: small(first, baseDay),
    last: small(last, baseDay),
    values,
  };
}

/** Stores numbers in the smallest type that fits the largest of them. */
function small(numbers: Int32Array, base = 0): Numbers {
  const most = numbers.reduce((largest, number) => Math.max(largest, number - base), 0);
  const Type = most < 2 ** 8 ? Uint8Array : most < 2 ** 16 ? Uint16Array : Uint32Array;
  const result: Numbers = new Type(numbers.length);
  for (const [i, number] of numbers.entries()) result[i] = number - base;
  return result;
}

const BYTES_PER_TEXT = 50;

export const periodParts: PartKind<Periods> = {
  name: "periods",
  make: readPeriods,
  bytesOf: ({ sections, starts, first, last, values }) =>
    [sections, starts, first, last].reduce((sum, { byteLength }) => sum + byteLength, 0) +
    values.reduce((sum, { texts, indexes }) => sum + BYTES_PER_TEXT * texts.length + indexes.byteLength, 0),
};

export const sectionParts: PartKind<readonly string[]> = {
  name: "sections with enrollment history",
  make: (pool, rows) =>
    readRecords(pool, SECTION_JSON, sql`(SELECT file_row_number::INTEGER AS row_id, * FROM ${rows})`),
  bytesOf: (texts) => texts.reduce((sum, { length }) => sum + length, 0),
};
