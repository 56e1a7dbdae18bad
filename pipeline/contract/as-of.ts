/** Resolves a text such as `2026-11-20` to a retained snapshot (pipeline/RULES.md, Snapshots). */
import { z } from "zod";
import { nextDay, startOfCampusDay } from "./campus-time.ts";
import type { EarlierSnapshot, Manifest } from "./documents/manifest.ts";

/**
 * A snapshot that is served from `servedFrom` (inclusive) until `servedUntil` (exclusive), which is null for the
 * current snapshot. Both are ISO 8601.
 */
export interface RetainedSnapshot {
  readonly id: string;
  readonly generation: number;
  readonly servedFrom: string;
  readonly servedUntil: string | null;
}

/** `nearest` holds at most the next older and the next newer snapshot, in this order. */
export type AsOf = { snapshot: RetainedSnapshot } | { invalid: true } | { nearest: RetainedSnapshot[] };

/** The current snapshot, then the retained ones, newest first. A server or a shell offers those that are on disk. */
export function snapshotsOf(
  { id, generation, createdAt }: Pick<Manifest, "id" | "generation" | "createdAt">,
  retained: readonly EarlierSnapshot[],
): RetainedSnapshot[] {
  return [
    { id, generation, servedFrom: createdAt, servedUntil: null },
    ...retained.map((earlier) => ({
      ...{ id: earlier.id, generation: earlier.generation },
      ...{ servedFrom: earlier.createdAt, servedUntil: earlier.replacedAt },
    })),
  ];
}

export const SNAPSHOT_ID = /^[0-9a-fA-F]{16}$/;
const CLOCK = /^T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const inner = ({ source }: RegExp): string => source.slice(1, -1);
const DAY = `${inner(z.regexes.date)}(?:${inner(CLOCK)})?`;
/** A date, or a time with its zone. */
const MOMENT_IN_TIME = new RegExp(`^(?:${DAY})$`);
/** Matches exactly the texts that `resolveAsOf` takes. */
export const MOMENT = new RegExp(`^(?:${inner(SNAPSHOT_ID)}|${DAY})$`);

/**
 * Resolves a snapshot id, a date (the end of that campus day; now, for today) or a time with its zone. `snapshots` are
 * in any order. An id that is not retained has no neighbours; the oldest and the newest snapshot are returned instead.
 */
export function resolveAsOf(asOf: string, snapshots: readonly RetainedSnapshot[], now: Date): AsOf {
  // A migrated snapshot has the time of the snapshot that it replaced.
  const oldestFirst = snapshots.toSorted(
    (a, b) => Date.parse(a.servedFrom) - Date.parse(b.servedFrom) || a.generation - b.generation,
  );
  if (SNAPSHOT_ID.test(asOf)) {
    const snapshot = oldestFirst.findLast(({ id }) => id === asOf.toLowerCase());
    return snapshot ? { snapshot } : { nearest: [...new Set([...oldestFirst.slice(0, 1), ...oldestFirst.slice(-1)])] };
  }
  const time = momentOf(asOf, now.getTime());
  if (time === undefined) return { invalid: true };
  const older = oldestFirst.findLast(({ servedFrom }) => Date.parse(servedFrom) <= time);
  // The snapshot of a future time is unknown.
  if (older && time <= now.getTime() && (older.servedUntil === null || time < Date.parse(older.servedUntil)))
    return { snapshot: older };
  const newer = oldestFirst.find(({ servedFrom }) => Date.parse(servedFrom) > time);
  return { nearest: [older, newer].filter((snapshot) => snapshot !== undefined) };
}

/**
 * Texts, and the time that each means at noon of 2026-11-20 in UTC; undefined for a text that is neither a date nor a
 * time. Tests run them, and RULES.md of the server shows them.
 */
export const AS_OF_EXAMPLES = [
  ["2026-11-18", "2026-11-19T07:59:59.999Z"],
  ["2026-11-20", "2026-11-20T12:00:00.000Z"],
  ["2026-11-18T09:30:00-08:00", "2026-11-18T17:30:00.000Z"],
  ["2026-11-18T17:30Z", "2026-11-18T17:30:00.000Z"],
  ["2026-11-18T17:30", undefined],
  ["yesterday", undefined],
] as const;

/**
 * Milliseconds since 1970 of a time, or of the end of a campus day (`now` for today); undefined when the text is
 * neither a date nor a time.
 */
export function momentOf(asOf: string, now: number): number | undefined {
  if (!MOMENT_IN_TIME.test(asOf)) return undefined;
  if (asOf.includes("T")) return Date.parse(asOf);
  const isOver = startOfCampusDay(nextDay(asOf)).getTime() <= now;
  const isToday = !isOver && startOfCampusDay(asOf).getTime() <= now;
  return isToday ? now : startOfCampusDay(nextDay(asOf)).getTime() - 1;
}
