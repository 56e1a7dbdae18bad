/** The pipeline's configuration: environment → one frozen value. `process.env` is read by the two config files only. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseTermName, type Term } from "./contract/vocabulary.ts";
import { UsageError } from "./errors.ts";
import { LOG_LEVELS, type LogLevel } from "./log.ts";
import type { Manners } from "./sources/http.ts";

export const SYSTEMS = ["schedule", "records", "catalogue", "prerequisites", "directory", "calendar", "larc"] as const;
export type System = (typeof SYSTEMS)[number];

/** The environment variable with a system's address. */
export const ADDRESS_VARIABLES = {
  schedule: "SCHEDULE_URL",
  records: "RECORDS_URL",
  catalogue: "CATALOGUE_URL",
  prerequisites: "PREREQUISITES_URL",
  directory: "DIRECTORY_URL",
  calendar: "CALENDAR_URL",
  larc: "LARC_URL",
} as const satisfies Readonly<Record<System, string>>;

/**
 * The public addresses of the University of California, Irvine. Its records office has no index page: it sends grade sheets on request, and they
 * are dropped into `data/grades/`.
 */
const PRESETS: Readonly<Record<string, Partial<Record<System, string>>>> = {
  uci: {
    schedule: "https://www.reg.uci.edu/perl/WebSoc",
    catalogue: "https://catalogue.uci.edu/",
    prerequisites: "https://www.reg.uci.edu/cob/prrqcgi",
    directory: "https://directory.uci.edu/",
    calendar: "https://www.reg.uci.edu/calendars/quarterly/",
    larc: "https://enroll.larc.uci.edu/",
  },
};

/** The registrar asked crawlers to pause for half a second; on loopback nobody is bothered. */
const REMOTE = { concurrency: 1, pauseMs: 500 };
const LOOPBACK = { concurrency: 4, pauseMs: 0 };
/** Repetitions of a crawl's request: with back-off about two minutes in all towards a remote host. */
const RETRIES = 5;

export type SampleSize = "standard" | "full";

export interface PipelineConfig {
  readonly addresses: Readonly<Partial<Record<System, URL>>>;
  /** Set when no address is: the embedded campus is crawled. */
  readonly sample: SampleSize | undefined;
  readonly dataDir: string;
  readonly artifactsDir: string;
  /** Restricts a build to these terms. */
  readonly terms: readonly Term[] | undefined;
  readonly concurrency: number | undefined;
  readonly pauseMs: number | undefined;
  readonly timeoutMs: number;
  /** How often a failed request is repeated. */
  readonly retries: number;
  readonly allowShrink: boolean;
  /** The server copies what another one publishes: nothing is built here when it starts. */
  readonly follows: boolean;
  readonly logLevel: LogLevel;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment; everything is optional. @throws UsageError for a value that cannot be meant */
export function readPipelineConfig(env: Environment): PipelineConfig {
  const given = (name: string) => (env[name]?.trim() ? env[name]?.trim() : undefined);
  const addresses = readAddresses(given);
  const none = Object.keys(addresses).length === 0;
  const logLevel = given("LOG_LEVEL") ?? "info";
  if (!LOG_LEVELS.includes(logLevel as LogLevel))
    throw new UsageError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}`);
  return Object.freeze({
    addresses,
    sample: none ? readSample(given("SAMPLE")) : undefined,
    dataDir: resolve(given("DATA_DIR") ?? "data"),
    artifactsDir: resolve(given("ARTIFACTS_DIR") ?? "artifacts"),
    terms: readTerms(given("TERMS")),
    concurrency: readWhole("CRAWL_CONCURRENCY", given("CRAWL_CONCURRENCY"), 1, 64),
    pauseMs: readWhole("CRAWL_PAUSE_MS", given("CRAWL_PAUSE_MS"), 0, 600_000),
    timeoutMs: readWhole("UPSTREAM_TIMEOUT_MS", given("UPSTREAM_TIMEOUT_MS"), 1, 600_000) ?? 15_000,
    retries: RETRIES,
    allowShrink: readSwitch("ALLOW_SHRINK", given("ALLOW_SHRINK")),
    follows: given("FOLLOW_URL") !== undefined,
    logLevel: logLevel as LogLevel,
  });
}

function readAddresses(given: (name: string) => string | undefined): Partial<Record<System, URL>> {
  const campus = given("CAMPUS");
  const preset = campus === undefined ? {} : PRESETS[campus.toLowerCase()];
  if (!preset) throw new UsageError(`CAMPUS must be one of ${Object.keys(PRESETS).join(", ")}`);
  const addresses: Partial<Record<System, URL>> = {};
  for (const system of SYSTEMS) {
    const text = given(ADDRESS_VARIABLES[system]) ?? preset[system];
    if (text !== undefined) addresses[system] = readAddress(ADDRESS_VARIABLES[system], text);
  }
  return addresses;
}

/** A web address, a `file:` URL or a path. */
export function readAddress(name: string, text: string): URL {
  if (/^(https?|file):/i.test(text)) {
    if (!URL.canParse(text)) throw new UsageError(`${name} is not an address: ${text}`);
    return new URL(text);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    throw new UsageError(`${name} must be an http, https or file address or a path: ${text}`);
  return pathToFileURL(resolve(text));
}

function readSample(text = "standard"): SampleSize {
  if (text !== "standard" && text !== "full") throw new UsageError("SAMPLE must be standard or full");
  return text;
}

function readTerms(text: string | undefined): Term[] | undefined {
  if (text === undefined) return undefined;
  const items = text.split(",").filter((item) => item.trim() !== "");
  return items.map((item) => {
    const term = parseTermName(item);
    if (!term) throw new UsageError(`TERMS must be a list such as "2024 Fall,2025 Winter", not "${item.trim()}"`);
    return term;
  });
}

function readWhole(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}`);
  return value;
}

function readSwitch(name: string, text: string | undefined): boolean {
  if (text !== undefined && !["0", "1", "true", "false"].includes(text)) throw new UsageError(`${name} must be 1 or 0`);
  return text === "1" || text === "true";
}

/** How a system is asked: politely when it is remote, without pauses on this machine. */
export function mannersFor(
  address: URL,
  config: Pick<PipelineConfig, "concurrency" | "pauseMs" | "timeoutMs" | "retries">,
): Manners {
  const near = address.protocol === "file:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(address.hostname);
  const usual = near ? LOOPBACK : REMOTE;
  return {
    concurrency: config.concurrency ?? usual.concurrency,
    pauseMs: config.pauseMs ?? usual.pauseMs,
    timeoutMs: config.timeoutMs,
    retries: config.retries,
    backoffMs: near ? 100 : 2000,
    backoffCapMs: near ? 2000 : 60_000,
  };
}
