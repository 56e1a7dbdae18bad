/** The keys of the Delta Lake tables in a store. */

export const logPrefix = (table: string): string => `${table}/_delta_log/`;

const DIGITS = 20;
const numbered = (version: number): string => String(version).padStart(DIGITS, "0");

export const commitKey = (table: string, version: number): string => `${logPrefix(table)}${numbered(version)}.json`;
export const checkpointKey = (table: string, version: number): string =>
  `${logPrefix(table)}${numbered(version)}.checkpoint.parquet`;
export const lastCheckpointKey = (table: string): string => `${logPrefix(table)}_last_checkpoint`;

export interface LogName {
  readonly kind: "commit" | "checkpoint";
  readonly version: number;
}

/** Returns undefined for any other object. */
export function parseLogKey(key: string): LogName | undefined {
  const match = /\/_delta_log\/(\d{20})\.(json|checkpoint\.parquet)$/.exec(key);
  return match ? { kind: match[2] === "json" ? "commit" : "checkpoint", version: Number(match[1]) } : undefined;
}

/** The version of any object of a log, including forms that only other writers use; undefined if the name has none. */
export function versionOf(key: string): number | undefined {
  const digits = /\/_delta_log\/(\d{20})\./.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
