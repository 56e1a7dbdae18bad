/** The names below a lake's folder. */
import { join } from "node:path";

export interface LakeLayout {
  readonly lock: string;
  /** Everything unfinished is in here and nowhere else. */
  readonly drafts: string;
  /** Which version of each table belongs to which snapshot. */
  readonly snapshots: string;
}

export function lakeLayout(folder: string): LakeLayout {
  return { lock: join(folder, ".lock"), drafts: join(folder, ".drafts"), snapshots: join(folder, "snapshots.json") };
}

export const logFolder = (tableFolder: string): string => join(tableFolder, "_delta_log");

const DIGITS = 20;
const numbered = (version: number): string => String(version).padStart(DIGITS, "0");

export const commitName = (version: number): string => `${numbered(version)}.json`;
export const checkpointName = (version: number): string => `${numbered(version)}.checkpoint.parquet`;
export const LAST_CHECKPOINT = "_last_checkpoint";

export interface LogName {
  readonly kind: "commit" | "checkpoint";
  readonly version: number;
}

/** Undefined for any other file. */
export function parseLogName(name: string): LogName | undefined {
  const found = /^(\d{20})\.(json|checkpoint\.parquet)$/.exec(name);
  return found ? { kind: found[2] === "json" ? "commit" : "checkpoint", version: Number(found[1]) } : undefined;
}
