import { defineConfig } from "vitest/config";

const UNIT = "test/**/*.unit.test.ts";
const common = { root: new URL("..", import.meta.url).pathname, pool: "forks" } as const;

/** Tests mirror the tree. `*.unit.test.ts` is a unit test: no processes, no database, seconds for all of them. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        // Importing the database fails, also through other modules.
        resolve: { alias: { "@duckdb/node-api": "no-database-in-unit-tests" } },
        test: { ...common, name: "unit", include: [UNIT], isolate: false, testTimeout: 60_000 },
      },
      {
        // Each file runs in a process of its own: DuckDB instances and child processes stay apart.
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
