/** The age of the served data: the time since the last successful refresh, even one without changes. */
import type { Store } from "../../snapshot/store.ts";

/** Two missed hourly runs. */
const STALE_SECONDS = 2 * 3600;
/** How far the clocks of the pipeline and the server may differ. */
const SKEW_SECONDS = 300;

export interface DataAge {
  readonly seconds: number;
  readonly isStale: boolean;
}

/** Every run refreshes the schedule, so its time counts; other products only without one. Undefined while nothing is served. */
export function dataAge(store: Pick<Store, "current" | "freshness">, now: Date): DataAge | undefined {
  const snapshot = store.current();
  if (!snapshot) return undefined;
  const { products } = store.freshness();
  const refreshes = products.schedule === undefined ? Object.values(products) : [products.schedule];
  const times = refreshes.length > 0 ? refreshes : [snapshot.generation.manifest.createdAt];
  const seconds = Math.floor((now.getTime() - Math.max(...times.map(Date.parse))) / 1000);
  // A refresh in the future ran under a wrong clock: nobody knows how old the data is.
  return { seconds: Math.max(0, seconds), isStale: seconds > STALE_SECONDS || seconds < -SKEW_SECONDS };
}
