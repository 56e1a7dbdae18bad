/** How old the served data is: the time since the last successful look at the upstream, whether or not anything had changed. */
import type { Store } from "../../snapshot/store.ts";

/** Two hourly runs missed. */
const STALE_SECONDS = 2 * 3600;

export interface DataAge {
  readonly seconds: number;
  readonly isStale: boolean;
}

/**
 * The schedule is looked at by every run, so where there is one its time counts: tutorials that still come do not make up for it. Undefined while
 * nothing is served.
 */
export function dataAge(store: Pick<Store, "current" | "freshness">, now: Date): DataAge | undefined {
  const snapshot = store.current();
  if (!snapshot) return undefined;
  const { products } = store.freshness();
  const looks = products.schedule === undefined ? Object.values(products) : [products.schedule];
  const last = looks.length > 0 ? looks : [snapshot.generation.manifest.createdAt];
  const seconds = Math.max(0, Math.floor((now.getTime() - Math.max(...last.map(Date.parse))) / 1000));
  return { seconds, isStale: seconds > STALE_SECONDS };
}
