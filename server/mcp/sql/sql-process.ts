/**
 * Runs one statement and exits. Standard input has the files of the tables as JSON on a line, which it opens at once,
 * and later the statement. It writes the answer to standard output.
 */
import type { SqlShell } from "../../../pipeline/publish/sql/sql-shell.ts";
import type { TableFiles } from "../../../pipeline/store/published.ts";
import { answerStatement, openStatementShell } from "./answer-statement.ts";
import { SQL_LIMITS, TOO_LARGE } from "./limits.ts";

const WATCH_MS = 20;

setInterval(() => {
  if (process.memoryUsage.rss() > SQL_LIMITS.processBytes) process.exit(TOO_LARGE);
}, WATCH_MS).unref();
let [input, lineEnd] = ["", -1];
let opening: Promise<SqlShell> | undefined;
for await (const part of process.stdin.setEncoding("utf8")) {
  input += String(part);
  if (opening) continue;
  lineEnd = input.indexOf("\n");
  if (lineEnd < 0) continue;
  opening = openStatementShell(JSON.parse(input.slice(0, lineEnd)) as TableFiles);
  // An error is the answer to the statement.
  opening.catch(() => undefined);
}
if (!opening) process.exit(1);
const answer = await answerStatement(opening, input.slice(lineEnd + 1));
if (!answer) process.exit(TOO_LARGE);
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
