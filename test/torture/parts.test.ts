import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sql } from "../../server/duckdb/sql.ts";
import { openApp } from "../support/published/opened-app.ts";
import { publishRows } from "../support/published/published.ts";
import { openFolder } from "../support/whole-run.ts";
import { askedAsOf, drawParts, QUESTIONS } from "../support/worlds/drawn-parts.ts";

const PUBLICATIONS = 50;
const CLIENTS = 8;

const p99 = (times: readonly number[]): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor(0.99 * times.length)] ?? 0);
const megabytes = () => Math.round(process.memoryUsage().rss / 1e6);

test("50 publishes beside 8 clients that ask for histories, changes and earlier snapshots: none fails; memory and the number of tables stay level", async () => {
  const folder = await openFolder();
  const drawn = fc.sample(drawParts, { numRuns: PUBLICATIONS, seed: 5 });
  const publish = (i: number) =>
    publishRows(folder.artifacts, drawn[i] ?? {}, { now: new Date(Date.UTC(2025, 2, 1) + 3_600_000 * i) });
  const snapshots = [(await publish(0)).id];
  const app = await openApp(folder.artifacts, undefined, { judgedEvery: 1000 });
  const countTables = async () => {
    const pool = await app.store.history.pool();
    return (await pool.columns(sql`SELECT count(*)::INTEGER FROM duckdb_tables()`))[0]?.[0] as number;
  };
  const failed: string[] = [];
  const [steady, swapping]: [number[], number[]] = [[], []];
  const memory: number[] = [];
  let [isSwapping, isOver] = [false, false];
  async function client(number: number): Promise<void> {
    for (let i = number; !isOver; i++) {
      const earlier = snapshots.at(-1 - (i % Math.min(snapshots.length, 4))) ?? "";
      const path = askedAsOf(QUESTIONS[i % QUESTIONS.length] as string, i % 3 === 0 ? earlier : "");
      const began = performance.now();
      const wasSwapping = isSwapping;
      const response = await app.get(path);
      await response.arrayBuffer();
      (wasSwapping || isSwapping ? swapping : steady).push(performance.now() - began);
      if (response.status !== 200) failed.push(`${response.status} ${path}`);
      await sleep(20);
    }
  }
  try {
    for (const question of QUESTIONS) await (await app.get(question)).arrayBuffer();
    const before = await countTables();
    const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
    for (let i = 1; i < PUBLICATIONS; i++) {
      const { id } = await publish(i);
      isSwapping = true;
      await app.update();
      isSwapping = false;
      snapshots.push(id);
      memory.push(megabytes());
    }
    isOver = true;
    await Promise.all(clients);
    const [middle = 0, late = 0] = [memory[Math.floor(memory.length / 3)], memory.at(-1)];
    const figures = { failed: failed.length, steady: p99(steady), swapping: p99(swapping), memory: { middle, late } };
    process.stdout.write(`${JSON.stringify({ asked: steady.length + swapping.length, ...figures })}\n`);
    expect(failed).toEqual([]);
    expect(steady.length + swapping.length).toBeGreaterThan(PUBLICATIONS * CLIENTS);
    // Earlier snapshots have none of their own; the sections of the first one may not have been loaded yet.
    await expect.poll(countTables).toBeLessThanOrEqual(before + 1);
    expect(late - middle).toBeLessThan(100);
  } finally {
    isOver = true;
    await app.close();
    await folder.remove();
  }
});
