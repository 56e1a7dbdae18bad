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

test("50 publishes beside 8 clients that ask for histories, changes and earlier snapshots: none fails, and as many tables are left as before", async () => {
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
  let [asked, isOver] = [0, false];
  async function client(number: number): Promise<void> {
    for (let i = number; !isOver; i++) {
      const earlier = snapshots.at(-1 - (i % Math.min(snapshots.length, 4))) ?? "";
      const path = askedAsOf(QUESTIONS[i % QUESTIONS.length] as string, i % 3 === 0 ? earlier : "");
      const response = await app.get(path);
      await response.arrayBuffer();
      asked++;
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
      await app.update();
      snapshots.push(id);
    }
    isOver = true;
    await Promise.all(clients);
    expect(failed).toEqual([]);
    expect(asked).toBeGreaterThan(PUBLICATIONS * CLIENTS);
    // Those of the current snapshot, and of the few earlier ones that are open.
    await expect.poll(countTables).toBeLessThan(before + 40);
  } finally {
    isOver = true;
    await app.close();
    await folder.remove();
  }
});
