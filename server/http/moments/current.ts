/** Answers requests from the snapshot in service. */
import { cacheControl, type Fresh, freshHeaders } from "../../response/headers.ts";
import { nothingServed } from "../../response/problem.ts";
import type { AcquireLease } from "../../snapshot/lease.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Store } from "../../snapshot/store.ts";
import type { Life } from "../kept.ts";
import { requireFiles, rethrow } from "../missing-files.ts";
import type { Moment, WithMoment } from "./moment.ts";

export type CurrentParts = Pick<Moment, "pool" | "live" | "bodies"> & { readonly store: Store };

export function createCurrent(parts: CurrentParts): WithMoment {
  const { store } = parts;
  return async (endpoint, { now }, use) => {
    if (endpoint.streams) await requireFiles(store, endpoint);
    const generation = store.current()?.generation;
    const response = store.withSnapshot(
      (snapshot, acquire) => use(toMoment(parts, snapshot, acquire, now)),
      endpoint.tables,
    );
    if (!response) throw nothingServed(store.mismatch());
    return response.catch((error: unknown) => rethrow(error, store, generation));
  };
}

function toMoment({ store, pool, live, bodies }: CurrentParts, snapshot: Snapshot, acquire: AcquireLease, now: Date) {
  const freshness = store.freshness();
  const { generation } = snapshot.generation.manifest;
  const life = (fresh: Fresh): Life => ({
    isValid: (time) =>
      generation === store.current()?.generation.manifest.generation &&
      freshness === store.freshness() &&
      time >= now.getTime() &&
      (fresh.until === undefined || time < fresh.until),
    headersAt: (time) => ({ "cache-control": cacheControl(fresh, time) }),
  });
  const headers = (fresh: Fresh) => freshHeaders(fresh, now);
  return { snapshot, acquire, pool, freshness, live, now, bodies, known: snapshot, headers, life };
}
