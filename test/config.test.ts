/** Values of the environment (behaviour §7): everything is optional; what cannot be meant is refused by name. */
import { describe, expect, it } from "vitest";
import { readPipelineConfig } from "../pipeline/config.ts";
import { UsageError } from "../pipeline/errors.ts";
import { readServerConfig } from "../server/config.ts";

it.each([
  [{ SCHEDULE_URL: "ftp://x/y" }, "SCHEDULE_URL must be an http, https or file address or a path: ftp://x/y"],
  [{ LARC_URL: "http://" }, "LARC_URL is not an address: http://"],
  [{ TERMS: "2024 Fall,2024 Autumn" }, 'TERMS must be a list such as "2024 Fall,2025 Winter", not "2024 Autumn"'],
  [{ CRAWL_CONCURRENCY: "0" }, "CRAWL_CONCURRENCY must be a whole number from 1 to 64"],
  [{ CRAWL_PAUSE_MS: "1.5" }, "CRAWL_PAUSE_MS must be a whole number from 0 to 600000"],
  [{ UPSTREAM_TIMEOUT_MS: "soon" }, "UPSTREAM_TIMEOUT_MS must be a whole number from 1 to 600000"],
  [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of debug, info, warn, error, silent"],
  [{ SAMPLE: "huge" }, "SAMPLE must be standard or full"],
  [{ CAMPUS: "elsewhere" }, "CAMPUS must be one of uci"],
  [{ ALLOW_SHRINK: "yes" }, "ALLOW_SHRINK must be 1 or 0"],
])("the pipeline refuses %o", (env, words) => {
  expect(() => readPipelineConfig(env)).toThrow(new UsageError(words));
});

it.each([
  [{ PORT: "http" }, "PORT must be a whole number from 0 to 65535"],
  [{ PORT: "-1" }, "PORT must be a whole number from 0 to 65535"],
  [{ PORT: "3000.5" }, "PORT must be a whole number from 0 to 65535"],
  [{ COMPAT: "yes" }, "COMPAT must be 1 or 0"],
  [{ FOLLOW_URL: "elsewhere" }, "FOLLOW_URL must be the web address of a server: elsewhere"],
  [{ FOLLOW_SECONDS: "0" }, "FOLLOW_SECONDS must be a whole number from 1 to 86400"],
  [{ UPSTREAM_TIMEOUT_MS: "-1" }, "UPSTREAM_TIMEOUT_MS must be a whole number from 1 to 600000"],
  [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of debug, info, warn, error, silent"],
])("the server refuses %o", (env, words) => {
  expect(() => readServerConfig(env)).toThrow(new UsageError(words));
});

it("a server that follows another one has nothing built for it", () => {
  expect(readPipelineConfig({ FOLLOW_URL: "https://example.edu" }).follows).toBe(true);
  expect(readPipelineConfig({ FOLLOW_URL: "" }).follows).toBe(false);
  expect(readServerConfig({ FOLLOW_URL: "https://example.edu/data" }).followUrl?.href).toBe("https://example.edu/data");
});

describe("an empty value", () => {
  const names = [
    "SCHEDULE_URL",
    "TERMS",
    "CRAWL_PAUSE_MS",
    "UPSTREAM_TIMEOUT_MS",
    "LOG_LEVEL",
    "PORT",
    "HOST",
    "COMPAT",
  ];
  const empty = Object.fromEntries([...names, "DATA_DIR", "ARTIFACTS_DIR", "SAMPLE"].map((name) => [name, ""]));

  it("is none", () => {
    expect(readPipelineConfig(empty)).toEqual(readPipelineConfig({}));
    expect(readServerConfig(empty)).toEqual(readServerConfig({}));
    expect(readServerConfig({})).toMatchObject({ port: 3000, compat: false, upstreamTimeoutMs: 15_000 });
    expect(readPipelineConfig({})).toMatchObject({ addresses: {}, sample: "standard", timeoutMs: 15_000 });
  });
});
