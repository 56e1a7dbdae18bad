/** The statement of a view in a lake, wherever and under whatever name the lake is attached. */
import { quoteIdentifier } from "../../contract/sql-text.ts";
import { TABLE_NAMES } from "../../contract/tables.ts";
import { type View, VIEWS } from "../../contract/views.ts";

/** The placeholder that the extension replaces with the name of the attached lake. */
const SCHEMA = "{DUCKLAKE_CATALOG}.main";

/**
 * Binds the names of tables and views in a view's statement to the lake, instead of the reader's current schema, with a
 * prefix; the statement itself stays unchanged.
 */
export function lakeSelect({ name, select }: Pick<View, "name" | "select">): string {
  const others = [...TABLE_NAMES, ...VIEWS.map((view) => view.name)].filter((other) => other !== name);
  const bound = others
    .filter((other) => new RegExp(`\\b${other}\\b`).test(select))
    .map((other) => `${quoteIdentifier(other)} AS NOT MATERIALIZED (FROM ${SCHEMA}.${quoteIdentifier(other)})`);
  return `WITH ${bound.join(", ")} FROM (${select})`;
}
