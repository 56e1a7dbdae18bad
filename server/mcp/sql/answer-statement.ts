/** Runs an untrusted statement on a snapshot. */
import { UsageError } from "../../../pipeline/errors.ts";
import { exactJson } from "../../../pipeline/publish/sql/json-numbers.ts";
import { openSqlShell, type SqlShell } from "../../../pipeline/publish/sql/sql-shell.ts";
import type { TableFiles } from "../../../pipeline/store/published.ts";
import { SQL_LIMITS, type SqlAnswer } from "./limits.ts";

const OUT_OF_MEMORY = "Out of Memory Error";
/** Matches errors that are safe to show: DuckDB's about the statement, and ours. */
const ABOUT_STATEMENT =
  /^(?:Parser|Binder|Catalog|Conversion|Invalid Input|Out of Range|Mismatch Type|Not implemented|Syntax|Constraint) Error|^(?!\w+(?: \w+)* Error)/;

/** Counts all rows and returns the first ones. */
async function readRows(shell: SqlShell, sql: string): Promise<SqlAnswer> {
  const lines: string[] = [];
  let [total, bytes] = [0, 0];
  for await (const chunk of shell.run(sql, { format: "json" })) {
    // Each row is on its own line.
    for (const line of chunk.split("\n")) {
      if (!line.startsWith("{")) continue;
      total++;
      bytes += line.length;
      if (bytes <= SQL_LIMITS.bytes) lines.push(line.replace(/,$/, ""));
    }
  }
  if (total > 0 && lines.length === 0)
    return { problem: `a row is longer than ${SQL_LIMITS.bytes / 1024} kB: select fewer columns, or sum them up` };
  return { total, rows: JSON.parse(exactJson(`[${lines.join(",\n")}]`)) as object[] };
}

/** Opens the data of a process, before its statement is known. Without a temporary folder it cannot spill to disk. */
export const openStatementShell = (tables: TableFiles): Promise<SqlShell> =>
  openSqlShell(tables, { memoryLimit: SQL_LIMITS.memory, threads: 1, tempFolder: "", selectOnly: true });

/** Runs the statement and closes the shell. @returns undefined when it needs more memory than allowed */
export async function answerStatement(opening: Promise<SqlShell>, sql: string): Promise<SqlAnswer | undefined> {
  let shell: SqlShell | undefined;
  try {
    shell = await opening;
    return await readRows(shell, sql);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (error.message.startsWith(OUT_OF_MEMORY)) return undefined;
    // Other errors may contain file names.
    return { problem: ABOUT_STATEMENT.test(error.message) ? error.message : "the statement cannot be run" };
  } finally {
    shell?.close();
  }
}
