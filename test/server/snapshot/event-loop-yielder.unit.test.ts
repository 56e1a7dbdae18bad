import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createPacer, createYielder, type Pace } from "../../../server/snapshot/event-loop-yielder.ts";

function work(ms: number): void {
  for (const began = performance.now(); performance.now() - began < ms;);
}

async function restOf(pace: Pace): Promise<number> {
  const began = performance.now();
  await pace();
  return performance.now() - began;
}

it("work that is not urgent rests four times as long as it took", async () => {
  const pace = createPacer();
  work(2);
  expect(await restOf(pace)).toBeGreaterThan(7);
});

it("and never for long, however long it waited for others", async () => {
  const pace = createPacer();
  await sleep(600);
  expect(await restOf(pace)).toBeLessThan(2_000);
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
