/** Whatever a query is made into, it is a 400 that says why, or a request whose normal form is the same request. */
import { test } from "vitest";
import { fuzzSeed } from "../../support/mutants.ts";
import { fixturesOf, tryMutants } from "../../support/outcomes.ts";
import { QUERIES } from "./declared-queries.ts";

/** A long run has a hundred times as many (test/torture). */
test.each(fixturesOf(QUERIES))("$name, mutants of it", async (fixture) => {
  await tryMutants(fixture, { seed: fuzzSeed(1), count: 10 });
});
