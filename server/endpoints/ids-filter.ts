/** `ids`: selects items in the order of the given ids (server/RULES.md, Instructors and courses). */
import { type Fragment, sql } from "../duckdb/sql.ts";
import { ParamProblem, texts } from "../response/params.ts";
import { REQUEST_LIMITS } from "../response/request-limits.ts";
import { inHeader } from "../response/warnings.ts";
import { either, filterOver } from "./filters.ts";

const MAX_IDS = REQUEST_LIMITS.ids.most;
/** The most ids that titles list; more are only counted. */
const MAX_NAMED = 3;
/** Keeps warnings short, because clients limit response headers. */
const MAX_WARNING_LENGTH = 4000;

/** Maps equivalent ids to the same key. */
export type KeyOf = (id: string) => string;

const keysOf = (ids: readonly string[], keyOf: KeyOf) => ids.map(keyOf);

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
    (ids, c) => sql`${c.idKey} IN (SELECT unnest(${keysOf(ids, keyOf)}))`,
    (ids) => (ids.length > MAX_NAMED ? `with one of ${ids.length} ids` : `with id ${either(ids)}`),
  );
};

/** Orders rows by the given ids; `key` is the column with the keys. */
export const orderOfIds = (ids: readonly string[], key: Fragment, keyOf: KeyOf): Fragment =>
  sql`list_position(${keysOf(ids, keyOf)}, ${key})`;

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
