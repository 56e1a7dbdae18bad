/** The statements of earlier prompts, in a file of the user, one per line. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Environment } from "../../settings/settings.ts";

const MOST = 1000;
const PRIVATE = { mode: 0o600 };

/** The XDG Base Directory Specification says to ignore a relative path. */
export function historyFile({ XDG_STATE_HOME: state = "" }: Environment): string {
  return join(state.startsWith("/") ? state : join(homedir(), ".local/state"), "academic-data/sql-history");
}

/** Returns the newest first; empty when there are none, or they cannot be read. */
export function readHistory(file: string): string[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    if (lines.length > 2 * MOST) writeFileSync(file, `${lines.slice(-MOST).join("\n")}\n`, PRIVATE);
    return lines.slice(-MOST).toReversed();
  } catch {
    return [];
  }
}

/** Adds a statement to the history and its file; a failure to write is ignored. */
export function remember(file: string, history: string[], statement: string | undefined): void {
  if (statement === undefined || statement === history[0]) return;
  history.unshift(statement);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, `${statement}\n`, PRIVATE);
  } catch {
    // The history then lasts as long as the prompt.
  }
}
