/**
 * A replica refuses the file of an origin that is not Parquet, or not the declared one: hundreds of mutants of footers
 * here, 20,000 in `make torture`.
 */
import { expect, test } from "vitest";
import { fixturesOf, tryMutants } from "../../support/outcomes.ts";
import { scratchDatabase, scratchFolder } from "../publish/scratch.ts";
import { declareFooters } from "./declared-footers.ts";

const database = await scratchDatabase(1);
const fixtures = fixturesOf(await declareFooters(database, scratchFolder()));

test.each(fixtures)("$name", async (fixture) => {
  const { read } = await tryMutants(fixture, { seed: 1, count: 100 });
  expect(read).toBeLessThan(50);
});
