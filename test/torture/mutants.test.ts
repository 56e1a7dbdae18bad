/** Twenty thousand mutants of what each parser reads, by another seed each time: none ends a run, takes long, or is published as what no table holds. */
import { expect, test } from "vitest";
import { expectCuts, expectMutants, PARSER_FIXTURES } from "../pipeline/parse/mutated-fixtures.ts";
import { fuzzSeed } from "../support/mutants.ts";

const COUNT = Number(process.env["FUZZ_COUNT"] ?? 20_000);
const MOST_MS = 2_000;
const seed = fuzzSeed(Date.now() % 1_000_000);

const print = (told: object) => process.stdout.write(`${JSON.stringify(told)}\n`);

test.each(PARSER_FIXTURES)("$name", async (fixture) => {
  await expectCuts(fixture, Infinity);
  const count = Math.ceil(COUNT * fixture.share);
  const { read, slowestMs } = await expectMutants(fixture, { seed, count });
  print({ name: fixture.name, seed, mutants: count, read, refused: count - read, slowestMs });
  expect(slowestMs).toBeLessThan(MOST_MS);
});
