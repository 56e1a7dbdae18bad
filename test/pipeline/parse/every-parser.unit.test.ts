/**
 * The promises of all parsers: whatever happens to a page or a file, it is refused by name, or its rows satisfy the
 * contract.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fuzzSeed } from "../../support/mutants.ts";
import { fixturesOf, outcomeOf, tryMutants } from "../../support/outcomes.ts";
import { expectCuts, PARSERS } from "./declared-parsers.ts";

/** The numbers for each parser; a long run has a hundred times as many (test/torture). */
const [CUTS, MUTANTS] = [100, 200];

const ROOT = fileURLToPath(new URL("../../../pipeline", import.meta.url));

test("every parser that a run calls is declared", () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const called = files
    .filter((name) => !name.startsWith("parse/"))
    .flatMap((name) => [
      ...readFileSync(join(ROOT, name), "utf8").matchAll(/import \{([^}]*)\} from "[./]*\/parse\/[^"]*"/g),
    ])
    .flatMap(([, names = ""]) => names.match(/\b(?:parse|open)[A-Z]\w*/g) ?? []);
  expect([...new Set(PARSERS.map(({ name }) => name))].sort()).toEqual([...new Set(called)].sort());
});

const OTHER = "<!DOCTYPE html>\n<html><body><h1>Service Unavailable</h1><p>Please try again later.</p></body></html>\n";

test.each(PARSERS)("$name: nothing, and another page with status 200, has no rows", async (parser) => {
  for (const text of ["", OTHER]) {
    const outcome = await outcomeOf(parser, Buffer.from(text));
    if ("value" in outcome) expect(outcome.value, text).toEqual([]);
  }
});

test.each(fixturesOf(PARSERS))("$name, cut off", (fixture) => expectCuts(fixture, CUTS * fixture.share));

test.each(fixturesOf(PARSERS))("$name, mutants of it", async (fixture) => {
  await tryMutants(fixture, { seed: fuzzSeed(1), count: Math.ceil(MUTANTS * fixture.share) });
});
