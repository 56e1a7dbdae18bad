/** Runs the tests of a file, then again with each mutant that they executed, until one of them fails. */
import { appendFileSync } from "node:fs";
import * as fc from "fast-check";
import type { RunnerTestCase, RunnerTestSuite } from "vitest";
import { TestRunner } from "vitest";

const { getTestFn, getSuiteHooks } = TestRunner;
import { mutation } from "./active.ts";

interface Tried {
  readonly test: RunnerTestCase;
  readonly seen: ReadonlySet<string>;
  readonly asked: number;
}

/** The mutants of all files that this worker ran. */
const killed = new Set<string>();
const MOST_MS = 30_000;
const report = (told: object) => appendFileSync(process.env["MUTATION_REPORT"] ?? "", `${JSON.stringify(told)}\n`);

// A failing property is not made smaller: it failed.
fc.configureGlobal({ endOnFailure: true });

export default class MutationRunner extends TestRunner {
  readonly #tried: Tried[] = [];

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onBeforeRunSuite(suite);
    // The shared resources of a file's tests are still open then. A file that could not be loaded has no tests.
    if ("filepath" in suite && suite.tasks.length > 0) getSuiteHooks(suite).afterAll.push(() => this.#tryMutants());
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    Object.assign(mutation, { seen: new Set(), asked: 0 });
    const { seen } = mutation;
    try {
      await getTestFn(test)();
      if (seen && seen.size > 0) this.#tried.push({ test, seen, asked: mutation.asked });
    } finally {
      mutation.seen = undefined;
    }
  }

  async #tryMutants(): Promise<void> {
    for (const id of mutation.loaded) report({ loaded: id });
    mutation.loaded.clear();
    const repeatable: Tried[] = [];
    for (const one of this.#tried.splice(0)) if (await passes(one)) repeatable.push(one);
    const ids = new Set(repeatable.flatMap(({ seen }) => [...seen]));
    for (const id of ids) {
      if (killed.has(id)) continue;
      const tests = repeatable.filter(({ seen }) => seen.has(id)).toSorted((a, b) => a.asked - b.asked);
      report({ begun: id });
      for (const test of tests) {
        mutation.active = id;
        const isAlive = await passes(test);
        mutation.active = undefined;
        if (isAlive) continue;
        killed.add(id);
        report({ killed: id, by: test.test.name });
        break;
      }
    }
  }
}

async function passes({ asked, test }: Tried): Promise<boolean> {
  Object.assign(mutation, { asked: 0, most: asked * 50 + 100_000 });
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("too long")), MOST_MS);
    });
    await Promise.race([callAgain(test), late]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    mutation.most = Infinity;
  }
}

/** Runs a test with the hooks around it, as if it were the only test. */
async function callAgain(test: RunnerTestCase): Promise<void> {
  const suites: RunnerTestSuite[] = [];
  for (let at = test.suite; at; at = at.suite) suites.unshift(at);
  // A file is not the suite of what stands in it.
  if (suites[0] !== test.file) suites.unshift(test.file);
  const call = async (name: "beforeEach" | "afterEach"): Promise<void> => {
    for (const suite of suites) for (const hook of getSuiteHooks(suite)[name]) await hook(test.context, suite);
  };
  await call("beforeEach");
  try {
    await getTestFn(test)();
  } finally {
    await call("afterEach");
  }
}
