/**
 * Runs one statement and exits: opens the data that its arguments name, waits for the statement on standard input, and
 * writes the answer to standard output.
 */
import { text } from "node:stream/consumers";
import { answerStatement, openStatementShell } from "./answer-statement.ts";
import { SQL_LIMITS, TOO_LARGE } from "./limits.ts";

const WATCH_MS = 20;

setInterval(() => {
  if (process.memoryUsage.rss() > SQL_LIMITS.processBytes) process.exit(TOO_LARGE);
}, WATCH_MS).unref();
const [, , artifactsDir = "", snapshot = ""] = process.argv;
const opening = openStatementShell({ artifactsDir, snapshot });
// An error is the answer to the statement.
opening.catch(() => undefined);
const sql = await text(process.stdin);
const answer = await answerStatement(opening, sql);
if (!answer) process.exit(TOO_LARGE);
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
