/** Defines the three endpoints of courses and of instructors: filtered, all, and by id. */
import type { Product } from "../../pipeline/contract/documents/manifest.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import { anyOf, type Fragment, name, sql, where } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint, type EndpointContext, type RelatedLink } from "../response/endpoint.ts";
import { listRecords } from "../response/representations/json.ts";
import { inPage } from "../response/paging.ts";
import { Problem, shown } from "../response/problem.ts";
import { type ShapeName, shapeOf } from "../response/shapes/shapes.ts";
import { searchIndex } from "../search/search-index.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { didYouMean, inHeader } from "../response/warnings.ts";
import { type Loading, selectPublished } from "../snapshot/loading/loading.ts";
import { ParamProblem, text, texts } from "../response/params.ts";
import { REQUEST_LIMITS } from "../response/request-limits.ts";
import {
  capitalized,
  type ColumnsOf,
  conditionsOf,
  either,
  filterOver,
  type FilterRecord,
  paramsOf,
  titleOf,
} from "./filters.ts";

type CollectionFilters = FilterRecord & { readonly ids: ReturnType<typeof idsFilter> };

/** Handles ids that no row has. */
export interface OtherIds {
  /** The published table that maps such ids to rows. */
  readonly table: TableName;
  /** Returns the id of the row that such an id refers to; undefined if there is none, or if a row has the id itself. */
  readonly standsFor: (id: string, snapshot: Snapshot) => string | undefined;
  readonly warning: (id: string, other: string, snapshot: Snapshot) => string;
  readonly links: (id: string, context: EndpointContext) => Promise<RelatedLink[]>;
  /** Returns the message of a 404; undefined if nothing is known about the id. */
  readonly notFound: (id: string, context: EndpointContext) => Promise<string | undefined>;
}

interface Collection<F extends CollectionFilters> {
  /** The noun of a row; the table has the plural as its name, and the path. */
  readonly noun: "course" | "instructor";
  readonly id: Omit<NonNullable<Endpoint["id"]>, "unknown"> & { readonly key: KeyOf };
  readonly products: readonly Product[];
  readonly shapes: readonly [one: ShapeName, many: ShapeName];
  readonly example: { readonly [K in keyof F]?: string };
  readonly filters: F;
  readonly loading: Loading & { readonly table: "courses" | "instructors" };
  readonly columns: { readonly loaded: ColumnsOf<F>; readonly published: ColumnsOf<F> };
  readonly key: string;
  readonly otherIds?: OtherIds;
}

const MAX_IDS = REQUEST_LIMITS.ids.most;
/** The most ids that titles list; more are only counted. */
const MAX_NAMED = 3;
/** Keeps warnings short, because clients limit response headers. */
const MAX_WARNING_LENGTH = 4000;

/** Maps equivalent ids to the same key. */
export type KeyOf = (id: string) => string;

/** Filters by ids, in whose order items are selected (server/RULES.md, Instructors and courses). */
export const idsFilter = (about: string, examples: readonly string[], keyOf: KeyOf) => {
  const isFirst = (id: string, i: number, ids: readonly string[]): boolean =>
    ids.findIndex((other) => keyOf(other) === keyOf(id)) === i;
  const param = texts(`${about}; at most ${MAX_IDS}, and the response is in their order`, { examples });
  return filterOver<"idKey">()(
    {
      ...param,
      ordered: true,
      read(items) {
        const ids = items.filter(isFirst);
        if (ids.length > MAX_IDS) throw new ParamProblem(`at most ${MAX_IDS} ids`, `${ids.length} ids`);
        return param.read(ids);
      },
    },
    (ids, c) => sql`${c.idKey} IN (SELECT unnest(${ids.map(keyOf)}))`,
    (ids) => (ids.length > MAX_NAMED ? `with one of ${ids.length} ids` : `with id ${either(ids)}`),
  );
};

/** Orders rows by the given ids; `key` is the column with the keys. */
export const orderOfIds = (ids: readonly string[], key: Fragment, keyOf: KeyOf): Fragment =>
  sql`list_position(${ids.map(keyOf)}, ${key})`;

/** Warns about unknown ids, naming as many as fit into a header. */
export function unknownIds(noun: string, ids: readonly string[]): string[] {
  const named = ids.map(inHeader);
  let length = 0;
  const shown = named.filter((id) => (length += id.length + 2) <= MAX_WARNING_LENGTH);
  const more = named.length - shown.length;
  return named.length === 0
    ? []
    : [`unknown ${noun} ignored: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
}

/** The most warnings about aliases, to keep headers short. */
const MAX_WARNINGS = 5;

const notFound = (noun: string, id: string, meant: readonly string[]): string =>
  `${capitalized(noun)} ${shown(id)} not found${didYouMean(meant)}`;

/** Suggests similar ids. A failed lookup must not replace the 404. */
async function suggest(snapshot: Snapshot, kind: "course" | "instructor", id: string): Promise<string[]> {
  const index = await snapshot.derive(searchIndex).catch(() => undefined);
  return index?.suggest(kind, id).map((suggestion) => shown(suggestion)) ?? [];
}

export function defineCollection<F extends CollectionFilters>(collection: Collection<F>): readonly Endpoint[] {
  const { noun: singular, products, shapes, filters, loading, columns, key, otherIds } = collection;
  const plural = loading.table;
  const path = `/${plural}`;
  const table = ({ tables }: Snapshot) => tables[loading.table];
  const keyOf = collection.id.key;
  const tables = [loading.table, ...(otherIds ? [otherIds.table] : [])];
  const shared = { tables, products } as const;

  interface Ids {
    readonly ids?: readonly string[];
  }
  const standsFor = (id: string, snapshot: Snapshot): string | undefined => otherIds?.standsFor(id, snapshot);
  /** Returns the tables that are needed to resolve the ids. */
  const readsOf = (ids: readonly string[], snapshot: Snapshot) =>
    (ids.some((id) => standsFor(id, snapshot) !== undefined) ? tables : [loading.table]).map((readTable) => ({
      table: readTable,
    }));
  /** Replaces aliases by the ids of rows, without duplicates. */
  function withRowIds<V extends Ids>(values: V, snapshot: Snapshot): V {
    if (!values.ids) return values;
    const ids = new Map(values.ids.map((id) => standsFor(id, snapshot) ?? id).map((id) => [keyOf(id), id]));
    return { ...values, ids: [...ids.values()] };
  }
  const orderOf = ({ ids }: Ids, key: Fragment) => ids && orderOfIds(ids, key, keyOf);

  /** Finds the row of an id, and the row's own id. */
  async function findRow(context: EndpointContext): Promise<{ id: string; rowId: number }> {
    const { snapshot } = context;
    const id = standsFor(context.id, snapshot) ?? context.id;
    const rowId = table(snapshot).rowIds.get(keyOf(id));
    if (rowId !== undefined) return { id, rowId };
    const message = await otherIds?.notFound(id, context);
    throw new Problem(404, message ?? notFound(singular, id, await suggest(snapshot, singular, id)));
  }

  function warningOf(id: string, snapshot: Snapshot): string[] {
    const other = standsFor(id, snapshot);
    return otherIds === undefined || other === undefined ? [] : [otherIds.warning(id, other, snapshot)];
  }

  const filtered = defineEndpoint({
    ...shared,
    path,
    summary: `The ${plural} that match every given filter`,
    title: titleOf(filters, plural),
    params: paramsOf(filters),
    returns: shapeOf(shapes[1]),
    async answer(params, { pool, snapshot }) {
      const values = withRowIds(params, snapshot);
      const { from, records } = table(snapshot);
      const conditions = conditionsOf(filters, values, columns.loaded);
      const order = orderOf(values, sql`idKey`) ?? sql`row_id`;
      const [rowIds] =
        conditions.length === 0
          ? []
          : await pool.integers(sql`SELECT row_id FROM ${from} ${where(conditions)} ORDER BY ${order}`);
      return listRecords({ records, rowIds });
    },
    statement: (params, { snapshot }, page) => {
      const values = withRowIds(params, snapshot);
      const reads = readsOf((params as Ids).ids ?? [], snapshot);
      const conditions = conditionsOf(filters, values, columns.published);
      const order = orderOf(values, sql`lower(${name(key)})`);
      return { reads, select: sql`${selectPublished(loading, conditions, order)} ${inPage(page)}` };
    },
    warnings: ({ ids = [] }: Ids, snapshot) => {
      const { rowIds } = table(snapshot);
      const others = ids.filter((id) => !rowIds.has(keyOf(id)));
      return [
        ...unknownIds(
          plural,
          others.filter((id) => standsFor(id, snapshot) === undefined),
        ),
        ...others.flatMap((id) => warningOf(id, snapshot)).slice(0, MAX_WARNINGS),
      ];
    },
  });

  return [
    { ...filtered, example: collection.example },
    { ...filtered, path: `${path}/all`, summary: `All ${plural}`, title: () => `All ${plural}`, params: {} },
    defineEndpoint({
      ...shared,
      path: `${path}/:id`,
      summary: `One ${singular} by id, ignoring case`,
      title: (_values, { id }) => `${capitalized(singular)} ${id}`,
      params: {},
      id: { ...collection.id, unknown: notFound(singular, "nobody", []) },
      returns: shapeOf(shapes[0]),
      standsFor,
      warnings: (_values, snapshot, id) => warningOf(id, snapshot),
      ...(otherIds
        ? { links: (context) => otherIds.links(standsFor(context.id, context.snapshot) ?? context.id, context) }
        : {}),
      async answer(_values, context) {
        const { rowId } = await findRow(context);
        return { body: [Buffer.from(table(context.snapshot).records[rowId] as string)], rows: 1 };
      },
      async statement(_values, context) {
        const { id } = await findRow(context);
        return {
          reads: readsOf([context.id], context.snapshot),
          select: sql`SELECT * FROM ${name(loading.table)} WHERE lower(${name(key)}) = ${keyOf(id)}`,
        };
      },
    }),
  ];
}

/** Filters by a part of a text, ignoring case. @param about such as "the title" */
export const partFilter = <C extends string>(column: C, about: string, example: string) =>
  filterOver<C>()(
    text(`part of ${about}, ignoring case`, { withCommas: true, examples: [example] }),
    (part, columns) => sql`contains(${columns[column]}, lower(${part}))`,
    (part) => `with "${part}" in ${about}`,
  );

/** Tests if a column of lower-case lists contains any of the values. */
export const containsAny = (column: Fragment, values: readonly string[]): Fragment =>
  anyOf(values.map((value) => sql`list_contains(${column}, lower(${value}))`));
