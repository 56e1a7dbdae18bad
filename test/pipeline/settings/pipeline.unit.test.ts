/** Values of the environment (pipeline/RULES.md, Runs): everything is optional; invalid values are refused by name. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import {
  ADDRESS_VARIABLES,
  pipelineSettings,
  readPipelineConfig,
  SYSTEMS,
} from "../../../pipeline/settings/pipeline.ts";
import { UsageError } from "../../../pipeline/errors.ts";
import { warnOfMisspelled } from "../../../pipeline/settings/settings.ts";
import { readServerConfig, serverSettings } from "../../../pipeline/settings/server.ts";

const ADDRESS = "must be an http or https address, an existing file or folder, or none if the system is gone";

it.each([
  [{ SCHEDULE_URL: "notaurl" }, `SCHEDULE_URL ${ADDRESS}, not "notaurl"`],
  [{ SCHEDULE_URL: "ftp://x/y" }, `SCHEDULE_URL ${ADDRESS}, not "ftp://x/y"`],
  [{ RECORDS_URL: "file:///no/such/folder" }, `RECORDS_URL ${ADDRESS}, not "file:///no/such/folder"`],
  [{ LARC_URL: "http://" }, `LARC_URL ${ADDRESS}, not "http://"`],
  [{ LARC_URL: "http://me:secret@x:99999/" }, `LARC_URL ${ADDRESS}, not "http://…@x:99999/"`],
  [{ CALENDAR_URL: "http://x/\u0001" }, "CALENDAR_URL must not contain control characters"],
  [
    { TERMS: "2024 Fall,2024 Autumn" },
    'TERMS must be a list of terms such as "2024 Fall,2025 Winter", not "2024 Fall,2024 Autumn"',
  ],
  [{ TERMS: "," }, 'TERMS must be a list of terms such as "2024 Fall,2025 Winter", not ","'],
  [{ CRAWL_CONCURRENCY: "0" }, 'CRAWL_CONCURRENCY must be a whole number from 1 to 64, not "0"'],
  [{ CRAWL_PAUSE_MS: "1.5" }, 'CRAWL_PAUSE_MS must be a whole number from 0 to 600000, not "1.5"'],
  [{ UPSTREAM_TIMEOUT_MS: "soon" }, 'UPSTREAM_TIMEOUT_MS must be a whole number from 1 to 600000, not "soon"'],
  [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud"'],
  [{ SAMPLE: "huge" }, 'SAMPLE must be one of standard, full, not "huge"'],
  [{ CAMPUS: "elsewhere" }, 'CAMPUS must be uci, not "elsewhere"'],
  [{ ALLOW_SHRINK: "yes" }, 'ALLOW_SHRINK must be 1, 0 or ids such as "3f9c1a,88e0d2", not "yes"'],
  [{ RETAIN: "48h,2 weeks" }, 'RETAIN must be periods such as "48h,60d,24m", not "48h,2 weeks"'],
  [{ DATA_DIR: "package.json" }, 'DATA_DIR must be a folder, not "package.json"'],
  [{ ARTIFACTS_DIR: "package.json/x" }, 'ARTIFACTS_DIR must be a folder, not "package.json/x"'],
  [{ SAMPLE: "x".repeat(300) }, `SAMPLE must be one of standard, full, not "${"x".repeat(100)}"`],
  [
    { TERMS: "now", ALLOW_SHRINK: "no" },
    'TERMS must be a list of terms such as "2024 Fall,2025 Winter", not "now"; ALLOW_SHRINK must be 1, 0 or ids such as "3f9c1a,88e0d2", not "no"',
  ],
])("the pipeline refuses %o", (env, words) => {
  expect(() => readPipelineConfig(env)).toThrow(new UsageError(words));
});

it.each([
  [{ PORT: "http" }, 'PORT must be a whole number from 0 to 65535, not "http"'],
  [{ PORT: "-1" }, 'PORT must be a whole number from 0 to 65535, not "-1"'],
  [{ PORT: "99999" }, 'PORT must be a whole number from 0 to 65535, not "99999"'],
  [{ PORT: "3000.5" }, 'PORT must be a whole number from 0 to 65535, not "3000.5"'],
  [{ COMPAT: "yes" }, 'COMPAT must be 1 or 0, not "yes"'],
  [
    { FOLLOW_URL: "elsewhere" },
    'FOLLOW_URL must be the web address of a server, s3://bucket/prefix or a folder such as /srv/lake, not "elsewhere"',
  ],
  [{ FOLLOW_SECONDS: "0" }, 'FOLLOW_SECONDS must be a whole number from 1 to 86400, not "0"'],
  [{ UPSTREAM_TIMEOUT_MS: "-1" }, 'UPSTREAM_TIMEOUT_MS must be a whole number from 1 to 600000, not "-1"'],
  [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud"'],
  [{ SCHEDULE_URL: "notaurl" }, `SCHEDULE_URL ${ADDRESS}, not "notaurl"`],
  [{ ARTIFACTS_DIR: "package.json" }, 'ARTIFACTS_DIR must be a folder, not "package.json"'],
])("the server refuses %o", (env, words) => {
  expect(() => readServerConfig(env)).toThrow(new UsageError(words));
});

it("an address may be a path or a file: URL of what is there", () => {
  const { addresses } = readPipelineConfig({ RECORDS_URL: "data/grades", LARC_URL: pathToFileURL("README.md").href });
  expect(addresses).toEqual({ records: pathToFileURL("data/grades"), larc: pathToFileURL("README.md") });
});

it("a folder may be a file: URL, also of one that is not there yet", () => {
  const folders = { ARTIFACTS_DIR: "file:///srv/a%20b", DATA_DIR: pathToFileURL("data").href };
  const expected = { artifactsDir: "/srv/a b", dataDir: resolve("data") };
  expect([readPipelineConfig(folders), readServerConfig(folders)]).toMatchObject([expected, expected]);
  expect(() => readPipelineConfig({ DATA_DIR: "file://elsewhere/data" })).toThrow(/^DATA_DIR must be a folder/);
});

describe("an address that is none", () => {
  const names = Object.entries(ADDRESS_VARIABLES);
  it.each(names)("%s: the system is gone, also where a preset has an address", (system, name) => {
    for (const text of ["none", "NONE", " none "]) {
      const { addresses, closed, sample } = readPipelineConfig({ [name]: text, CAMPUS: "uci" });
      expect([closed, system in addresses, sample]).toEqual([[system], false, undefined]);
    }
    const empty = readPipelineConfig({ [name]: "", CAMPUS: "uci" });
    expect([empty.closed, empty.addresses]).toEqual([[], readPipelineConfig({ CAMPUS: "uci" }).addresses]);
  });

  it("is a setting: without any other, nothing is crawled", () => {
    expect(readPipelineConfig({ LARC_URL: "none" })).toMatchObject({
      addresses: {},
      closed: ["larc"],
      sample: undefined,
    });
    const all = Object.fromEntries(names.map(([, name]) => [name, "none"]));
    expect(readPipelineConfig(all)).toMatchObject({ addresses: {}, closed: [...SYSTEMS], sample: undefined });
    expect(readServerConfig(all).scheduleUrl).toBe("none");
  });
});

describe("a variable that resembles a known one", () => {
  const warned = (env: Record<string, string>) => [
    ...new Set([...readPipelineConfig(env).warnings, ...readServerConfig(env).warnings]),
  ];

  it.each([
    ["SCHEDUL_URL", "SCHEDULE_URL"],
    ["ARTIFACT_DIR", "ARTIFACTS_DIR"],
    ["CRAWL_CONCURENCY", "CRAWL_CONCURRENCY"],
    ["UPSTREAM_TIMOEUT_MS", "UPSTREAM_TIMEOUT_MS"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["RATE_LIMITS", "RATE_LIMIT"],
    ["schedule_url", "SCHEDULE_URL"],
  ])("%s is warned of", (name, meant) => {
    expect(warned({ [name]: "1" })).toEqual([`${name} is not a known variable; did you mean ${meant}?`]);
    expect(warned({ [name]: "" })).toEqual([]);
  });

  it("the ordinary variables of shells, systems and tools are not, nor those of the other program", () => {
    const ordinary =
      "PATH HOME HOSTNAME HOSTTYPE TERM TERMINFO SHELL USER LOGNAME PWD OLDPWD LANG LC_ALL TZ EDITOR PAGER MAIL DISPLAY TMPDIR COLORTERM " +
      "TERM_PROGRAM LS_COLORS SSH_AUTH_SOCK XDG_DATA_DIRS XDG_CONFIG_DIRS XDG_RUNTIME_DIR JAVA_HOME PORTAGE PORTS POST PROMPT HTTP_PROXY HTTPS_PROXY " +
      "http_proxy no_proxy NO_PROXY ALL_PROXY CI DEBUG NODE_ENV NODE_OPTIONS NODE_PATH NVM_DIR MAKEFLAGS MAKELEVEL MFLAGS npm_config_cache " +
      "npm_lifecycle_event BASE_URL API_URL DATABASE_URL REDIS_URL SRC_URL DATA_HOME LOG_FILE LOG_DIR CACHE_DIR BUILD_DIR DEST_DIR CAMP " +
      "QUICK BENCH_ARTIFACTS YES Q FORMAT KUBERNETES_SERVICE_HOST KUBERNETES_PORT INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET";
    const env = Object.fromEntries(ordinary.split(" ").map((name) => [name, "x"]));
    expect(warned(env)).toEqual([]);
    const all = [...Object.keys(pipelineSettings.shape), ...Object.keys(serverSettings.shape)];
    const each = Object.fromEntries(all.map((name) => [name, "x"]));
    expect([...warnOfMisspelled(pipelineSettings, each), ...warnOfMisspelled(serverSettings, each)]).toEqual([]);
  });
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
