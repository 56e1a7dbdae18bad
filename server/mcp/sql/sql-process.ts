/** Runs a statement and exits: reads the task from standard input and writes the answer to standard output. */
import { json } from "node:stream/consumers";
import { answerStatement } from "./answer-statement.ts";
import { SQL_LIMITS, type SqlTask, TOO_LARGE } from "./limits.ts";

const WATCH_MS = 20;

setInterval(() => {
  if (process.memoryUsage.rss() > SQL_LIMITS.processBytes) process.exit(TOO_LARGE);
}, WATCH_MS).unref();
const answer = await answerStatement((await json(process.stdin)) as SqlTask);
if (!answer) process.exit(TOO_LARGE);
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
