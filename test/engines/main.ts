/**
 * `make engines`: real engines read the lake and answer as the API does. ENGINES=Trino,Polars restricts the engines, STEPS=engines,types,examples,
 * statements,readers,schemathesis the steps; only a run without either writes the README. Exit status 1 when an answer differs or something could not be installed.
 */
import { type EngineResult, runEngine, SCRIPTS } from "./engine.ts";
import { runExamples } from "./examples.ts";
import { installEngines } from "./install.ts";
import { readWhileExporting } from "./readers.ts";
import { problemsOf, type Results, resultsText, writeResults } from "./report.ts";
import { runSchemathesis } from "./schemathesis.ts";
import { runStatements } from "./statements.ts";
import { runTypes } from "./column-types.ts";
import { openWorld, writeJob } from "./world.ts";

const EXPORTS = 200;
const SCHEMATHESIS_EXAMPLES = 5000;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const { ENGINES = "", STEPS = "" } = process.env;
const isWanted = (step: string) => STEPS === "" || STEPS.split(",").includes(step);

const installed = await installEngines(say);
const { python, duckdbs, bin, jars, trino, missing } = installed;
for (const line of missing) say(`could not be installed: ${line}`);
const world = await openWorld();
try {
  const job = await writeJob(world, { jars, trino });
  const engines: EngineResult[] = [];
  for (const [engine, script] of SCRIPTS) {
    if (
      python === undefined ||
      !isWanted("engines") ||
      !(ENGINES === "" || ENGINES.split(",").some((wanted) => engine.startsWith(wanted)))
    )
      continue;
    if ((engine.startsWith("Trino") && !trino) || (script === "spark_delta.py" && jars.length === 0)) continue;
    say(engine);
    engines.push(await runEngine({ engine, script, python, job }, world.snapshots));
  }
  say("types, examples, statements, readers, schemathesis");
  const ready = python !== undefined;
  const results: Results = {
    engines,
    types: ready && isWanted("types") ? [await runTypes(python, job)] : [],
    examples: ready && isWanted("examples") ? await runExamples(world, job, installed) : [],
    statements: isWanted("statements") ? await runStatements(world, duckdbs) : [],
    readers: ready && isWanted("readers") ? await readWhileExporting(world.folder, python, EXPORTS) : [],
    schemathesis:
      ready && isWanted("schemathesis")
        ? await runSchemathesis({ env: world.env, folder: world.folder, bin }, SCHEMATHESIS_EXAMPLES)
        : [],
    missing,
  };
  const text = resultsText(results);
  say(`\n${text}\n`);
  const problems = [...missing.map((line) => `not installed: ${line}`), ...problemsOf(results)];
  for (const problem of problems) say(`PROBLEM ${problem}`);
  say(problems.length === 0 ? "every answer is the API's" : `${problems.length} problems`);
  if (ENGINES === "" && STEPS === "") await writeResults(text);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await world.remove();
}
