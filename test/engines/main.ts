/**
 * `make engines`: real engines read the lake, from a folder and from the buckets of real stores, and answer as the API
 * does. ENGINES=Trino,Polars restricts the engines, STORES=moto the stores,
 * STEPS=engines,buckets,types,fractions,analyses,examples,statements,readers,schemathesis,conformance,generators,followers,caches
 * the steps; only a run without any of them writes the results. Exit status 1 when an answer differs or something could
 * not be installed.
 */
import { join } from "node:path";
import { runAnalyses } from "./analyses.ts";
import { type BucketResult, readFromBucket } from "./bucket.ts";
import { runCaches } from "./caches.ts";
import { runConformance } from "./conformance.ts";
import { type EngineResult, runEngine, SCRIPTS } from "./engine.ts";
import { runFollowers } from "./followers.ts";
import { runExamples } from "./examples.ts";
import { runFractions } from "./fractions.ts";
import { runGenerators } from "./generators.ts";
import { installEngines } from "./install.ts";
import { readWhileSwapping } from "./ducklake-readers.ts";
import { readWhileExporting } from "./readers.ts";
import { problemsOf, type Results, resultsText, writePart } from "./report.ts";
import { runSchemathesis } from "./schemathesis.ts";
import { runStatements } from "./statements.ts";
import { installStores } from "./stores.ts";
import { serve } from "../support/whole-run.ts";
import { openWorld, type WorldStore, writeJob } from "./world.ts";
import { runTypes } from "./column-types.ts";

const EXPORTS = 200;
const SWAPS = 100;
const SCHEMATHESIS_EXAMPLES = 5000;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const { ENGINES = "", STEPS = "", STORES = "" } = process.env;
const isIn = (list: string, name: string) => list === "" || list.split(",").some((wanted) => name.startsWith(wanted));
const isWanted = (step: string) => isIn(STEPS, step);

const installed = await installEngines(say);
const { python, duckdbs, bin, jars, trino } = installed;
const missing = [...installed.missing];
const stores: WorldStore[] = [];
if (isWanted("buckets"))
  for (const { name, version, start } of await installStores(say, missing, (name) => isIn(STORES, name))) {
    const target = await start();
    stores.push({ name: `${name} ${version}`, target, lake: `s3://${target.bucket}/lake` });
  }
for (const line of missing) say(`could not be installed: ${line}`);
const canRun = (engine: string, script: string): boolean =>
  isIn(ENGINES, engine) &&
  !(script === "trino_delta.py" && !trino) &&
  !(script === "spark_delta.py" && jars.length === 0);
const world = await openWorld(stores);
try {
  const server = await serve(world.env);
  const job = await writeJob(world, { jars, trino, served: `${server.url}/v1/data/lake.ducklake` });
  const engines: EngineResult[] = [];
  for (const [engine, script] of SCRIPTS) {
    if (python === undefined || !isWanted("engines") || !canRun(engine, script)) continue;
    say(engine);
    engines.push(await runEngine({ engine, script, python, job }, world.snapshots));
  }
  await server.close();
  const buckets: BucketResult[] = [];
  if (python !== undefined)
    for (const store of stores)
      buckets.push(await readFromBucket(world, store, { python, installed: { jars, trino }, canRun, say }));
  say(
    "types, fractions, analyses, examples, statements, readers, schemathesis, conformance, generators, followers, caches",
  );
  const ready = python !== undefined;
  const results: Results = {
    engines,
    buckets,
    types: ready && isWanted("types") ? [await runTypes(python, job)] : [],
    fractions: isWanted("fractions") ? [await runFractions(world, duckdbs.at(1))] : [],
    analyses:
      ready && isWanted("analyses") ? await runAnalyses({ folder: join(world.folder, "analyses"), python, jars }) : [],
    examples: isWanted("examples") ? await runExamples(world, job, installed) : [],
    statements: isWanted("statements") ? await runStatements(world, duckdbs) : [],
    readers: ready && isWanted("readers") ? await readWhileExporting(world.folder, python, EXPORTS) : [],
    lakeReaders: ready && isWanted("readers") ? [await readWhileSwapping(world.folder, python, SWAPS)] : [],
    schemathesis:
      ready && isWanted("schemathesis")
        ? await runSchemathesis({ env: world.env, folder: world.folder, bin }, SCHEMATHESIS_EXAMPLES)
        : [],
    generators: isWanted("generators") ? await runGenerators(world.env, world.folder) : [],
    followers: isWanted("followers") ? await runFollowers(world.env) : [],
    conformance: isWanted("conformance") ? await runConformance(world.env) : [],
    caches: isWanted("caches") ? await runCaches(missing, say, (name) => isIn(ENGINES, name)) : [],
    missing,
  };
  const text = resultsText(results);
  say(`\n${text}\n`);
  const problems = [...missing.map((line) => `not installed: ${line}`), ...problemsOf(results)];
  for (const problem of problems) say(`PROBLEM ${problem}`);
  say(problems.length === 0 ? "every answer is the API's" : `${problems.length} problems`);
  if (`${ENGINES}${STEPS}${STORES}` === "") await writePart("engines", text);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await Promise.all([world.remove(), ...stores.map(({ target }) => target.close())]);
}
