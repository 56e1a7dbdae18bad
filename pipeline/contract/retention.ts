/** The earlier snapshots that are retained for requests about the past (pipeline/RULES.md, Snapshots). */
import { campusToday } from "./campus-time.ts";
import type { EarlierSnapshot } from "./documents/manifest.ts";

/** How long all snapshots are retained, the last of each campus day, and the last of each campus month. */
export interface Retention {
  readonly hours: number;
  readonly days: number;
  readonly months: number;
}

export const RETENTION: Retention = { hours: 48, days: 60, months: 24 };

const PART = /^(\d{1,5})([hdm])$/;

/** Parses `48h,60d,24m`; a part that is absent retains nothing. Undefined for any other text. */
export function parseRetention(text: string): Retention | undefined {
  const parts = text.split(",").map((part) => PART.exec(part.trim()));
  const amounts = new Map(parts.map((part) => [part?.[2], Number(part?.[1])]));
  if (parts.includes(null) || amounts.size < parts.length) return undefined;
  return { hours: amounts.get("h") ?? 0, days: amounts.get("d") ?? 0, months: amounts.get("m") ?? 0 };
}

export const retentionText = ({ hours, days, months }: Retention): string => `${hours}h,${days}d,${months}m`;

const HOUR_MS = 3_600_000;

/**
 * A snapshot counts for a day or a month when it was served at its end. Ages are counted from the time when it was
 * replaced, so that a removed snapshot is never needed again.
 */
export function isRetained(
  { createdAt, replacedAt }: Pick<EarlierSnapshot, "createdAt" | "replacedAt">,
  { hours, days, months }: Retention,
  now: Date,
): boolean {
  const replaced = Date.parse(replacedAt);
  if (replaced > now.getTime() - hours * HOUR_MS) return true;
  const [first, last] = [campusToday(new Date(createdAt)), campusToday(new Date(replacedAt))];
  if (first < last && replaced > now.getTime() - days * 24 * HOUR_MS) return true;
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - months);
  return first.slice(0, 7) < last.slice(0, 7) && replaced > since.getTime();
}

/** The default of RETAIN. */
export const DEFAULT_RETENTION = retentionText(RETENTION);
