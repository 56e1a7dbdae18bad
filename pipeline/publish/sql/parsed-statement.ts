/** A statement as DuckDB parses it, without running or binding any part of it. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { replaceNumbers } from "./json-numbers.ts";
import { asUsage } from "./sql-error.ts";

/** The result of `json_serialize_sql`. */
export interface Parsed {
  readonly error: boolean;
  /** `not implemented` for everything that is not a SELECT. */
  readonly error_type?: string;
  readonly error_message?: string;
  /** The position in the form of DuckDB's errors. */
  readonly position?: string;
  readonly statements?: readonly unknown[];
}

export type Node = Readonly<Record<string, unknown>>;

/** The names that WITH defines, in lower case, with their queries. */
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

/** Encodes numbers as texts that begin with U+0000, so that they are exact; no text of a statement begins so. */
export const parseStatement = async (connection: DuckDBConnection, sql: string): Promise<Parsed> =>
  JSON.parse(
    replaceNumbers(
      await readText(connection, "SELECT json_serialize_sql($1::VARCHAR)", sql),
      (number) => String.raw`"\u0000${number}"`,
    ),
  ) as Parsed;

/** The text of a query, which means the same as the parsed query. */
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

/** The names that WITH defines in a query, as they are written. */
export const namesGiven = (node: Node): string[] => givenBy(node).map(({ key }) => key);

/** In a WITH, each query knows the names before it, a recursive query also its name, and the main query all of them. */
function partsOf(node: Node, outer: Scope): (readonly [value: unknown, scope: Scope])[] {
  const { type, function: called, ...rest } = node;
  const within = (values: readonly unknown[], scope: Scope) => values.map((value) => [value, scope] as const);
  // A table function's name is not an expression; its arguments are.
  if (type === "TABLE_FUNCTION") return within([...Object.values(called as Node), ...Object.values(rest)], outer);
  const definitions = givenBy(node);
  if (definitions.length === 0) return within(Object.values(node), outer);
  let visible = outer;
  const queries = definitions.map((definition) => {
    const visibleBefore = visible;
    visible = new Map([...visible, [definition.key.toLowerCase(), definition]]);
    return [
      definition.value,
      definition.value.query.node["type"] === "RECURSIVE_CTE_NODE" ? visible : visibleBefore,
    ] as const;
  });
  return [...queries, ...within(Object.values({ ...node, cte_map: null }), visible)];
}

/**
 * Every object of a parsed statement with the names in its scope, each before its parts, and a query of WITH after its
 * readers.
 */
export function* nodesOf(statements: readonly unknown[]): Generator<{ readonly node: Node; readonly scope: Scope }> {
  const waiting: (readonly [value: unknown, scope: Scope])[] = [[statements, new Map()]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, scope] = next;
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const element of value) waiting.push([element, scope]);
      continue;
    }
    const node = value as Node;
    yield { node, scope };
    waiting.push(...partsOf(node, scope));
  }
}
