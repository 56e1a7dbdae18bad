/** The age of the served data: the time since the last successful refresh, even one without changes. */
import type { Store } from "../snapshot/store.ts";

/** Two missed hourly runs. */
const STALE_SECONDS = 2 * 3600;
/** How far the clocks of the pipeline and the server may differ. */
const SKEW_SECONDS = 300;

/** Runs are hourly. */
const INTERVAL_MS = 3_600_000;

export interface DataAge {
  readonly seconds: number;
  readonly isStale: boolean;
  /** When the refresh was due that did not come; null while the data is not stale, or when its age is unknown. */
  readonly overdueSince: string | null;
}

/**
 * Every run refreshes the schedule, so its time counts; other products only without one, or when it is gone. Undefined
 * while nothing is served.
 */
export function dataAge(store: Pick<Store, "current" | "freshness">, now: Date): DataAge | undefined {
  const snapshot = store.current();
  if (!snapshot) return undefined;
  const { closed = {}, products } = store.freshness();
  const schedule = closed["schedule"] === undefined ? products["schedule"] : undefined;
  const refreshes = schedule === undefined ? Object.values(products) : [schedule];
  const times = refreshes.length > 0 ? refreshes : [snapshot.generation.manifest.createdAt];
  const last = Math.max(...times.map(Date.parse));
  const seconds = Math.floor((now.getTime() - last) / 1000);
  // A refresh in the future ran under a wrong clock: nobody knows how old the data is.
  const isStale = seconds > STALE_SECONDS || seconds < -SKEW_SECONDS;
  const overdueSince = isStale && seconds > 0 ? new Date(last + INTERVAL_MS).toISOString() : null;
  return { seconds: Math.max(0, seconds), isStale, overdueSince };
}
