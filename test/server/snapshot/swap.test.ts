import { expect, test } from "vitest";
import { tortureSwap } from "./swap-torture.ts";
import { isWhole } from "../../support/extent.ts";

const PUBLISHES = isWhole ? 60 : 8;

test(`${PUBLISHES} publishes under 8 readers: none fails, none is mixed, none goes backwards, all are served in the end`, async () => {
  const { failed, mixed, backwards, mislabelled, ...figures } = await tortureSwap({
    publishes: PUBLISHES,
    rows: 200,
    pauseMs: 40,
    restMs: 150,
  });
  expect({ failed, mixed, backwards, mislabelled }).toEqual({ failed: [], mixed: [], backwards: [], mislabelled: [] });
  expect(figures.publishes).toBe(PUBLISHES);
  // How many it loads in that time depends on the machine: more than the first and the last.
  expect(figures.seen).toBeGreaterThan(2);
  expect(figures.slowestMs).toBeLessThan(Infinity);
  expect(figures.memory.most).toBeLessThan(700);
  // Retention removes what nobody reads any more.
  expect(figures.generations).toBeLessThan(250);
}, 300_000);
