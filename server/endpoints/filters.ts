/**
 * Declares the filters of an endpoint, one per line: the parameter, the condition on table columns, and the words of
 * titles.
 */
import { type Fragment, sql } from "../duckdb/sql.ts";
import type { Param, ValueOf } from "../response/params.ts";
import type { Columns } from "../snapshot/loading/loading.ts";

type Values = Readonly<Record<string, unknown>>;

type Position = "first" | "before" | "after" | "last";
/**
 * The words of a filter in a title. A plain text follows the noun: "in COMPSCI". `first` and `before` are adjectives
 * ("open", "lecture"), `last` is "Fall 2026". Empty text adds nothing.
 */
export type Words = string | Partial<Readonly<Record<Position, string>>>;

export interface Filter<T, C extends string> {
  readonly param: Param<T>;
  /** Builds the condition. `values` are those of all parameters; `null` = the filter adds no condition. */
  readonly where: ((value: T, column: Columns<C>, values: Values) => Fragment) | null;
  readonly words: (value: T, values: Values) => Words;
}

/** Returns a function that declares filters over these columns. */
export const filterOver =
  <C extends string>() =>
  <T>(param: Param<T>, where: Filter<T, C>["where"], words: Filter<T, C>["words"]): Filter<T, C> => ({
    param,
    where,
    words,
  });

/** Filters by parameter name, of any values over any columns. */
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
export type ColumnsOf<F extends FilterRecord> = [F[keyof F]["where"]] extends [
  ((value: never, column: infer C, values: Values) => Fragment) | null,
]
  ? C
  : never;

export const paramsOf = <F extends FilterRecord>(filters: F): ParamsOf<F> =>
  Object.fromEntries(Object.entries(filters).map(([name, { param }]) => [name, param])) as ParamsOf<F>;

export const conditionsOf = <F extends FilterRecord>(
  filters: F,
  values: FilterValues<F>,
  columns: ColumnsOf<F>,
): Fragment[] =>
  activeFilters(filters, values).flatMap(([{ where }, value]) =>
    where ? [where(value, columns as never, values)] : [],
  );

/**
 * Returns a function that builds the title of a response: "Grades of upper-division sections in COMPSCI, Fall 2026".
 * @param noun "sections", possibly with an attribute after it
 * @param about precedes the noun and its adjectives: "grades of"
 */
export const titleOf =
  <F extends FilterRecord>(filters: F, noun: string, about = "") =>
  (values: FilterValues<F>): string => {
    const words = activeFilters(filters, values).map(([{ words }, value]) => words(value, values));
    const wordsIn = (position: Position) =>
      words.map((word) => (typeof word === "string" ? { after: word } : word)[position]).filter(Boolean);
    const title = [about, ...wordsIn("first"), ...wordsIn("before"), noun, ...wordsIn("after")]
      .filter(Boolean)
      .join(" ");
    return [capitalized(title), ...wordsIn("last")].join(", ");
  };

export const isAnyOf = (column: Fragment, values: readonly string[]): Fragment =>
  values.length === 1 && values[0] !== undefined
    ? sql`${column} = ${values[0]}`
    : sql`${column} IN (SELECT unnest(${values}))`;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Formats a count: "1 unit", "2 units". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Joins alternatives: "A", "A or B", "A, B or C". */
export const either = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

export function groupBy<T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** Returns the filters that have a value, in the order of their declaration. A loop, because every request asks. */
function activeFilters(filters: FilterRecord, values: Values): [FilterRecord[string], never][] {
  const active: [FilterRecord[string], never][] = [];
  for (const name in filters)
    if (values[name] !== undefined) active.push([filters[name] as FilterRecord[string], values[name] as never]);
  return active;
}
