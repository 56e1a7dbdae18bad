/** Reads the schedule's term codes. */
import { QUARTER_CODES, QUARTERS, type Term } from "../../contract/vocabulary.ts";

/** `2024-92` → 2024 Fall; undefined for terms of other calendars. */
export function parseTermCode(code: string): Term | undefined {
  const match = /^(\d{4})-(\w\w)$/.exec(code);
  const quarter = QUARTERS.find((name) => QUARTER_CODES[name] === match?.[2]);
  return match?.[1] && quarter ? { year: match[1], quarter } : undefined;
}
