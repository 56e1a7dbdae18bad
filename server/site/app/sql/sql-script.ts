/** A statement as a program that runs elsewhere: it reads the same published files. */
import { resourceAddress } from "../data/addresses.ts";
import type { Plan } from "./sql-engine.ts";
import type { View } from "./sql-plan.ts";

/** Statements for DuckDB: a view for each table, with second names of columns, then the statement. */
export function duckdbScript(statement: string, plan: Plan, views: readonly View[]): string {
  const { origin } = globalThis.location;
  const tables = plan.map(({ name, files, columns }) => {
    const list = files.map(({ url }) => `  '${origin}${resourceAddress(url)}'`).join(",\n");
    const aliases = columns.flatMap(({ name: column, alias }) => (alias ? [`, "${column}" AS "${alias}"`] : []));
    return `CREATE VIEW "${name}" AS SELECT *${aliases.join("")} FROM read_parquet([\n${list}\n]);`;
  });
  const statements = views.map(({ name, select }) => `CREATE VIEW "${name}" AS ${select};`);
  return [...tables, ...statements, `${statement};`].join("\n");
}

/** By name, each a whole program. */
export const scripts = (script: string): readonly (readonly [name: string, text: string])[] => [
  ["DuckDB", script],
  ["Python", `import duckdb\n\nprint(duckdb.sql(r"""\n${script}\n""").df())\n`],
  [
    "R",
    `library(duckdb)\n\nconnection <- dbConnect(duckdb())\nprint(dbGetQuery(connection, r"---(\n${script}\n)---"))\n`,
  ],
];
