/** The filters of an endpoint, one line each: the parameter, the condition on the columns of a table, and what it says in words. */
import type { Fragment } from "../duckdb/sql.ts";
import type { Param, ValueOf } from "../response/params.ts";
import type { Columns } from "../snapshot/loading/loading.ts";

type Values = Readonly<Record<string, unknown>>;

export interface Filter<T, C extends string> {
  readonly param: Param<T>;
  /** `values` are those of all parameters; `null`: the value is no condition. */
  readonly where: ((value: T, column: Columns<C>, values: Values) => Fragment) | null;
  /** Such as "course number 161". */
  readonly words: (value: T) => string;
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
      readonly words: (value: never) => string;
    }
  >
>;

export type ParamsOf<F extends FilterRecord> = { readonly [K in keyof F]: F[K]["param"] };
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

/** The given values in words, in the order of the filters: "COMPSCI, course number 161". */
export const wordsOf = <F extends FilterRecord>(filters: F, values: FilterValues<F>): string =>
  given(filters, values)
    .map(([{ words }, value]) => words(value))
    .filter((words) => words !== "")
    .join(", ");

const given = (filters: FilterRecord, values: Values): [FilterRecord[string], never][] =>
  Object.entries(filters).flatMap(([name, filter]): [FilterRecord[string], never][] =>
    values[name] === undefined ? [] : [[filter, values[name] as never]],
  );
