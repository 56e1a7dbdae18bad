/** Finds the snapshot that a request asks about, and what the response depends on besides it. */
import type { HTTPResponse } from "h3";
import { momentOf, resolveAsOf, SNAPSHOT_ID } from "../../pipeline/contract/as-of.ts";
import { DamagedSnapshot } from "../../pipeline/store/manifest.ts";
import type { Pool } from "../duckdb/pool.ts";
import { poolFor } from "../duckdb/query.ts";
import { createQueue } from "../duckdb/queue.ts";
import { findRetained, notRetained } from "../response/as-of.ts";
import type { Endpoint, EndpointContext, LiveSchedule } from "../response/endpoint.ts";
import type { AsOf } from "../response/headers.ts";
import { clientOfEvent, type Installation, installationAddress } from "../response/installation.ts";
import { filesMissing, nothingServed, Problem, toProblem } from "../response/problem.ts";
import type { EndpointRequest } from "../response/query.ts";
import { HistoryBusy, NeedsMigration, type Retained } from "../snapshot/earlier-generations.ts";
import type { PublishedSnapshot } from "../snapshot/generation.ts";
import type { AcquireLease, Snapshot } from "../snapshot/snapshot.ts";
import type { Store } from "../snapshot/store.ts";
import { type BodyCache, createBodyCache } from "./cache.ts";

/**
 * A snapshot at the time that a request asks about, with everything that the response depends on besides the request.
 * Endpoints see the context, and `respond` the rest.
 */
export interface SnapshotView extends EndpointContext {
  /** Takes another lease on the snapshot, for a body that is streamed. */
  readonly acquire: AcquireLease;
  readonly bodies: BodyCache;
  /** The snapshot whose values are used to warn about unknown ones. */
  readonly valuesFrom: Snapshot;
  readonly asOf: AsOf;
  /** The number of the snapshot that is served meanwhile: with the next one, earlier snapshots may be removed. */
  readonly servedNumber: number;
}

/** Calls `use` with the view of a request. @throws Problem (404, 503) and errors of `use` */
export type WithView = (
  request: EndpointRequest,
  use: (view: SnapshotView) => Promise<HTTPResponse>,
) => Promise<HTTPResponse>;

interface ViewParts {
  readonly store: Store;
  readonly pool: Pool;
  readonly live: LiveSchedule | undefined;
  readonly bodies: BodyCache;
  readonly installation: Installation;
}

/** Bodies of earlier snapshots do not displace current ones. */
const EARLIER_BODY_BYTES = 16 * 1024 * 1024;
/** Requests about earlier snapshots that run at once, so that requests about the current one go first. */
const MAX_EARLIER = 2;

export function createViews({ store, pool, live, bodies, installation }: ViewParts): WithView {
  const { history } = store;
  const earlierBodies = createBodyCache(EARLIER_BODY_BYTES);
  const queue = createQueue({ running: MAX_EARLIER });

  /** Returns what does not depend on the snapshot. */
  function contextOf({ id, event }: EndpointRequest, unbound: Pool) {
    // A getter would give the object its own hidden class, which makes every use of it slow.
    const signal = () => event.req.signal;
    const client = () => clientOfEvent(event, installation.trustProxy);
    const address = () => installationAddress(event, installation);
    return {
      history,
      id,
      base: installation.base,
      signal,
      client,
      address,
      pool: poolFor(unbound, { signal, name: client }),
    };
  }

  const current: WithView = async (request, use) => {
    const { endpoint, now } = request;
    if (endpoint.streams) await requireFiles(store, endpoint);
    const published = store.current()?.published;
    const response = store.withSnapshot((snapshot, acquire) => {
      const servedNumber = snapshot.published.manifest.generation;
      const ofSnapshot = { snapshot, acquire, live, now, bodies, valuesFrom: snapshot, asOf: undefined, servedNumber };
      // An object with several spreads takes V8 ten times as long.
      return use(Object.assign(contextOf(request, pool), ofSnapshot, { freshness: store.freshness() }));
    }, endpoint.tables);
    if (!response) throw nothingServed(store.mismatch());
    return response.catch((error: unknown) => rethrow(error, store, published));
  };

  async function earlier(request: EndpointRequest, asOf: string, use: Parameters<WithView>[1]): Promise<HTTPResponse> {
    const { endpoint, event, now } = request;
    const retained = await history.retained();
    const [newest] = retained;
    if (!newest) throw nothingServed(store.mismatch());
    const snapshotOfTime = findRetained(asOf, retained, now);
    const isId = SNAPSHOT_ID.test(asOf);
    const { nextRefresh } = store.freshness();
    const time = isId ? snapshotOfTime.servedFrom : momentOf(asOf, now.getTime());
    const useSnapshot = async (snapshot: Snapshot, acquire: AcquireLease): Promise<HTTPResponse> =>
      use({
        ...contextOf(request, await history.pool()),
        ...{ snapshot, acquire, live: undefined, bodies: earlierBodies },
        // Times per product and term were not recorded, so the snapshot's own time counts for all.
        freshness: { products: {}, terms: {}, nextRefresh },
        now: new Date(time ?? snapshotOfTime.servedFrom),
        // Its own codes would be read for nothing else.
        valuesFrom: store.current() ?? snapshot,
        asOf: isId ? "id" : "time",
        servedNumber: newest.generation,
      });
    try {
      const published = store.current()?.published;
      const isCurrent = published?.manifest.generation === snapshotOfTime.generation;
      if (isCurrent && endpoint.streams) await requireFiles(store, endpoint);
      const response = isCurrent && store.withSnapshot(useSnapshot);
      if (response) return await response.catch((error: unknown) => rethrow(error, store, published));
      // Waiting for an origin does not block other requests.
      await history.download(snapshotOfTime);
      const { signal } = event.req;
      const end = await queue.enqueue(clientOfEvent(event, installation.trustProxy), signal);
      try {
        return await history.withSnapshot(snapshotOfTime, endpoint.tables, useSnapshot, signal);
      } finally {
        end();
      }
    } catch (error) {
      throw await explainEarlier(error, asOf, snapshotOfTime);
    }
  }

  /** Explains a failure by what happened to the snapshot meanwhile. */
  async function explainEarlier(error: unknown, asOf: string, snapshot: Retained): Promise<unknown> {
    if (error instanceof Problem || error instanceof HistoryBusy || error instanceof NeedsMigration) return error;
    const retained = await history.retained();
    if (!retained.some(({ folderName }) => folderName === snapshot.folderName)) {
      const resolved = resolveAsOf(snapshot.servedFrom, retained, new Date());
      return notRetained(asOf, "nearest" in resolved ? resolved.nearest : retained.slice(0, 1));
    }
    if (error instanceof DamagedSnapshot)
      return new Problem(503, `The files of snapshot ${snapshot.id} are damaged, so that it cannot be read.`);
    return error;
  }

  return (request, use) => (request.asOf === undefined ? current(request, use) : earlier(request, request.asOf, use));
}

/** How long a check of published files stays valid; it takes one call of the file system per file. */
const CHECK_MS = 1_000;

/** Checks the files of a body that is read after its headers are sent. @throws Problem (503) */
export async function requireFiles({ current, missingTables }: Store, { tables }: Endpoint): Promise<void> {
  const published = current()?.published;
  if (!published) return;
  const missing = await missingTables(published, CHECK_MS);
  if (tables.some((table) => missing.has(table))) throw filesMissing();
}

/**
 * Rethrows an error. @throws Problem (503) for an unexpected error while files of this snapshot are missing, else the
 * error
 */
async function rethrow(
  error: unknown,
  { missingTables }: Store,
  published: PublishedSnapshot | undefined,
): Promise<never> {
  const isUnexpected = toProblem(error).status === 500;
  if (isUnexpected && published && (await missingTables(published)).size > 0) throw filesMissing(error);
  throw error;
}
