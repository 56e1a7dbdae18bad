/**
 * The floor: what a question's statements cost through the binding alone, on the tables that a server holds. The application is asked once for
 * each question to learn its statements; then they run on connections of their own, prepared once, with nothing around them.
 */
import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement, DuckDBType } from "@duckdb/node-api";
import { silentLog } from "../../pipeline/log.ts";
import { createApp } from "../../server/http/app.ts";
import { type Fragment, toStatement } from "../../server/duckdb/sql.ts";
import { openDatabase } from "../../server/duckdb/database.ts";
import { endpoints } from "../../server/endpoints/all.ts";
import { openLiveSchedule } from "../../server/endpoints/schedule/live-schedule.ts";
import { createPool, type Pool } from "../../server/duckdb/pool.ts";
import { openStore } from "../../server/snapshot/store.ts";
import { quantiles } from "./load.ts";
import { answerMessages } from "./answer-messages.ts";

export interface FloorAsked {
  readonly paths: readonly string[];
  readonly connections: number;
  readonly ms: number;
}

export interface Floor {
  readonly perSecond: number;
  readonly p50: number;
}

/** As many connections as the server's pool has. */
const MOST_CONNECTIONS = 4;
/** Each question is asked for its statements once: so many show the mixture. */
const MOST_LEARNT = 300;

type Statement = ReturnType<typeof toStatement>;

const artifactsDir = process.argv[2] ?? "";
let instance: DuckDBInstance | undefined;
const pool = await createPool({
  artifactsDir,
  database: async (options) => (instance = await openDatabase(options)),
});
let learning: Statement[] = [];
const learn = (statement: Fragment) => void learning.push(toStatement(statement));
const listened: Pool = {
  tempDir: pool.tempDir,
  columns: (statement, manner) => (learn(statement), pool.columns(statement, manner)),
  integers: (statement, manner) => (learn(statement), pool.integers(statement, manner)),
  chunks: (statement, manner) => (learn(statement), pool.chunks(statement, manner)),
  doubles: (statement, options) => (learn(statement), pool.doubles(statement, options)),
  reserve: (connections) => pool.reserve(connections),
  waiting: () => pool.waiting(),
  close: () => pool.close(),
};
// Loading is not listened to, only questions.
const store = await openStore({ artifactsDir, pool, log: silentLog, compat: false });
const app = createApp({
  endpoints,
  store,
  pool: listened,
  log: silentLog,
  compat: false,
  live: openLiveSchedule(() => Promise.resolve(undefined)),
});
const connections: DuckDBConnection[] = [];
for (let i = 0; i < MOST_CONNECTIONS && instance; i++) connections.push(await instance.connect());

const learnt = new Map<string, Statement[]>();

async function learnAll(paths: readonly string[]): Promise<Statement[][]> {
  const asked = paths.slice(0, MOST_LEARNT);
  for (const path of asked) {
    // What was asked before is answered without a statement.
    if (learnt.has(path)) continue;
    learning = [];
    await (await app.request(path)).arrayBuffer();
    learnt.set(path, learning);
  }
  return asked.map((path) => learnt.get(path) ?? []).filter((statements) => statements.length > 0);
}

answerMessages<FloorAsked>(async ({ paths, connections: count, ms }): Promise<Floor | undefined> => {
  const questions = await learnAll(paths);
  if (questions.length === 0) return undefined;
  const times: number[] = [];
  let next = 0;
  const started = performance.now();
  const run = async (connection: DuckDBConnection) => {
    const prepared = new Map<string, DuckDBPreparedStatement>();
    while (performance.now() - started < ms) {
      const began = performance.now();
      for (const { text, values, types } of questions[next++ % questions.length] as Statement[]) {
        let statement = prepared.get(text);
        if (!statement) prepared.set(text, (statement = await connection.prepare(text)));
        if (values.length > 0) statement.bind(values, types as DuckDBType[]);
        (await statement.runAndReadAll()).getColumnsJS();
      }
      times.push(performance.now() - began);
    }
    for (const statement of prepared.values()) statement.destroySync();
  };
  await Promise.all(connections.slice(0, count).map(run));
  return { perSecond: times.length / ((performance.now() - started) / 1000), p50: quantiles(times)(0.5) };
});
