/** The statement of a view inside a lake, wherever and under whatever name it is attached. */
import { quoteIdentifier } from "../../contract/sql-text.ts";
import { TABLE_NAMES } from "../../contract/tables.ts";
import { type View, VIEWS } from "../../contract/views.ts";

/** What the extension replaces by the name that the lake is attached under. */
const SCHEMA = "{DUCKLAKE_CATALOG}.main";

/**
 * The names of tables and views in a view's statement are those of the lake, not of the reader's current schema: they are bound to it before the statement,
 * which stays as it is.
 */
export function lakeSelect({ name, select }: Pick<View, "name" | "select">): string {
  const others = [...TABLE_NAMES, ...VIEWS.map((view) => view.name)].filter((other) => other !== name);
  const bound = others
    .filter((other) => new RegExp(`\\b${other}\\b`).test(select))
    .map((other) => `${quoteIdentifier(other)} AS NOT MATERIALIZED (FROM ${SCHEMA}.${quoteIdentifier(other)})`);
  return `WITH ${bound.join(", ")} FROM (${select})`;
}
