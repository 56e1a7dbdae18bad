/** A statement as DuckDB parses it, without running or binding anything of it. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { replaceNumbers } from "./json-numbers.ts";
import { asUsage } from "./sql-error.ts";

/** What `json_serialize_sql` says of a text. */
export interface Parsed {
  readonly error: boolean;
  /** `not implemented` for everything that is no SELECT. */
  readonly error_type?: string;
  readonly error_message?: string;
  /** As DuckDB's errors have it. */
  readonly position?: string;
  readonly statements?: readonly unknown[];
}

export type Node = Readonly<Record<string, unknown>>;

/** A name that WITH gives, in lower case, and its query. */
export type Scope = ReadonlyMap<string, Given>;
interface Given {
  readonly key: string;
  readonly value: { readonly query: { readonly node: Node } };
}

async function readText(connection: DuckDBConnection, sql: string, value: string): Promise<string> {
  const read = await asUsage(() => connection.runAndReadAll(sql, [value]), "");
  const [[text] = []] = read.getRowsJson();
  return String(text);
}

/** Numbers are texts that begin with U+0000: they are exact, and no text of a statement begins so. */
export const parseStatement = async (connection: DuckDBConnection, sql: string): Promise<Parsed> =>
  JSON.parse(
    replaceNumbers(
      await readText(connection, "SELECT json_serialize_sql($1::VARCHAR)", sql),
      (number) => String.raw`"\u0000${number}"`,
    ),
  ) as Parsed;

/** The text of a query, which means the same as what was parsed. */
export const queryText = (connection: DuckDBConnection, node: Node): Promise<string> =>
  readText(
    connection,
    "SELECT json_deserialize_sql($1::JSON)",
    JSON.stringify({ error: false, statements: [{ node, named_param_map: [] }] }).replaceAll(
      /"\\u0000([^"]*)"/g,
      (_, number: string) => number,
    ),
  );

const givenBy = ({ cte_map: map }: Node): readonly Given[] =>
  (map as { map?: readonly Given[] } | null | undefined)?.map ?? [];

/** The names that WITH gives in a query, as they are written. */
export const namesGiven = (node: Node): string[] => givenBy(node).map(({ key }) => key);

/** Where WITH stands each query knows the names before it, a recursive one its own, and what follows all of them. */
function partsOf(node: Node, outer: Scope): (readonly [value: unknown, scope: Scope])[] {
  const { type, function: called, ...rest } = node;
  const within = (values: readonly unknown[], scope: Scope) => values.map((value) => [value, scope] as const);
  // A table function's name is no expression; its arguments are.
  if (type === "TABLE_FUNCTION") return within([...Object.values(called as Node), ...Object.values(rest)], outer);
  const given = givenBy(node);
  if (given.length === 0) return within(Object.values(node), outer);
  let known = outer;
  const queries = given.map((one) => {
    const before = known;
    known = new Map([...known, [one.key.toLowerCase(), one]]);
    return [one.value, one.value.query.node["type"] === "RECURSIVE_CTE_NODE" ? known : before] as const;
  });
  return [...queries, ...within(Object.values({ ...node, cte_map: null }), known)];
}

/** Every object of a parsed statement with the names that it knows, each before what it is made of, and a query of WITH after what reads it. */
export function* nodesOf(statements: readonly unknown[]): Generator<{ readonly node: Node; readonly scope: Scope }> {
  const waiting: (readonly [value: unknown, scope: Scope])[] = [[statements, new Map()]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, scope] = next;
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const one of value) waiting.push([one, scope]);
      continue;
    }
    const node = value as Node;
    yield { node, scope };
    waiting.push(...partsOf(node, scope));
  }
}
