import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { instrument } from "./instrument.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const files = new Set((process.env["MUTATION_FILES"] ?? "").split(","));
const isUnit = process.env["MUTATION_TESTS"] === undefined;
const include = process.env["MUTATION_TESTS"]?.split(",") ?? ["test/**/*.unit.test.ts"];

/** How many folders of the mirrored tree (test/README.md) a test has in common with what is mutated. */
function nearness(path: string): number {
  const folders = relative(ROOT, path).split("/").slice(1);
  const common = [...files].map((file) => {
    const own = file.split("/");
    const apart = folders.findIndex((name, i) => name !== own[i]);
    return apart < 0 ? folders.length : apart;
  });
  return Math.max(...common);
}

/** Runs the nearest tests first: slower tests need not try mutants that those kill. */
class NearestFirst extends BaseSequencer {
  override async sort(tests: TestSpecification[]): Promise<TestSpecification[]> {
    return tests.toSorted((a, b) => nearness(b.moduleId) - nearness(a.moduleId));
  }
}

/** The tests of the mutated files, in one process that remembers what is killed: `main.ts` starts it. */
export default defineConfig({
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      transform(code, path) {
        const file = relative(ROOT, path);
        return files.has(file) ? { code: instrument(file, code).code, map: null } : undefined;
      },
    },
  ],
  ...(isUnit ? { resolve: { alias: { "@duckdb/node-api": "no-database-in-unit-tests" } } } : {}),
  test: {
    root: ROOT,
    include,
    pool: "forks",
    isolate: false,
    maxWorkers: 1,
    fileParallelism: false,
    sequence: { sequencer: NearestFirst },
    runner: fileURLToPath(new URL("runner.ts", import.meta.url)),
    testTimeout: 60_000,
    hookTimeout: 3_600_000,
    teardownTimeout: 3_600_000,
    ...(isUnit ? {} : { globalSetup: "test/support/global-setup.ts" }),
  },
});
