import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
/** Tests of which the suite walks over a part. */
const walks = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => `test/${file}`)
  .filter((file) => readFileSync(`${root}${file}`, "utf8").includes("support/extent.ts"));

/** What takes too long for every run: `vitest run --config test/vitest.torture.config.ts`. One file after another: they measure nothing else. */
export default defineConfig({
  test: {
    root,
    include: ["test/torture/**/*.test.ts", ...walks],
    globalSetup: "test/support/global-setup.ts",
    env: { EXTENT: "whole" },
    pool: "forks",
    maxWorkers: 1,
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
  },
});
