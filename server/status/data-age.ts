/** The age of the served data: the time since the last successful refresh, even if it changed nothing. */
import { isSample } from "../../pipeline/contract/sample-campus.ts";
import type { Store } from "../snapshot/store.ts";

/** Equals two missed hourly runs. */
const STALE_SECONDS = 2 * 3600;
/** The most by which the clocks of pipeline and server may differ. */
const SKEW_SECONDS = 300;

/** The interval of runs. */
const INTERVAL_MS = 3_600_000;

export interface DataAge {
  readonly seconds: number;
  readonly isStale: boolean;
  /** When the missing refresh was due; null while the data is not stale, or when its age is unknown. */
  readonly overdueSince: string | null;
}

/**
 * Returns the age of the data; undefined while nothing is served. Every run refreshes the schedule, so its time counts;
 * the times of other products count only if the schedule is missing or closed.
 */
export function dataAge(store: Pick<Store, "current" | "freshness">, now: Date): DataAge | undefined {
  const snapshot = store.current();
  if (!snapshot) return undefined;
  const { manifest } = snapshot.published;
  const { closed = {}, olderTerms, products } = store.freshness();
  const schedule = closed["schedule"] === undefined ? products["schedule"] : undefined;
  const refreshes = schedule === undefined ? Object.values(products) : [schedule];
  const times = refreshes.length > 0 ? refreshes : [manifest.createdAt];
  const last = Math.max(...times.map(Date.parse));
  const seconds = Math.floor((now.getTime() - last) / 1000);
  // The first build of the sample campus begins with earlier weeks.
  const isCatchingUp = olderTerms !== undefined && isSample(manifest.source);
  // A refresh in the future ran with a wrong clock, so the age is unknown.
  const isStale = (seconds > STALE_SECONDS && !isCatchingUp) || seconds < -SKEW_SECONDS;
  const overdueSince = isStale && seconds > 0 ? new Date(last + INTERVAL_MS).toISOString() : null;
  return { seconds: Math.max(0, seconds), isStale, overdueSince };
}
