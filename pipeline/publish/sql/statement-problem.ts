/**
 * The names that a statement may use: the published tables and views, the names that it defines, and the allowed
 * functions.
 */
import { TABLE_NAMES } from "../../contract/tables.ts";
import { VIEWS } from "../../contract/views.ts";
import { closestNames } from "../../settings/closest-names.ts";
import { FUNCTIONS, TABLE_FUNCTIONS } from "./allowed-functions.ts";
import { namesGiven, type Node, nodesOf, type Scope } from "./parsed-statement.ts";

/** The published tables, the views over them, and their columns with descriptions. */
const READABLE: readonly string[] = [...TABLE_NAMES, ...VIEWS.map(({ name }) => name), "columns"];

/**
 * The allowed node types: queries, FROM clauses, modifiers of the rows, the directions of ORDER BY, and the types of
 * casts.
 */
const NODES = new Set([
  ...["SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE"],
  ...["BASE_TABLE", "SUBQUERY", "JOIN", "TABLE_FUNCTION", "EXPRESSION_LIST", "PIVOT", "SHOW_REF", "EMPTY"],
  ...["LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER", "ORDER_MODIFIER", "DISTINCT_MODIFIER"],
  ...["ORDER_DEFAULT", "ASCENDING", "DESCENDING"],
  ...["ARRAY_TYPE_INFO", "DECIMAL_TYPE_INFO", "ENUM_TYPE_INFO", "INTEGER_LITERAL_TYPE_INFO", "LIST_TYPE_INFO"],
  ...["STRING_TYPE_INFO", "STRUCT_TYPE_INFO", "UNBOUND_TYPE_INFO"],
]);
const EXPRESSIONS = new Set([
  ...["BETWEEN", "CASE", "CAST", "COLLATE", "COLUMN_REF", "COMPARISON", "CONJUNCTION", "CONSTANT", "FUNCTION"],
  ...["LAMBDA", "OPERATOR", "POSITIONAL_REFERENCE", "STAR", "SUBQUERY", "TYPE", "WINDOW"],
]);

/** The lists of SHOW, besides the columns of a query. */
const LISTS = new Set(['"tables"', "__show_tables_expanded"]);

/** Matches a name that is neither that of a file nor of one of DuckDB's system tables. */
const OWN_NAME = /^(?!duckdb_|pg_|pragma_|sqlite_)\w+$/iu;

export interface Allowed {
  /** True if SHOW may list the tables, EXPLAIN may show plans, and WITH may define any name. */
  readonly aboutTables: boolean;
}

const orMeant = (name: string, candidates: Iterable<string>): string => {
  const [closest] = closestNames(name, candidates);
  return closest === undefined ? "" : `. Did you mean ${closest}?`;
};

function functionProblem({ function_name: functionName }: Node, allowed: ReadonlySet<string>, what: string) {
  const name = String(functionName);
  return allowed.has(name.toLowerCase()) ? undefined : `the ${what} ${name} is not allowed${orMeant(name, allowed)}`;
}

function tableProblem({ table_name, catalog_name, schema_name, at_clause }: Node, scope: Scope): string | undefined {
  const name = String(table_name);
  const isOurs = READABLE.includes(name.toLowerCase()) && (!schema_name || schema_name === "main");
  const isGiven = !schema_name && scope.has(name.toLowerCase());
  if ((isOurs || isGiven) && !catalog_name && !at_clause) return undefined;
  return `there is no table ${JSON.stringify(name)}${orMeant(name, READABLE)}`;
}

function expressionProblem(kind: string, node: Node): string | undefined {
  if (kind === "PARAMETER") return "the statement has parameters, but there are no values for them";
  if (!EXPRESSIONS.has(kind)) return `${kind} is not allowed`;
  return kind === "FUNCTION" || kind === "WINDOW" ? functionProblem(node, FUNCTIONS, "function") : undefined;
}

function nodeProblem(node: Node, scope: Scope, { aboutTables }: Allowed): string | undefined {
  const { type, class: kind } = node;
  if (typeof kind === "string") return expressionProblem(kind, node);
  const wrong = aboutTables ? undefined : namesGiven(node).find((name) => !OWN_NAME.test(name));
  if (wrong !== undefined) return `WITH cannot define the name ${JSON.stringify(wrong)}`;
  if (typeof type !== "string") return undefined;
  if (!NODES.has(type)) return `${type} is not allowed`;
  if (type === "BASE_TABLE") return tableProblem(node, scope);
  if (type === "TABLE_FUNCTION") return functionProblem(node["function"] as Node, TABLE_FUNCTIONS, "table function");
  if (type === "SHOW_REF" && !node["query"] && !(aboutTables && LISTS.has(String(node["table_name"]))))
    return "only SELECT statements are allowed; FROM columns describes all";
  return undefined;
}

/** The reason why a parsed statement is refused; undefined when it uses only what is allowed. */
export function statementProblem(statements: readonly unknown[], allowed: Allowed): string | undefined {
  for (const { node, scope } of nodesOf(statements)) {
    const problem = nodeProblem(node, scope, allowed);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
