/** The server's configuration: environment → one frozen value. `process.env` is read by the two config files only. */
import { resolve } from "node:path";
import { UsageError } from "../pipeline/errors.ts";
import { readFollowUrl } from "../pipeline/follow.ts";
import { LOG_LEVELS, type LogLevel } from "../pipeline/log.ts";
import { type Bounds, BOUNDS } from "./operations/bounds.ts";
import { LOG_FORMATS, type LogFormat } from "./operations/logging.ts";
import type { RateLimit } from "./operations/rate-limiting.ts";

export interface ServerConfig {
  /** Empty = every interface, IPv4 and IPv6. */
  readonly host: string;
  readonly port: number;
  readonly compat: boolean;
  readonly artifactsDir: string;
  /** The schedule form for live questions; undefined = the upstream that the published data came from. */
  readonly scheduleUrl: string | undefined;
  readonly upstreamTimeoutMs: number;
  /** The server, or static copy of one, whose snapshots are copied; undefined = none. */
  readonly followUrl: URL | undefined;
  readonly followSeconds: number;
  readonly logLevel: LogLevel;
  /** Undefined = plain lines on a terminal, JSON elsewhere. */
  readonly logFormat: LogFormat | undefined;
  /** How many requests one client may send; undefined = as many as it likes. */
  readonly rateLimit: RateLimit | undefined;
  /** A proxy of our own stands before the server: the client's address is the one that it saw. */
  readonly trustProxy: boolean;
  readonly bounds: Bounds;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 };

/** `20/s`, `600/min`, `5000/h`; undefined when it is none of these. */
function readRateLimit(text: string): RateLimit | undefined {
  const [, requests, unit = ""] = /^([1-9]\d{0,6})\/(s|min|h)$/.exec(text) ?? [];
  const perMs = UNITS_MS[unit];
  return perMs === undefined ? undefined : { requests: Number(requests), perMs };
}

/** Reads the environment; everything is optional. @throws UsageError for a value that cannot be meant */
export function readServerConfig(env: Readonly<Record<string, string | undefined>>): ServerConfig {
  const given = (name: string) => (env[name] === "" ? undefined : env[name]);
  const whole = (name: string, fallback: number, least: number, most: number) => {
    const value = Number(given(name) ?? fallback);
    if (!Number.isInteger(value) || value < least || value > most)
      throw new UsageError(`${name} must be a whole number from ${least} to ${most}`);
    return value;
  };
  const either = (name: string) => {
    const value = given(name) ?? "0";
    if (!["0", "1", "true", "false"].includes(value)) throw new UsageError(`${name} must be 1 or 0`);
    return value === "1" || value === "true";
  };
  const logLevel = given("LOG_LEVEL") ?? "info";
  if (!LOG_LEVELS.includes(logLevel as LogLevel))
    throw new UsageError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}`);
  const follow = given("FOLLOW_URL");
  const logFormat = given("LOG_FORMAT");
  if (logFormat !== undefined && !LOG_FORMATS.includes(logFormat as LogFormat))
    throw new UsageError(`LOG_FORMAT must be one of ${LOG_FORMATS.join(", ")}`);
  const limited = given("RATE_LIMIT");
  const rateLimit = limited === undefined ? undefined : readRateLimit(limited);
  if (limited !== undefined && !rateLimit)
    throw new UsageError("RATE_LIMIT must be a number of requests per s, min or h, such as 20/s or 600/min");
  return Object.freeze({
    host: given("HOST") ?? "",
    port: whole("PORT", 3000, 0, 65_535),
    compat: either("COMPAT"),
    artifactsDir: resolve(given("ARTIFACTS_DIR") ?? "artifacts"),
    scheduleUrl: given("SCHEDULE_URL"),
    upstreamTimeoutMs: whole("UPSTREAM_TIMEOUT_MS", 15_000, 1, 600_000),
    followUrl: follow === undefined ? undefined : readFollowUrl(follow),
    followSeconds: whole("FOLLOW_SECONDS", 1, 1, 86_400),
    logLevel: logLevel as LogLevel,
    logFormat: logFormat as LogFormat | undefined,
    rateLimit,
    trustProxy: either("TRUST_PROXY"),
    bounds: {
      ...BOUNDS,
      connections: whole("MAX_CONNECTIONS", BOUNDS.connections, 1, 1_000_000),
      statementMs: whole("QUERY_TIMEOUT_MS", BOUNDS.statementMs, 1, 600_000),
    },
  });
}
