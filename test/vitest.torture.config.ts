import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
const files = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => `test/${file}`);
const isTest = (file: string): boolean => file.endsWith(".test.ts");
const names = (file: string, module: string): boolean => readFileSync(`${root}${file}`, "utf8").includes(`/${module}"`);
const EXTENT = "extent.ts";
/** The modules that walk over a part for the tests that use it. */
const walkers = files.filter((file) => !isTest(file) && names(file, EXTENT)).map((file) => basename(file));
/** Tests of which the suite walks over a part. */
const walks = files.filter((file) => isTest(file) && [EXTENT, ...walkers].some((module) => names(file, module)));

/**
 * Tests that take too long for every run: `vitest run --config test/vitest.torture.config.ts`. One file after another:
 * they measure nothing else.
 */
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
