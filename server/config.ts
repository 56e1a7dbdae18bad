/** The server's configuration: environment → one frozen value. `process.env` is read by the two config files only. */
import { resolve } from "node:path";
import { UsageError } from "../pipeline/errors.ts";
import { readFollowUrl } from "../pipeline/follow.ts";
import { LOG_LEVELS, type LogLevel } from "../pipeline/log.ts";

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
  const compat = given("COMPAT") ?? "0";
  if (!["0", "1", "true", "false"].includes(compat)) throw new UsageError("COMPAT must be 1 or 0");
  const logLevel = given("LOG_LEVEL") ?? "info";
  if (!LOG_LEVELS.includes(logLevel as LogLevel))
    throw new UsageError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}`);
  const follow = given("FOLLOW_URL");
  return Object.freeze({
    host: given("HOST") ?? "",
    port: whole("PORT", 3000, 0, 65_535),
    compat: compat === "1" || compat === "true",
    artifactsDir: resolve(given("ARTIFACTS_DIR") ?? "artifacts"),
    scheduleUrl: given("SCHEDULE_URL"),
    upstreamTimeoutMs: whole("UPSTREAM_TIMEOUT_MS", 15_000, 1, 600_000),
    followUrl: follow === undefined ? undefined : readFollowUrl(follow),
    followSeconds: whole("FOLLOW_SECONDS", 1, 1, 86_400),
    logLevel: logLevel as LogLevel,
  });
}
