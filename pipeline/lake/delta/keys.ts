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

/** Undefined for any other object. */
export function parseLogKey(key: string): LogName | undefined {
  const found = /\/_delta_log\/(\d{20})\.(json|checkpoint\.parquet)$/.exec(key);
  return found ? { kind: found[2] === "json" ? "commit" : "checkpoint", version: Number(found[1]) } : undefined;
}

/**
 * The version that any object of a log is of, also one of a form that only other writers use; undefined where the
 * name has none.
 */
export function versionOf(key: string): number | undefined {
  const digits = /\/_delta_log\/(\d{20})\./.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
