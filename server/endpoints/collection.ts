/** The three endpoints of courses and of instructors: filtered, all, and one by id. */
import type { Product } from "../../pipeline/contract/documents/manifest.ts";
import { anyOf, type Fragment, name, sql, where } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../response/endpoint.ts";
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
}

const notFound = (noun: string, id: string, meant: readonly string[]): string =>
  `${capitalized(noun)} ${shown(id)} not found${didYouMean(meant)}`;

/** A failed lookup must not replace the 404. */
async function suggest(snapshot: Snapshot, kind: CollectionNoun, id: string): Promise<string[]> {
  const index = await snapshot.derive(searchIndex).catch(() => undefined);
  return index?.suggest(kind, id).map((one) => shown(one)) ?? [];
}

export function defineCollection<F extends CollectionFilters>(collection: Collection<F>): readonly Endpoint[] {
  const { path, nouns, products, shapes, filters, loading, columns, key, table } = collection;
  const [one, many] = nouns;
  const keyOf = collection.id.key;
  const shared = { tables: [loading.table], products } as const;
  const reads = [{ table: loading.table }];

  interface Ids {
    readonly ids?: readonly string[];
  }
  /** That of the ids, where there are any. */
  const orderOf = ({ ids }: Ids, key: Fragment) => ids && orderOfIds(ids, key, keyOf);

  async function findRow(id: string, snapshot: Snapshot): Promise<number> {
    const rowId = table(snapshot).rowIds.get(keyOf(id));
    if (rowId === undefined) throw new Problem(404, notFound(one, id, await suggest(snapshot, one, id)));
    return rowId;
  }

  const filtered = defineEndpoint({
    ...shared,
    path,
    summary: `The ${many} that match every given filter`,
    title: titleOf(filters, many),
    params: paramsOf(filters),
    returns: shapeOf(shapes[1]),
    async answer(values, { pool, snapshot }) {
      const { from, rows } = table(snapshot);
      const conditions = conditionsOf(filters, values, columns.loaded);
      if (conditions.length === 0) return listAll(rows);
      const order = orderOf(values, sql`idKey`) ?? sql`row_id`;
      const [rowIds] = await pool.integers(sql`SELECT row_id FROM ${from} ${where(conditions)} ORDER BY ${order}`);
      return listRows(rows, rowIds);
    },
    origin: (values, _context, page) => {
      const conditions = conditionsOf(filters, values, columns.published);
      const order = orderOf(values, sql`lower(${name(key)})`);
      return { reads, statement: sql`${selectPublished(loading, conditions, order)} ${inPage(page)}` };
    },
    warnings: ({ ids = [] }: Ids, snapshot) => {
      const { rowIds } = table(snapshot);
      return unknownIds(
        many,
        ids.filter((id) => !rowIds.has(keyOf(id))),
      );
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
      async answer(_values, { id, snapshot }) {
        const rowId = await findRow(id, snapshot);
        return { body: [slice(table(snapshot).rows, rowId, rowId + 1)], rows: 1 };
      },
      async origin(_values, { id, snapshot }) {
        await findRow(id, snapshot);
        return {
          reads,
          statement: sql`SELECT * FROM ${name(loading.table)} WHERE lower(${name(key)}) = ${keyOf(id)}`,
        };
      },
    }),
  ];
}

/** Whether a column of lower-case lists contains any of the values. */
export const containsAny = (column: Fragment, values: readonly string[]): Fragment =>
  anyOf(values.map((value) => sql`list_contains(${column}, lower(${value}))`));
