import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createPacer, createYielder } from "../../../server/snapshot/event-loop-yielder.ts";

function work(ms: number): void {
  for (const began = performance.now(); performance.now() - began < ms;);
}

async function timeOf(run: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

it("work that is not urgent rests four times as long as it took", async () => {
  const pace = createPacer();
  work(10);
  expect(await timeOf(() => pace())).toBeGreaterThan(38);
});

it("what was awaited is no work", async () => {
  const pace = createPacer();
  await sleep(200);
  const began = performance.now();
  expect(await timeOf(() => pace(began))).toBeLessThan(400);
});

it("small pieces of work add up", async () => {
  const pace = createPacer();
  const took = await timeOf(async () => {
    for (let i = 0; i < 20; i++) {
      work(0.5);
      await pace();
    }
  });
  expect(took).toBeGreaterThan(40);
});

it("a yielder lets others have their turn every few milliseconds", async () => {
  const pace = createYielder();
  let turns = 0;
  const others = setInterval(() => turns++, 1);
  for (let i = 0; i < 100; i++) {
    work(1);
    await pace();
  }
  clearInterval(others);
  expect(turns).toBeGreaterThan(10);
});
