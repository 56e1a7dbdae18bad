import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const UNIT = "test/**/*.unit.test.ts";
const common = {
  root: new URL("..", import.meta.url).pathname,
  pool: "forks",
  // The files of a worker share its modules: loading them again for each would take a quarter of the time.
  isolate: false,
  // With the usual 16 MB a tenth of the processor time is spent on collecting garbage.
  execArgv: ["--max-semi-space-size=64"] as string[],
  expect: { poll: { timeout: 30_000 } },
} as const;

/** Tests mirror the tree. `*.unit.test.ts` is a unit test: no processes, no database, seconds for all of them. */
export default defineConfig({
  test: {
    maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
    projects: [
      {
        // Importing the database fails, also through other modules.
        resolve: { alias: { "@duckdb/node-api": "no-database-in-unit-tests" } },
        test: { ...common, name: "unit", include: [UNIT], testTimeout: 60_000 },
      },
      {
        test: {
          ...common,
          name: "system",
          include: ["test/**/*.test.ts"],
          exclude: [UNIT, "test/torture/**", "test/bench/**"],
          globalSetup: "test/support/global-setup.ts",
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
