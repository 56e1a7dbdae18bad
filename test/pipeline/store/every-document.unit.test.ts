/** What all readers of stored documents promise: whatever became of a document, it is refused by name, or what it says can be used. */
import { expect, test } from "vitest";
import { fuzzSeed } from "../../support/mutants.ts";
import { fixturesOf, outcomeOf, tryMutants } from "../../support/outcomes.ts";
import { DOCUMENTS } from "./declared-documents.ts";

/** A long run has a hundred times as many (test/torture). */
test.each(fixturesOf(DOCUMENTS))("$name, and mutants of it", async (fixture) => {
  await expect(outcomeOf(fixture.declared, fixture.bytes)).resolves.toHaveProperty("value");
  await tryMutants(fixture, { seed: fuzzSeed(1), count: Math.ceil(200 * fixture.share) });
});
