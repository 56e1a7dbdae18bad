/** Runs one statement of a stranger and ends: the task comes on standard input, the answer goes to standard output. */
import { json } from "node:stream/consumers";
import { UsageError } from "../../../pipeline/errors.ts";
import { quoteLiteral } from "../../../pipeline/contract/sql-text.ts";
import { openSqlShell, type SqlShell } from "../../../pipeline/publish/sql/sql-shell.ts";
import { SQL_LIMITS, type SqlAnswer, type SqlTask, TOO_LARGE } from "./limits.ts";
import { type Parsed, statementProblem } from "./statement.ts";

const WATCH_MS = 20;
/** DuckDB's errors that are about the statement. */
const ABOUT_STATEMENT =
  /^(?:Parser|Binder|Catalog|Conversion|Invalid Input|Out of Range|Mismatch Type|Not implemented|Syntax|Constraint) Error|^(?!\w+(?: \w+)* Error)/;

async function parse(shell: SqlShell, sql: string): Promise<Parsed> {
  let text = "";
  const options = "skip_null := true, skip_empty := true, skip_default := true";
  const statement = `SELECT json_serialize_sql(${quoteLiteral(sql)}, ${options}) AS parsed`;
  for await (const part of shell.run(statement, { format: "json" })) text += part;
  return (JSON.parse(text) as { parsed: Parsed }[])[0]?.parsed ?? { error: true };
}

/** Counts all rows, and keeps them unless they are too many. */
async function readRows(shell: SqlShell, sql: string): Promise<SqlAnswer> {
  let [total, text] = [0, ""];
  for await (const part of shell.run(sql, { format: "json" })) {
    // A row is a line.
    total += part.split("\n{").length - 1;
    if (total > SQL_LIMITS.rows) text = "";
    else if (text.length + part.length > SQL_LIMITS.bytes)
      return {
        problem: `the rows are longer than ${SQL_LIMITS.bytes / 1024} kB: select fewer columns, or sum them up`,
      };
    else text += part;
  }
  return total > SQL_LIMITS.rows ? { total } : { total, rows: JSON.parse(text) as object[] };
}

async function answer({ artifactsDir, snapshot, sql }: SqlTask): Promise<SqlAnswer> {
  // Without a folder for what does not fit in memory.
  const shell = await openSqlShell(artifactsDir, {
    ...{ asOf: snapshot, memoryLimit: SQL_LIMITS.memory, threads: 1, tempFolder: "" },
  });
  try {
    const { tables } = await shell.names();
    const problem = statementProblem(await parse(shell, sql), tables);
    return problem === undefined ? await readRows(shell, sql) : { problem };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (error.message.startsWith("Out of Memory")) process.exit(TOO_LARGE);
    // Others may name files.
    return { problem: ABOUT_STATEMENT.test(error.message) ? error.message : "the statement cannot be run" };
  }
}

setInterval(() => {
  if (process.memoryUsage.rss() > SQL_LIMITS.processBytes) process.exit(TOO_LARGE);
}, WATCH_MS).unref();
const result = await answer((await json(process.stdin)) as SqlTask);
process.stdout.write(JSON.stringify(result), () => process.exit(0));
