/**
 * What the aggregates add up, as plain arrays by the row's place: once it is known which rows match, adding up their few numbers is a matter of
 * microseconds, where a statement that groups them takes milliseconds.
 */
import { GRADE_COUNTS, LETTER_COUNTS } from "../../../pipeline/contract/grade.ts";
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import { jsonObject } from "../loading.ts";
import { LOADING, type Pool } from "../../duckdb/pool.ts";
import { settleAll } from "../settle-all.ts";

/** What rows belong to, each with an id; ids ascend in the order of answers. */
export interface Membership {
  /** The ids of row `i` are `ids[starts[i] .. starts[i + 1])`; one for each row where there are no starts. */
  readonly starts?: Int32Array;
  readonly ids: Int32Array;
  /** JSON text by id. */
  readonly texts: readonly string[];
}

export interface GradeFigures {
  /** Every place. */
  readonly all: Int32Array;
  /** By count, in the order in which they are served. */
  readonly counts: readonly Int32Array[];
  readonly gpaHundredths: Int32Array;
  /** 1 where the section reported letter grades and has an average. */
  readonly isAveraged: Int32Array;
  /** Their texts are the heads of records, without an end: `{"department":"MATH","courseNumber":"2A"`. */
  readonly courses: Membership;
  readonly offerings: Membership;
  /** The key of each offering's instructor. */
  readonly offeringKeys: readonly string[];
  /** The lists of the options, by name. */
  readonly options: Readonly<Record<OptionList, Membership>>;
}

export const OPTION_LISTS = ["years", "departments", "courseNumbers", "sectionCodes", "instructors"] as const;
export type OptionList = (typeof OPTION_LISTS)[number];

/** Their order, and the column that is served. */
const LISTED = {
  years: { order: "year DESC", column: "year" },
  departments: { order: "department", column: "department" },
  courseNumbers: { order: "courseNumeric, courseNumber", column: "courseNumber" },
  sectionCodes: { order: "sectionCode", column: "sectionCode" },
} as const;
const COURSE = "department, courseNumeric, courseNumber";
const OFFERING = `${COURSE}, instructor`;

const idBy = (order: string) => `(dense_rank() OVER (ORDER BY ${order}) - 1)::INTEGER`;
const openHead = (fields: readonly string[]) => `left(${jsonObject(fields)}::VARCHAR, -1)`;

/** `wide` are the rows of the contract with their place. */
export async function readGradeFigures(pool: Pool, wide: Fragment): Promise<{ figures: GradeFigures }> {
  const integers = (columns: readonly string[], from: Fragment) =>
    pool.integers(sql`SELECT ${constant(columns.join(", "))} FROM ${from} ORDER BY place`, LOADING);
  const texts = async (text: string, order: string, from: Fragment): Promise<string[][]> =>
    (await pool.columns(
      sql`SELECT ${constant(text)} FROM ${from} GROUP BY ${constant(order.replaceAll(" DESC", ""))} ORDER BY ${constant(order)}`,
      LOADING,
    )) as string[][];
  const asJson = (column: string) => `to_json(${column})::VARCHAR`;

  const taught = sql`(SELECT * EXCLUDE (instructors), unnest(list_distinct(instructors)) AS instructor FROM ${wide})`;
  const listed = Object.entries(LISTED) as [keyof typeof LISTED, (typeof LISTED)[keyof typeof LISTED]][];
  const [perRow, perInstructor, [courses = []], [heads = [], keys = []], [instructors = []], lists] = await settleAll([
    integers(
      [
        "place",
        ...GRADE_COUNTS,
        "coalesce((averageGPA * 100)::INTEGER, 0)",
        `(${LETTER_COUNTS.join(" + ")} > 0 AND averageGPA IS NOT NULL)::INTEGER`,
        idBy(COURSE),
        ...listed.map(([, { order }]) => idBy(order)),
      ],
      wide,
    ),
    integers(["place", idBy(OFFERING), idBy("instructor")], taught),
    texts(openHead(["department", "courseNumber"]), COURSE, wide),
    texts(`${openHead(["department", "courseNumber", "instructor"])}, ${nameKeySql("instructor")}`, OFFERING, taught),
    texts(asJson("instructor"), "instructor", taught),
    settleAll(listed.map(async ([, { order, column }]) => (await texts(asJson(column), order, wide))[0] ?? [])),
  ]);
  let next = 0;
  const take = (): Int32Array => perRow[next++] ?? new Int32Array();
  const all = take();
  const counts = GRADE_COUNTS.map(take);
  const [gpaHundredths, isAveraged, courseIds] = [take(), take(), take()];
  const [places = all, offeringIds = all, instructorIds = all] = perInstructor;
  const starts = toStarts(places, all.length);
  const options = {} as Record<OptionList, Membership>;
  for (const [i, [name]] of listed.entries()) options[name] = { ids: take(), texts: lists[i] ?? [] };
  options.instructors = { starts, ids: instructorIds, texts: instructors };
  return {
    figures: {
      all,
      counts,
      gpaHundredths,
      isAveraged,
      courses: { ids: courseIds, texts: courses },
      offerings: { starts, ids: offeringIds, texts: heads },
      offeringKeys: keys,
      options,
    },
  };
}

/** Where each row's ids begin; `places` ascend. */
function toStarts(places: Int32Array, rows: number): Int32Array {
  const starts = new Int32Array(rows + 1);
  for (const place of places) starts[place + 1] = (starts[place + 1] as number) + 1;
  for (let i = 0; i < rows; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number);
  return starts;
}
