/** What a stranger's statement may read: the published tables and views, by DuckDB's own parse of it. */
import { TABLE_NAMES } from "../../../pipeline/contract/tables.ts";
import { VIEWS } from "../../../pipeline/contract/views.ts";
import { closestNames } from "../../../pipeline/settings/closest-names.ts";
import { didYouMean } from "../../response/warnings.ts";

/** What `json_serialize_sql` says of a text. */
export interface Parsed {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  readonly statements?: readonly unknown[];
}

/** The published tables and the views over them. */
export const TABLES: readonly string[] = [...TABLE_NAMES, ...VIEWS.map(({ name }) => name)];
/** And their columns with descriptions. */
const READABLE = [...TABLES, "columns"];
const TABLE_FUNCTIONS = new Set(["unnest", "range", "generate_series", "json_each", "json_tree"]);
/** Functions that tell about the process, the session or the database, change them, or wait. */
const REFUSED_FUNCTIONS =
  /^(?:pg_|duckdb_|pragma_|current_(?:setting|query|connection|transaction)|(?:getenv|getvariable|write_log|sleep_ms|stats|version|txid_current|nextval|currval|json_execute_serialized_sql|query|query_table)$)/;

/** A name that cannot be that of a file or of one of DuckDB's own tables. */
const OWN_NAME = /^(?!duckdb_|pg_|pragma_|sqlite_)\w+$/iu;

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

function* nodesIn(value: unknown): Generator<Node> {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (!isNode(next)) continue;
    if (!Array.isArray(next)) yield next;
    waiting.push(...Object.values(next));
  }
}

/** The names that WITH gives. */
const namesGiven = ({ cte_map: map }: Node): string[] =>
  isNode(map) && Array.isArray(map["map"]) ? (map["map"] as { key: string }[]).map(({ key }) => key) : [];

/** Why the statement is refused; undefined when it reads published tables only. */
export function statementProblem({ error, error_type, error_message, statements = [] }: Parsed): string | undefined {
  if (error)
    return error_type === "not implemented" ? "only SELECT statements are allowed" : `syntax: ${error_message ?? ""}`;
  if (statements.length !== 1) return "one statement at a time";
  const nodes = [...nodesIn(statements)];
  const given = nodes.flatMap(namesGiven);
  const wrong = given.find((name) => !OWN_NAME.test(name));
  if (wrong !== undefined) return `WITH cannot give the name ${JSON.stringify(wrong)}`;
  const known = new Set([...READABLE, ...given].map((name) => name.toLowerCase()));
  for (const { type, class: kind, ...node } of nodes) {
    if (type === "BASE_TABLE") {
      const name = String(node["table_name"]);
      const isElsewhere = node["catalog_name"] || ![undefined, "", "main"].includes(node["schema_name"] as string);
      if (isElsewhere || !known.has(name.toLowerCase()))
        return `there is no table ${JSON.stringify(name)}${didYouMean(closestNames(name, READABLE))}`;
    }
    if (type === "TABLE_FUNCTION") {
      const name = String((node["function"] as Node)["function_name"]);
      if (!TABLE_FUNCTIONS.has(name.toLowerCase())) return `the table function ${name} is not allowed`;
    }
    if (type === "SHOW_REF" && !isNode(node["query"]))
      return "only SELECT statements are allowed; FROM columns describes all";
    if (
      (kind === "FUNCTION" || kind === "WINDOW") &&
      REFUSED_FUNCTIONS.test(String(node["function_name"]).toLowerCase())
    )
      return `the function ${String(node["function_name"])} is not allowed`;
  }
  return undefined;
}
