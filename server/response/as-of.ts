/** `asOf`: the response as it was at an earlier time (server/RULES.md, Time). */
import { MOMENT, resolveAsOf, type RetainedSnapshot } from "../../pipeline/contract/as-of.ts";
import { formOf, type Param } from "./params.ts";
import { Problem, shown } from "./problem.ts";

export const SNAPSHOTS_PATH = "/v1/snapshots";

/** Accepts the text of a snapshot id, date or time; returns undefined for anything else. */
const readMoment = (text: string): string | undefined =>
  "invalid" in resolveAsOf(text, [], new Date(0)) ? undefined : text;

export const momentParam = (about: string): Param<string> =>
  formOf(about, readMoment, "a snapshot id, an ISO 8601 date, or an ISO 8601 time with its zone", {
    pattern: MOMENT.source,
    examples: ["2026-11-20", "2026-11-20T18:00:00Z", "3f2a9c0b7d1e4a58"],
  });

export const asOfParam = momentParam(
  "the response as of an earlier snapshot: its id, a date (the end of that day on campus), or a time; never asks the upstream",
);

/** Finds the retained snapshot that a text refers to. @throws Problem (404) */
export function findRetained<T extends RetainedSnapshot>(text: string, retained: readonly T[], now: Date): T {
  const resolved = resolveAsOf(text, retained, now);
  if ("snapshot" in resolved) return resolved.snapshot as T;
  throw notRetained(text, "nearest" in resolved ? resolved.nearest : []);
}

export function notRetained(text: string, nearest: readonly RetainedSnapshot[]): Problem {
  const named = nearest.map(
    ({ id, servedFrom, servedUntil }) =>
      `${id} (served from ${servedFrom}${servedUntil === null ? "" : ` until ${servedUntil}`})`,
  );
  return new Problem(
    404,
    `No retained snapshot is that of ${shown(text)}. The nearest: ${named.join(" and ")}. ${SNAPSHOTS_PATH} lists all of them.`,
  );
}
