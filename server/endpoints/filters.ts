/** The filters of an endpoint, one line each: the parameter, the condition on the columns of a table, and the words for people. */
import { type Fragment, sql } from "../duckdb/sql.ts";
import type { Param, ValueOf } from "../response/params.ts";
import type { Columns } from "../snapshot/loading/loading.ts";

type Values = Readonly<Record<string, unknown>>;

type Place = "first" | "before" | "after" | "last";
/** A text stands after the noun: "in COMPSCI". `first` and `before` it are adjectives ("open", "lecture"), `last` is "Fall 2026". Empty: nothing is said. */
export type Words = string | Partial<Readonly<Record<Place, string>>>;

export interface Filter<T, C extends string> {
  readonly param: Param<T>;
  /** `values` are those of all parameters; `null`: the value is no condition. */
  readonly where: ((value: T, column: Columns<C>, values: Values) => Fragment) | null;
  readonly words: (value: T, values: Values) => Words;
}

/** Returns the function that declares a filter over these columns. */
export const filterOver =
  <C extends string>() =>
  <T>(param: Param<T>, where: Filter<T, C>["where"], words: Filter<T, C>["words"]): Filter<T, C> => ({
    param,
    where,
    words,
  });

/** Filters of any values over any columns, by the name of their parameter. */
export type FilterRecord = Readonly<
  Record<
    string,
    {
      readonly param: Param<unknown>;
      readonly where: ((value: never, column: never, values: Values) => Fragment) | null;
      readonly words: (value: never, values: Values) => Words;
    }
  >
>;

type ParamsOf<F extends FilterRecord> = { readonly [K in keyof F]: F[K]["param"] };
export type FilterValues<F extends FilterRecord> = { readonly [K in keyof F]?: ValueOf<F[K]["param"]> };
/** The columns that the filters need. */
export type ColumnsOf<F extends FilterRecord> = [F[keyof F]["where"]] extends [
  ((value: never, column: infer C, values: Values) => Fragment) | null,
]
  ? C
  : never;

export const paramsOf = <F extends FilterRecord>(filters: F): ParamsOf<F> =>
  Object.fromEntries(Object.entries(filters).map(([name, { param }]) => [name, param])) as ParamsOf<F>;

/** The conditions of the given values. */
export const conditionsOf = <F extends FilterRecord>(
  filters: F,
  values: FilterValues<F>,
  columns: ColumnsOf<F>,
): Fragment[] =>
  given(filters, values).flatMap(([{ where }, value]) => (where ? [where(value, columns as never, values)] : []));

/**
 * Returns the title of a response to given values: "Grades of upper-division sections in COMPSCI, Fall 2026".
 * @param noun "sections", perhaps with more after it
 * @param about what stands before the noun and its adjectives: "grades of"
 */
export const titleOf =
  <F extends FilterRecord>(filters: F, noun: string, about = "") =>
  (values: FilterValues<F>): string => {
    const words = given(filters, values).map(([{ words }, value]) => words(value, values));
    const at = (place: Place) =>
      words.map((one) => (typeof one === "string" ? { after: one } : one)[place]).filter(Boolean);
    const title = [about, ...at("first"), ...at("before"), noun, ...at("after")].filter(Boolean).join(" ");
    return [capitalized(title), ...at("last")].join(", ");
  };

/** Whether a column is one of the values. */
export const isAnyOf = (column: Fragment, values: readonly string[]): Fragment =>
  values.length === 1 && values[0] !== undefined
    ? sql`${column} = ${values[0]}`
    : sql`${column} IN (SELECT unnest(${values}))`;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "1 unit", "2 units". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** "A", "A or B", "A, B or C". */
export const either = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

const given = (filters: FilterRecord, values: Values): [FilterRecord[string], never][] =>
  Object.entries(filters).flatMap(([name, filter]): [FilterRecord[string], never][] =>
    values[name] === undefined ? [] : [[filter, values[name] as never]],
  );
