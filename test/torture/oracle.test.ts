/**
 * The oracle and the rules between responses, over ten new worlds: ORACLE_REQUESTS sets another number than 20,000,
 * ORACLE replays one.
 */
import { expect, test } from "vitest";
import { RULES } from "../server/endpoints/oracle-rules.ts";
import { compareWithOracle, seedOr, walk } from "../server/endpoints/oracle-run.ts";
import { openOracleWorld } from "../support/worlds/oracle-world.ts";

const WORLDS = 10;
const REQUESTS = Number(process.env["ORACLE_REQUESTS"] ?? 20_000) / WORLDS;
const WALKS = 10;
const first = seedOr(Math.floor(Date.now() / 1000) % 1_000_000);

test.each(Array.from({ length: WORLDS }, (_, n) => first + n))("the world of seed %i", async (seed) => {
  const world = await openOracleWorld(seed);
  try {
    const rows = await compareWithOracle(world, REQUESTS);
    for (const rule of RULES) await walk(world, rule, WALKS);
    const all = [...rows.values()].reduce((sum, count) => sum + count, 0);
    process.stdout.write(`world ${seed}: ${REQUESTS} requests with ${all} rows, ${RULES.length} rules\n`);
    expect(all).toBeGreaterThan(0);
  } finally {
    await world.close();
  }
});
