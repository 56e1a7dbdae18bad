/** The pipeline's configuration, read from the environment once. */
import { z } from "zod";
import { parseTermName, type Term } from "../contract/vocabulary.ts";
import type { LogLevel } from "../log.ts";
import { DEFAULT_RETENTION, parseRetention, type Retention } from "../contract/retention.ts";
import { address, choice, CLOSED, parsed, storeAddress, whole } from "./values.ts";
import { type Environment, readSettings, warnOfMisspelled } from "./settings.ts";
import { SHARED_SETTINGS } from "./shared.ts";
import { readAws, type AwsSettings } from "./aws.ts";

export const SYSTEMS = ["schedule", "records", "catalogue", "prerequisites", "directory", "calendar", "larc"] as const;
export type System = (typeof SYSTEMS)[number];

/** The environment variable for the address of each system. */
export const ADDRESS_VARIABLES = {
  schedule: "SCHEDULE_URL",
  records: "RECORDS_URL",
  catalogue: "CATALOGUE_URL",
  prerequisites: "PREREQUISITES_URL",
  directory: "DIRECTORY_URL",
  calendar: "CALENDAR_URL",
  larc: "LARC_URL",
} as const satisfies Readonly<Record<System, string>>;

/** The fate of each system's data when the system is gone. */
const AFTER_CLOSING: Readonly<Record<System, string>> = {
  schedule: "terms and sections stay as published",
  records: "grades stay as published, and files in data/grades/ are read",
  catalogue: "courses stay as published, and so do requirements and people, which are requested from its lists",
  prerequisites: "requirements stay as published",
  directory: "people stay as published",
  calendar: "the calendar stays as published, and data/calendar.csv is read",
  larc: "tutorials stay as published",
};

/** A line for log, report, status and doctor. */
export const closedText = (system: System): string =>
  `${ADDRESS_VARIABLES[system]} is none: the system is gone and is not requested, ${AFTER_CLOSING[system]}`;

/**
 * Public addresses. The records office of the University of California, Irvine has no index page: its grade sheets go
 * into `data/grades/`.
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

/** Retries of a crawl's request: with back-off, about two minutes in all for a remote host. */
const RETRIES = 5;

export type SampleSize = "standard" | "full";

export interface PipelineConfig {
  readonly addresses: Readonly<Partial<Record<System, URL>>>;
  /** Systems that are gone: they are not requested, their published data stays, and that is not a failure. */
  readonly closed: readonly System[];
  /** Set when no address is configured, and none is `none`: the embedded campus is crawled. */
  readonly sample: SampleSize | undefined;
  readonly dataDir: string;
  readonly artifactsDir: string;
  readonly terms: readonly Term[] | undefined;
  readonly concurrency: number | undefined;
  readonly pauseMs: number | undefined;
  readonly timeoutMs: number;
  /** The largest response of an upstream, in bytes. */
  readonly maxBytes: number;
  readonly retries: number;
  readonly retain: Retention;
  /** True to accept everything that a guard refuses in this run. */
  readonly allowShrink: boolean;
  /** Additional refusals to accept in this run, by the ids that a guard printed. */
  readonly acceptedIds: ReadonlySet<string>;
  /** True when the server replicates another server; nothing is built here. */
  readonly follows: boolean;
  /** The address of a bucket or a folder to which each snapshot is published besides the artifacts folder. */
  readonly publishTo: URL | undefined;
  readonly aws: AwsSettings;
  readonly logLevel: LogLevel;
  /** True when `LOG_LEVEL` is set: the log is wanted, also on a terminal and from cron. */
  readonly isLogWanted: boolean;
  /** True when the terminal cannot redraw a line. */
  readonly isDumbTerminal: boolean;
  /** Variables that are probably misspelled, for the log. */
  readonly warnings: readonly string[];
}

function readTerms(text: string): Term[] | undefined {
  const items = text.split(",").filter((item) => item.trim() !== "");
  const terms = items.flatMap((item) => parseTermName(item) ?? []);
  return terms.length > 0 && terms.length === items.length ? terms : undefined;
}

/** Returns `all`, or the ids of what is accepted. */
function readAcceptance(text: string): "all" | ReadonlySet<string> | undefined {
  const items = text.split(",").flatMap((item) => item.trim().toLowerCase() || []);
  if (items.length === 1 && /^(?:1|true)$/.test(items[0] ?? "")) return "all";
  if (items.length === 1 && /^(?:0|false)$/.test(items[0] ?? "")) return new Set();
  return items.length > 0 && items.every((item) => /^[0-9a-f]{6}$/.test(item)) ? new Set(items) : undefined;
}

export const pipelineSettings = z.object({
  ...SHARED_SETTINGS,
  RECORDS_URL: address()
    .describe("an index page of grade exports (`.csv`, `.xlsx`); files in `data/grades/` are read as well")
    .optional(),
  CATALOGUE_URL: address().describe("the course catalogue").optional(),
  PREREQUISITES_URL: address().describe("the registrar's prerequisite pages").optional(),
  DIRECTORY_URL: address().describe("the staff directory").optional(),
  CALENDAR_URL: address().describe("the quarterly calendars; `data/calendar.csv` takes precedence").optional(),
  LARC_URL: address().describe("the tutorials").optional(),
  CAMPUS: z
    .string()
    .toLowerCase()
    .pipe(choice(Object.keys(PRESETS)))
    .meta({ form: Object.keys(PRESETS).join(" or ") })
    .describe("presets the public addresses of a university: `uci` is the University of California, Irvine")
    .optional(),
  SAMPLE: choice(["standard", "full"])
    .prefault("standard")
    .describe("size of the sample campus; `full` has 132 departments and 650,000 sections"),
  TERMS: parsed('a list of terms such as "2024 Fall,2025 Winter"', readTerms)
    .describe("restricts the crawl of the schedule to these terms")
    .optional(),
  CRAWL_CONCURRENCY: whole(1, 64)
    .describe("requests to an upstream at the same time; by default 1 to a remote host, 4 on loopback")
    .optional(),
  CRAWL_PAUSE_MS: whole(0, 600_000)
    .describe("pause between two requests; by default 500 to a remote host, 0 on loopback")
    .optional(),
  RETAIN: parsed('periods such as "48h,60d,24m"', parseRetention)
    .prefault(DEFAULT_RETENTION)
    .describe(
      "which earlier snapshots are retained: all of the last hours, the last one of each day, the last one of each month",
    ),
  PUBLISH_TO: storeAddress()
    .describe("where each snapshot is published besides the artifacts folder, for replicas and for data lakes")
    .optional(),
  ALLOW_SHRINK: parsed('1, 0 or ids such as "3f9c1a,88e0d2"', readAcceptance)
    .prefault("0")
    .describe(
      "the ids of refused columns accept these in one run; `1` accepts everything that is refused, and gives up what is damaged and does not come back",
    ),
});

/** Reads the environment; everything is optional. @throws UsageError for an invalid value */
export function readPipelineConfig(env: Environment): PipelineConfig {
  const read = readSettings(pipelineSettings, env);
  const preset = read.CAMPUS === undefined ? {} : PRESETS[read.CAMPUS];
  const addresses: Partial<Record<System, URL>> = {};
  const closed: System[] = [];
  for (const system of SYSTEMS) {
    const publicAddress = preset?.[system];
    const value = read[ADDRESS_VARIABLES[system]] ?? (publicAddress === undefined ? undefined : new URL(publicAddress));
    if (value === CLOSED) closed.push(system);
    else if (value) addresses[system] = value;
  }
  return Object.freeze({
    addresses,
    closed,
    sample: Object.keys(addresses).length + closed.length === 0 ? read.SAMPLE : undefined,
    dataDir: read.DATA_DIR,
    artifactsDir: read.ARTIFACTS_DIR,
    terms: read.TERMS,
    concurrency: read.CRAWL_CONCURRENCY,
    pauseMs: read.CRAWL_PAUSE_MS,
    timeoutMs: read.UPSTREAM_TIMEOUT_MS,
    maxBytes: read.UPSTREAM_MAX_MB * 1_000_000,
    retries: RETRIES,
    retain: read.RETAIN,
    allowShrink: read.ALLOW_SHRINK === "all",
    acceptedIds: read.ALLOW_SHRINK === "all" ? new Set<string>() : read.ALLOW_SHRINK,
    follows: read.FOLLOW_URL !== undefined,
    publishTo: read.PUBLISH_TO,
    aws: readAws(read),
    logLevel: read.LOG_LEVEL ?? "info",
    isLogWanted: read.LOG_LEVEL !== undefined,
    isDumbTerminal: env["TERM"] === "dumb",
    warnings: warnOfMisspelled(pipelineSettings, env),
  });
}
