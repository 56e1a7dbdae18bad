import { defineConfig } from "vitest/config";

/** Tests mirror the tree. Each file runs in a process of its own: DuckDB instances and child processes stay apart. */
export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    exclude: ["test/torture/**", "test/bench/**"],
    globalSetup: "test/support/global-setup.ts",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
