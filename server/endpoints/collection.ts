/** The three views of a collection with ids: those that match, all of them, and one. Courses and instructors are such collections. */
import type { Product } from "../../pipeline/contract/manifest.ts";
import { allOf, anyOf, type Fragment, sql } from "../bind.ts";
import { defineEndpoint, type Endpoint, type Filters, toConditions } from "../endpoint.ts";
import type { Params } from "../params.ts";
import { shown } from "../params.ts";
import { Problem } from "../problem.ts";
import { type Rendered, slice, toArray, toWholeArray } from "../rendered.ts";
import type { ShapeName } from "../shapes.ts";
import type { Snapshot } from "../snapshot.ts";

export interface Collection<P extends Params> {
  readonly path: string;
  /** One and several, for people: `course`, `courses`. */
  readonly nouns: readonly [one: string, many: string];
  /** An example of an id, for the documentation. */
  readonly idExample: string;
  readonly product: Product;
  readonly shapes: readonly [one: ShapeName, many: ShapeName];
  readonly params: P;
  readonly filters: Filters<P>;
  /** The column that holds the id in lower case: ids are matched ignoring case (behaviour §8). */
  readonly idKey: Fragment;
  readonly table: (snapshot: Snapshot) => { from: Fragment; rows: Rendered };
}

export function defineCollection<P extends Params>(collection: Collection<P>): readonly Endpoint[] {
  const { path, nouns, product, shapes, params, filters, idKey, table } = collection;
  const [one, many] = nouns;
  const shared = { products: [product] } as const;
  return [
    defineEndpoint({
      ...shared,
      path,
      summary: `The ${many} that match every given filter`,
      params,
      returns: shapes[1],
      async answer(values, { pool, snapshot }) {
        const { from, rows } = table(snapshot);
        const conditions = toConditions(filters, values);
        if (conditions.length === 0) return { body: toWholeArray(rows) };
        const [places = []] = await pool.columns(
          sql`SELECT place FROM ${from} WHERE ${allOf(conditions)} ORDER BY place`,
        );
        return { body: toArray(rows, places as number[]) };
      },
    }),
    defineEndpoint({
      ...shared,
      path: `${path}/all`,
      summary: `All ${many}`,
      params: {},
      returns: shapes[1],
      answer: (_values, { snapshot }) => Promise.resolve({ body: toWholeArray(table(snapshot).rows) }),
    }),
    defineEndpoint({
      ...shared,
      path: `${path}/:id`,
      summary: `One ${one} by id, such as ${collection.idExample}`,
      params: {},
      returns: shapes[0],
      async answer(_values, { pool, id, snapshot }) {
        const { from, rows } = table(snapshot);
        const [[place] = []] = await pool.columns(sql`SELECT place FROM ${from} WHERE ${idKey} = lower(${id})`);
        if (typeof place !== "number")
          throw new Problem(404, `${one[0]?.toUpperCase()}${one.slice(1)} ${shown(id)} not found`);
        return { body: [slice(rows, place, place + 1)] };
      },
    }),
  ];
}

/** Any given value equals any element of a column of lists in lower case. */
export const containsAny = (column: Fragment, values: readonly string[]): Fragment =>
  anyOf(values.map((value) => sql`list_contains(${column}, lower(${value}))`));
