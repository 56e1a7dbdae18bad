import { defineConfig } from "vitest/config";

/** What takes too long for every run: `vitest run --config test/vitest.torture.config.ts`. One file after another: they measure nothing else. */
export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/torture/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
  },
});
