/** Reads the schedule's term codes. */
import { QUARTER_CODES, QUARTERS, type Term } from "../../contract/vocabulary.ts";

/** `2024-92` → 2024 Fall; undefined for other calendars' terms. */
export function parseTermCode(code: string): Term | undefined {
  const found = /^(\d{4})-(\w\w)$/.exec(code);
  const quarter = QUARTERS.find((name) => QUARTER_CODES[name] === found?.[2]);
  return found?.[1] && quarter ? { year: found[1], quarter } : undefined;
}
