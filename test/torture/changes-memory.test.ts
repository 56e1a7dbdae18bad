/**
 * No request about changes needs more memory because there are more of them: all and each filter, in every format, over
 * 10 million.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPublishedData, type PublishedData } from "../bench/published-data.ts";
import { readWords } from "../bench/words.ts";
import { measureBodies, writeYears } from "../bench/years/years.ts";

/** 2 million changes each. */
const YEARS = 5;

let data: PublishedData;
beforeAll(async () => {
  data = await openPublishedData(process.env["BENCH_ARTIFACTS"], { SAMPLE: "standard" });
  await writeYears(data.artifacts, YEARS);
}, 600_000);
afterAll(() => data?.remove());

test("a server that sends them all, and those of each filter, takes no more than 150 MB for it", async () => {
  const figures = await measureBodies(data.artifacts, await readWords(data.artifacts));
  const memory = Object.entries(figures).filter(([, { unit }]) => unit === "MB");
  expect(memory.length).toBeGreaterThan(4);
  process.stdout.write(memory.map(([name, { value }]) => `${name}: ${value} MB\n`).join(""));
  expect(memory.filter(([, { value }]) => !(value <= 150))).toEqual([]);
  const first = Object.entries(figures).filter(([name]) => name.endsWith("first byte"));
  // A failed request has no figure.
  expect([first.length, first.filter(([, { value }]) => Number.isNaN(value))]).toEqual([memory.length - 1, []]);
});
