/**
 * Twenty thousand mutants of the input of each parser, each reader of stored documents and each endpoint's query, with
 * another seed each time: none ends a run, takes long, or is published as a value that no table can hold.
 */
import { expect, test } from "vitest";
import { declareFooters } from "../pipeline/follow/declared-footers.ts";
import { expectCuts, PARSERS } from "../pipeline/parse/declared-parsers.ts";
import { scratchDatabase, scratchFolder } from "../pipeline/publish/scratch.ts";
import { DOCUMENTS } from "../pipeline/store/declared-documents.ts";
import { QUERIES } from "../server/response/declared-queries.ts";
import { fuzzSeed } from "../support/mutants.ts";
import { type Fixture, fixturesOf, tryMutants } from "../support/outcomes.ts";

const COUNT = Number(process.env["FUZZ_COUNT"] ?? 20_000);
const MOST_MS = 2_000;
const seed = fuzzSeed(Date.now() % 1_000_000);

const print = (told: object) => process.stdout.write(`${JSON.stringify(told)}\n`);

async function tryAll(fixture: Fixture): Promise<void> {
  const count = Math.ceil(COUNT * fixture.share);
  const { read, slowestMs } = await tryMutants(fixture, { seed, count });
  print({ name: fixture.name, seed, mutants: count, read, refused: count - read, slowestMs });
  expect(slowestMs).toBeLessThan(MOST_MS);
}

test.each(fixturesOf(PARSERS))("$name", async (fixture) => {
  await expectCuts(fixture, Infinity);
  await tryAll(fixture);
});

const footers = await declareFooters(await scratchDatabase(1), scratchFolder());

test.each(fixturesOf([...DOCUMENTS, ...QUERIES, ...footers]))("$name", tryAll);
