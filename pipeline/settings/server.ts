/** The server's configuration, parsed from the environment. */
import { z } from "zod";
import type { LogLevel } from "../log.ts";
import { choice, onOff, parsed, whole } from "./values.ts";
import { type Environment, readSettings, warnOfMisspelled } from "./settings.ts";
import { SHARED_SETTINGS } from "./shared.ts";
import { readAws, type AwsSettings } from "./aws.ts";

/** Limits on clients and requests; times in milliseconds. */
export interface Limits {
  /** Time to receive the request headers (408). */
  readonly headersMs: number;
  /** Time without progress on a connection before it is closed. */
  readonly stallMs: number;
  /** Time to send a response. */
  readonly responseMs: number;
  /** Time for requests in flight at shutdown. */
  readonly drainMs: number;
  /** Open connections; further ones are closed immediately. */
  readonly connections: number;
  /**
   * The most pipelined requests of all connections that wait for an earlier response, some kilobytes each; a connection
   * with more is closed.
   */
  readonly waitingRequests: number;
  readonly statementMs: number;
  /** Concurrent streamed responses. */
  readonly largeResponses: number;
  /** Queued streamed responses; further ones get 503. */
  readonly queuedLargeResponses: number;
}

export const DEFAULT_LIMITS: Limits = Object.freeze({
  headersMs: 20_000,
  stallMs: 60_000,
  responseMs: 600_000,
  drainMs: 10_000,
  connections: 4096,
  waitingRequests: 50_000,
  statementMs: 30_000,
  largeResponses: 64,
  queuedLargeResponses: 512,
});

export interface RateLimit {
  readonly requests: number;
  /** Time to refill an empty bucket, in milliseconds. */
  readonly perMs: number;
}

export const LOG_FORMATS = ["json", "text"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface ServerConfig {
  /** Empty = all interfaces, IPv4 and IPv6. */
  readonly host: string;
  readonly port: number;
  readonly compat: boolean;
  /** Path prefix of this installation behind a proxy: `/`, or such as `/academic/`. */
  readonly base: string;
  readonly artifactsDir: string;
  /** The folder with the take-down list, which live answers apply. */
  readonly dataDir: string;
  /** The schedule form for live queries; undefined = the upstream of the published data, `none` = no upstream. */
  readonly scheduleUrl: URL | "none" | undefined;
  readonly upstreamTimeoutMs: number;
  readonly upstreamMaxBytes: number;
  /** The source of a replica: a server, a static host, a bucket or a folder; undefined = nothing. */
  readonly followUrl: URL | undefined;
  /** The connection to a bucket. */
  readonly aws: AwsSettings;
  readonly followSeconds: number;
  readonly logLevel: LogLevel;
  /** True when `LOG_LEVEL` or `LOG_FORMAT` is set: the whole log is wanted, also on a terminal. */
  readonly isLogWanted: boolean;
  /** Undefined = text on a terminal, JSON otherwise. */
  readonly logFormat: LogFormat | undefined;
  /** The limit per client; undefined = unlimited. */
  readonly rateLimit: RateLimit | undefined;
  /** True behind a trusted proxy: the last X-Forwarded-For is the client's address. */
  readonly trustProxy: boolean;
  readonly limits: Limits;
  /** Probably misspelled variables, for the log. */
  readonly warnings: readonly string[];
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 };

/** Parses `20/s`, `600/min` or `5000/h`; undefined if invalid. */
function readRateLimit(text: string): RateLimit | undefined {
  const [, requests, unit = ""] = /^([1-9]\d{0,6})\/(s|min|h)$/.exec(text) ?? [];
  const perMs = UNITS_MS[unit];
  return perMs === undefined ? undefined : { requests: Number(requests), perMs };
}

/** Returns the path with a slash at both ends; undefined if invalid. */
function readBasePath(text: string): string | undefined {
  const path = text.replace(/\/$/, "");
  return /^(?:\/[\w.~-]+)*$/.test(path) ? `${path}/` : undefined;
}

export const serverSettings = z.object({
  ...SHARED_SETTINGS,
  FOLLOW_SECONDS: whole(1, 86_400).prefault("1").describe("how often the followed server is asked"),
  HOST: z
    .string()
    .meta({ form: "a host name or address of this machine" })
    .describe("where the server listens; by default on every interface")
    .optional(),
  PORT: whole(0, 65_535).prefault("3000").describe("the server's port; `0` is any free one"),
  COMPAT: onOff().prefault("0").describe("`1`: responses as clients of the predecessor expect them"),
  BASE_PATH: parsed("a path such as /academic", readBasePath)
    .prefault("/")
    .describe("the path below which a proxy serves this server; requests with and without it are answered"),
  LOG_FORMAT: choice(LOG_FORMATS)
    .describe("the server's log; by default text on a terminal, JSON elsewhere")
    .optional(),
  RATE_LIMIT: parsed("a number of requests per s, min or h, such as 20/s or 600/min", readRateLimit)
    .describe("requests of each client address; by default unlimited")
    .optional(),
  TRUST_PROXY: onOff()
    .prefault("0")
    .describe(
      "`1`: a proxy of yours stands before the server, the last `X-Forwarded-For` is the client's address, `X-Forwarded-Proto` and `-Host` are those that it asked by",
    ),
  MAX_CONNECTIONS: whole(1, 1_000_000).prefault(String(DEFAULT_LIMITS.connections)).describe("open connections"),
  QUERY_TIMEOUT_MS: whole(1, 600_000)
    .prefault(String(DEFAULT_LIMITS.statementMs))
    .describe("the longest time for one request's statement"),
});

/** Every variable is optional. @throws UsageError for an invalid value */
export function readServerConfig(env: Environment): ServerConfig {
  const read = readSettings(serverSettings, env);
  return Object.freeze({
    host: read.HOST ?? "",
    port: read.PORT,
    compat: read.COMPAT,
    base: read.BASE_PATH,
    artifactsDir: read.ARTIFACTS_DIR,
    dataDir: read.DATA_DIR,
    scheduleUrl: read.SCHEDULE_URL,
    upstreamTimeoutMs: read.UPSTREAM_TIMEOUT_MS,
    upstreamMaxBytes: read.UPSTREAM_MAX_MB * 1_000_000,
    followUrl: read.FOLLOW_URL,
    aws: readAws(read),
    followSeconds: read.FOLLOW_SECONDS,
    logLevel: read.LOG_LEVEL ?? "info",
    isLogWanted: read.LOG_LEVEL !== undefined || read.LOG_FORMAT !== undefined,
    logFormat: read.LOG_FORMAT,
    rateLimit: read.RATE_LIMIT,
    trustProxy: read.TRUST_PROXY,
    limits: { ...DEFAULT_LIMITS, connections: read.MAX_CONNECTIONS, statementMs: read.QUERY_TIMEOUT_MS },
    warnings: warnOfMisspelled(serverSettings, env),
  });
}
