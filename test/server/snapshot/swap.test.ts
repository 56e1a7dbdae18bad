import { expect, test } from "vitest";
import { tortureSwap } from "./swap-torture.ts";

test("60 publishes under 8 readers: none fails, none is mixed, none goes backwards, all are served in the end", async () => {
  const { failed, mixed, backwards, mislabelled, ...figures } = await tortureSwap({
    publishes: 60,
    rows: 200,
    pauseMs: 40,
    restMs: 150,
  });
  expect({ failed, mixed, backwards, mislabelled }).toEqual({ failed: [], mixed: [], backwards: [], mislabelled: [] });
  expect(figures.publishes).toBe(60);
  // How many it loads in the time of 60 publishes depends on the machine: more than the first and the last.
  expect(figures.seen).toBeGreaterThan(2);
  expect(figures.slowestMs).toBeLessThan(Infinity);
  expect(figures.memory.most).toBeLessThan(700);
  // Retention removes what nobody reads any more.
  expect(figures.generations).toBeLessThan(250);
}, 300_000);
