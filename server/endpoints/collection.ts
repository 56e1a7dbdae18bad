/** The three endpoints of courses and of instructors: filtered, all, and one by id. */
import type { Product } from "../../pipeline/contract/documents/manifest.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import { anyOf, type Fragment, name, sql, where } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint, type EndpointContext, type RelatedLink } from "../response/endpoint.ts";
import { listAll, listRows } from "../response/list.ts";
import { inPage } from "../response/paging.ts";
import { Problem, shown } from "../response/problem.ts";
import { type JsonRows, slice } from "../snapshot/loading/json-rows.ts";
import { type ShapeName, shapeOf } from "../response/shapes/shapes.ts";
import { searchIndex } from "../search/search-index.ts";
import type { Keyed } from "../snapshot/tables/catalogue.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { didYouMean } from "../response/warnings.ts";
import { type Loading, selectPublished } from "../snapshot/loading/loading.ts";
import { type idsFilter, type KeyOf, orderOfIds, unknownIds } from "./ids-filter.ts";
import { type ColumnsOf, conditionsOf, type FilterRecord, paramsOf, titleOf, capitalized } from "./filters.ts";

type CollectionNoun = "course" | "instructor";
type CollectionFilters = FilterRecord & { readonly ids: ReturnType<typeof idsFilter> };

/** Ids that no row has. */
export interface OtherIds {
  /** The published table that says what they stand for. */
  readonly table: TableName;
  /** The id of the row that such an id stands for; undefined where it stands for none, or has one of its own. */
  readonly standsFor: (id: string, snapshot: Snapshot) => string | undefined;
  /** The text of a warning about an id that stands for another. */
  readonly warning: (id: string, other: string, snapshot: Snapshot) => string;
  /** What there is about a row, by its id, under its other ids. */
  readonly links: (id: string, context: EndpointContext) => Promise<RelatedLink[]>;
  /** The message of a 404; undefined where nothing is known of the id. */
  readonly notFound: (id: string, context: EndpointContext) => Promise<string | undefined>;
}

interface Collection<F extends CollectionFilters> {
  readonly path: string;
  readonly nouns: readonly [one: CollectionNoun, many: string];
  readonly id: Omit<NonNullable<Endpoint["id"]>, "unknown"> & { readonly key: KeyOf };
  readonly products: readonly Product[];
  readonly shapes: readonly [one: ShapeName, many: ShapeName];
  readonly example: { readonly [K in keyof F]?: string };
  readonly filters: F;
  readonly loading: Loading;
  /** The columns of the loaded table and of the published one. */
  readonly columns: { readonly loaded: ColumnsOf<F>; readonly published: ColumnsOf<F> };
  /** The column of the ids. */
  readonly key: string;
  readonly table: (snapshot: Snapshot) => { from: Fragment; rows: JsonRows } & Keyed;
  readonly otherIds?: OtherIds;
}

/** Warnings about ids that stand for others: headers are short. */
const MAX_WARNINGS = 5;

const notFound = (noun: string, id: string, meant: readonly string[]): string =>
  `${capitalized(noun)} ${shown(id)} not found${didYouMean(meant)}`;

/** A failed lookup must not replace the 404. */
async function suggest(snapshot: Snapshot, kind: CollectionNoun, id: string): Promise<string[]> {
  const index = await snapshot.derive(searchIndex).catch(() => undefined);
  return index?.suggest(kind, id).map((one) => shown(one)) ?? [];
}

export function defineCollection<F extends CollectionFilters>(collection: Collection<F>): readonly Endpoint[] {
  const { path, nouns, products, shapes, filters, loading, columns, key, table, otherIds } = collection;
  const [one, many] = nouns;
  const keyOf = collection.id.key;
  const tables = [loading.table, ...(otherIds ? [otherIds.table] : [])];
  const shared = { tables, products } as const;

  interface Ids {
    readonly ids?: readonly string[];
  }
  const standsFor = (id: string, snapshot: Snapshot): string | undefined => otherIds?.standsFor(id, snapshot);
  /** The tables that say which rows the ids mean. */
  const readsOf = (ids: readonly string[], snapshot: Snapshot) =>
    (ids.some((id) => standsFor(id, snapshot) !== undefined) ? tables : [loading.table]).map((one) => ({ table: one }));
  /** With the ids of rows, each once. */
  function withOwnIds<V extends Ids>(values: V, snapshot: Snapshot): V {
    if (!values.ids?.some((id) => standsFor(id, snapshot) !== undefined)) return values;
    const ids = new Map(values.ids.map((id) => standsFor(id, snapshot) ?? id).map((id) => [keyOf(id), id]));
    return { ...values, ids: [...ids.values()] };
  }
  /** That of the ids, where there are any. */
  const orderOf = ({ ids }: Ids, key: Fragment) => ids && orderOfIds(ids, key, keyOf);

  /** The row of an id, and the id that the row has. */
  async function findRow(context: EndpointContext): Promise<{ id: string; rowId: number }> {
    const { snapshot } = context;
    const id = standsFor(context.id, snapshot) ?? context.id;
    const rowId = table(snapshot).rowIds.get(keyOf(id));
    if (rowId !== undefined) return { id, rowId };
    const known = await otherIds?.notFound(id, context);
    throw new Problem(404, known ?? notFound(one, id, await suggest(snapshot, one, id)));
  }

  function warningOf(id: string, snapshot: Snapshot): string[] {
    const other = standsFor(id, snapshot);
    return otherIds === undefined || other === undefined ? [] : [otherIds.warning(id, other, snapshot)];
  }

  const filtered = defineEndpoint({
    ...shared,
    path,
    summary: `The ${many} that match every given filter`,
    title: titleOf(filters, many),
    params: paramsOf(filters),
    returns: shapeOf(shapes[1]),
    async answer(given, { pool, snapshot }) {
      const values = withOwnIds(given, snapshot);
      const { from, rows } = table(snapshot);
      const conditions = conditionsOf(filters, values, columns.loaded);
      if (conditions.length === 0) return listAll(rows);
      const order = orderOf(values, sql`idKey`) ?? sql`row_id`;
      const [rowIds] = await pool.integers(sql`SELECT row_id FROM ${from} ${where(conditions)} ORDER BY ${order}`);
      return listRows(rows, rowIds);
    },
    origin: (given, { snapshot }, page) => {
      const values = withOwnIds(given, snapshot);
      const reads = readsOf((given as Ids).ids ?? [], snapshot);
      const conditions = conditionsOf(filters, values, columns.published);
      const order = orderOf(values, sql`lower(${name(key)})`);
      return { reads, statement: sql`${selectPublished(loading, conditions, order)} ${inPage(page)}` };
    },
    warnings: ({ ids = [] }: Ids, snapshot) => {
      const { rowIds } = table(snapshot);
      const others = ids.filter((id) => !rowIds.has(keyOf(id)));
      return [
        ...unknownIds(
          many,
          others.filter((id) => standsFor(id, snapshot) === undefined),
        ),
        ...others.flatMap((id) => warningOf(id, snapshot)).slice(0, MAX_WARNINGS),
      ];
    },
  });

  return [
    { ...filtered, example: collection.example },
    { ...filtered, path: `${path}/all`, summary: `All ${many}`, title: () => `All ${many}`, params: {} },
    defineEndpoint({
      ...shared,
      path: `${path}/:id`,
      summary: `One ${one} by id, ignoring case`,
      title: (_values, { id }) => `${capitalized(one)} ${id}`,
      params: {},
      id: { ...collection.id, unknown: notFound(one, "nobody", []) },
      returns: shapeOf(shapes[0]),
      standsFor,
      warnings: (_values, snapshot, id) => warningOf(id, snapshot),
      ...(otherIds
        ? { links: (context) => otherIds.links(standsFor(context.id, context.snapshot) ?? context.id, context) }
        : {}),
      async answer(_values, context) {
        const { rowId } = await findRow(context);
        return { body: [slice(table(context.snapshot).rows, rowId, rowId + 1)], rows: 1 };
      },
      async origin(_values, context) {
        const { id } = await findRow(context);
        return {
          reads: readsOf([context.id], context.snapshot),
          statement: sql`SELECT * FROM ${name(loading.table)} WHERE lower(${name(key)}) = ${keyOf(id)}`,
        };
      },
    }),
  ];
}

/** Whether a column of lower-case lists contains any of the values. */
export const containsAny = (column: Fragment, values: readonly string[]): Fragment =>
  anyOf(values.map((value) => sql`list_contains(${column}, lower(${value}))`));
