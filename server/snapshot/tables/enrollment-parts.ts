/** The enrollment histories of a term, file by file: the JSON of its sections, and their periods month by month. */
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import { createYielder } from "../event-loop-yielder.ts";
import { type JsonRows, readJsonRows } from "../loading/json-rows.ts";
import { jsonObject } from "../loading/loading.ts";
import type { PartKind } from "../loading/parts.ts";
import { SECTION_FIELDS } from "./enrollment-history.ts";

export const SECTION_JSON = jsonObject(
  SECTION_FIELDS.map((field) => (field === "sectionCode" ? [field, `${field}::INTEGER`] : field)),
);

type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** Periods by section code, then by their first day. */
export interface Periods {
  /** Ascending. */
  readonly codes: Int32Array;
  /** The periods of `codes[i]` are those from `starts[i]` to `starts[i + 1]`. */
  readonly starts: Int32Array;
  /** From 1970-01-01 on. */
  readonly baseDay: number;
  /** From the base day on. */
  readonly first: Numbers;
  readonly last: Numbers;
  readonly values: readonly Values[];
}

/** A column of `SNAPSHOT_VALUES`: indexes of texts, which are few. */
interface Values {
  /** As JSON. */
  readonly texts: readonly string[];
  readonly indexes: Numbers;
}

/** The periods of a section are those from the first of these numbers to the second. */
export function rangeOf({ codes, starts }: Periods, code: number): readonly [from: number, to: number] {
  let [low, high] = [0, codes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((codes[middle] as number) < code) low = middle + 1;
    else high = middle;
  }
  return codes[low] === code ? [starts[low] as number, starts[low + 1] as number] : [0, 0];
}

const day = (column: string) => `("${column}" - DATE '1970-01-01')::INTEGER`;
const COLUMNS = constant(
  ["sectionCode::INTEGER AS code", ...["first", "last"].map(day), ...SNAPSHOT_VALUES].join(", "),
);

/** The periods among these rows, which may be of several months. */
export async function readPeriods(pool: Pool, rows: Fragment): Promise<Periods> {
  const yieldToEventLoop = createYielder();
  const [codes, first, last]: [number[], number[], number[]] = [[], [], []];
  const values = SNAPSHOT_VALUES.map(() => ({ known: new Map<string, number>(), indexes: [] as number[] }));
  const statement = sql`SELECT ${COLUMNS} FROM ${rows} ORDER BY code, first`;
  for await (const [code = [], from = [], to = [], ...texts] of pool.chunks(statement, OVER_FILES)) {
    for (let i = 0; i < code.length; i++) {
      codes.push(code[i] as number);
      first.push(from[i] as number);
      last.push(to[i] as number);
    }
    for (const [column, { known, indexes }] of values.entries())
      for (const text of texts[column] as string[]) {
        let index = known.get(text);
        if (index === undefined) known.set(text, (index = known.size));
        indexes.push(index);
      }
    await yieldToEventLoop();
  }
  const starts = codes.flatMap((code, i) => (code === codes[i - 1] ? [] : [i]));
  const baseDay = first.reduce((least, one) => Math.min(least, one), Infinity);
  return {
    codes: Int32Array.from(starts, (at) => codes[at] as number),
    starts: Int32Array.of(...starts, codes.length),
    baseDay,
    first: small(first, baseDay),
    last: small(last, baseDay),
    values: await Promise.all(
      values.map(async ({ known, indexes }) => ({
        texts: await toJson(pool, [...known.keys()]),
        indexes: small(indexes),
      })),
    ),
  };
}

/** As DuckDB writes it, whose control characters are others. */
async function toJson(pool: Pool, texts: readonly string[]): Promise<readonly string[]> {
  // oxlint-disable-next-line no-control-regex
  if (!texts.some((text) => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)))
    return texts.map((text) => JSON.stringify(text));
  const [json = []] = await pool.columns(sql`SELECT to_json(text)::VARCHAR FROM (SELECT unnest(${texts}) AS text)`);
  return json as string[];
}

/** In as few bytes as the largest of them needs. */
function small(numbers: readonly number[], base = 0): Numbers {
  const most = numbers.reduce((largest, one) => Math.max(largest, one - base), 0);
  const Type = most < 2 ** 8 ? Uint8Array : most < 2 ** 16 ? Uint16Array : Uint32Array;
  const result: Numbers = new Type(numbers.length);
  for (const [i, one] of numbers.entries()) result[i] = one - base;
  return result;
}

const BYTES_PER_TEXT = 50;

export const periodParts: PartKind<Periods> = {
  name: "periods",
  make: readPeriods,
  bytesOf: ({ codes, starts, first, last, values }) =>
    [codes, starts, first, last].reduce((sum, { byteLength }) => sum + byteLength, 0) +
    values.reduce((sum, { texts, indexes }) => sum + BYTES_PER_TEXT * texts.length + indexes.byteLength, 0),
};

export const sectionParts: PartKind<JsonRows> = {
  name: "sections with enrollment history",
  make: (pool, rows) =>
    readJsonRows(
      pool,
      constant(SECTION_JSON),
      sql`(SELECT file_row_number::INTEGER AS row_id, * EXCLUDE file_row_number FROM ${rows})`,
    ),
  bytesOf: ({ bytes, offsets }) => bytes.length + offsets.byteLength,
};
