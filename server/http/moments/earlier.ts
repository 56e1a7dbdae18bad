/** An earlier time: its snapshot is found and used, a few at once, so that requests about now go first. */
import type { H3Event, HTTPResponse } from "h3";
import { momentOf, resolveAsOf, SNAPSHOT_ID } from "../../../pipeline/contract/as-of.ts";
import { DamagedGeneration } from "../../../pipeline/store/manifest.ts";
import { asOfHeaders, findRetained, freshnessOf, notRetained } from "../../response/as-of.ts";
import type { Fresh } from "../../response/headers.ts";
import { nothingServed, Problem } from "../../response/problem.ts";
import { HistoryBusy, NeedsMigration } from "../../snapshot/earlier-generations.ts";
import type { AcquireLease } from "../../snapshot/lease.ts";
import type { Retained } from "../../snapshot/retained.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Store } from "../../snapshot/store.ts";
import { createBodyCache } from "../body-cache.ts";
import { createQueue } from "../../duckdb/queue.ts";
import { requireFiles, rethrow } from "../missing-files.ts";
import type { Life } from "../kept.ts";
import type { Moment, WithMoment } from "./moment.ts";

/** Bodies of earlier snapshots do not displace current ones. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Requests about earlier snapshots that run at once. */
const MAX_RUNNING = 2;

/** Requests without `asOf` are about `current`. */
export function createMoments(current: WithMoment, store: Store, clientOf: (event: H3Event) => string): WithMoment {
  const { history } = store;
  const bodies = createBodyCache(CACHE_BYTES);
  const queue = createQueue({ running: MAX_RUNNING });

  async function toProblem(error: unknown, asOf: string, one: Retained): Promise<unknown> {
    if (error instanceof Problem || error instanceof HistoryBusy || error instanceof NeedsMigration) return error;
    const retained = await history.retained();
    if (!retained.some(({ folderName }) => folderName === one.folderName))
      return notRetained(asOf, nearestTo(one, retained));
    if (error instanceof DamagedGeneration)
      return new Problem(503, `The files of snapshot ${one.id} are damaged, so that it cannot be read.`);
    return error;
  }

  return async (endpoint, request, respond) => {
    const { asOf } = request.query;
    if (asOf === undefined) return current(endpoint, request, respond);
    const retained = await history.retained();
    const [served] = retained;
    if (!served) throw nothingServed(store.mismatch());
    const one = findRetained(asOf, retained, request.now);
    const isId = SNAPSHOT_ID.test(asOf);
    const at = isId ? undefined : momentOf(asOf, request.now.getTime());
    const use = async (snapshot: Snapshot, acquire: AcquireLease): Promise<HTTPResponse> => {
      const moment: Moment = {
        snapshot,
        acquire,
        pool: await history.pool(),
        freshness: freshnessOf(store.freshness()),
        live: undefined,
        now: new Date(at ?? one.servedFrom),
        bodies,
        // Its own codes would be read for nothing else.
        known: store.current() ?? snapshot,
        headers: (fresh: Fresh) => asOfHeaders(fresh, request.now, isId),
        life: () => (isId ? untilNext(store, served.generation) : undefined),
      };
      return respond(moment);
    };
    try {
      const generation = store.current()?.generation;
      const isCurrent = generation?.manifest.generation === one.generation;
      if (isCurrent && endpoint.streams) await requireFiles(store, endpoint);
      const response = isCurrent && store.withSnapshot(use);
      if (response) return await response.catch((error: unknown) => rethrow(error, store, generation));
      // Whoever waits for an origin keeps nobody else waiting.
      await history.bring(one);
      const { signal } = request.event.req;
      const end = await queue.enqueue(clientOf(request.event), signal);
      try {
        return await history.withSnapshot(one, endpoint.tables, use, signal);
      } finally {
        end();
      }
    } catch (error) {
      throw await toProblem(error, asOf, one);
    }
  };
}

/** A snapshot never changes, but may be removed when another one is served. */
const untilNext = (store: Store, served: number): Life => ({
  isValid: () => served === store.current()?.generation.manifest.generation,
  headersAt: () => ({}),
});

/** The neighbours in time of one that was removed meanwhile. */
function nearestTo(one: Retained, retained: readonly Retained[]): Retained[] {
  const found = resolveAsOf(one.servedFrom, retained, new Date());
  return "nearest" in found ? (found.nearest as Retained[]) : retained.slice(0, 1);
}
