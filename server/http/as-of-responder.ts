/** Responds to requests with `asOf`: finds the snapshot and answers from it, a few at once, so that current requests go first. */
import type { HTTPResponse } from "h3";
import pLimit from "p-limit";
import { momentOf, resolveAsOf, SNAPSHOT_ID } from "../../pipeline/contract/as-of.ts";
import { findRetained, notRetained } from "../response/as-of.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { nothingServed, Problem, unavailable } from "../response/problem.ts";
import { DamagedGeneration } from "../../pipeline/generations/manifest.ts";
import { HistoryBusy } from "../snapshot/history.ts";
import type { Retained } from "../snapshot/retained.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { AcquireLease } from "../snapshot/lease.ts";
import type { IncomingRequest } from "./request-context.ts";
import { requireFiles, rethrow } from "./missing-files.ts";
import { createResponder, type Respond, type ResponderParts } from "./respond.ts";
import { createBodyCache } from "./body-cache.ts";

/** Bodies of earlier snapshots do not displace current ones. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Requests about earlier snapshots that run at once. */
const MAX_RUNNING = 2;

/** @throws Problem (404, 503) and every error of the endpoint */
type RespondAsOf = (
  endpoint: Endpoint,
  asOf: string,
  request: Omit<IncomingRequest, "acquire" | "asOf">,
) => Promise<HTTPResponse>;

export function createAsOfResponder(parts: Omit<ResponderParts, "pool" | "cache" | "live">): RespondAsOf {
  const { store } = parts;
  const { history } = store;
  const cache = createBodyCache(CACHE_BYTES);
  const running = pLimit(MAX_RUNNING);
  let responder: Promise<Respond> | undefined;
  const openResponder = async () => createResponder({ ...parts, pool: await history.pool(), cache, live: undefined });

  async function toProblem(error: unknown, asOf: string, one: Retained): Promise<unknown> {
    if (error instanceof Problem) return error;
    if (error instanceof HistoryBusy)
      return unavailable(5, "Too many earlier snapshots are in use. Please try again in a few seconds.");
    const retained = await history.retained();
    if (!retained.some(({ folderName }) => folderName === one.folderName))
      return notRetained(asOf, nearestTo(one, retained));
    if (error instanceof DamagedGeneration)
      return new Problem(503, `The files of snapshot ${one.id} are damaged, so that it cannot be read.`);
    return error;
  }

  return async (endpoint, asOf, request) => {
    const retained = await history.retained();
    const [served] = retained;
    if (!served) throw nothingServed(store.mismatch());
    const one = findRetained(asOf, retained, request.now);
    const isId = SNAPSHOT_ID.test(asOf);
    const at = isId ? undefined : momentOf(asOf, request.now.getTime());
    const use = async (snapshot: Snapshot, acquire: AcquireLease) => {
      const respond = await (responder ??= openResponder());
      return respond(endpoint, snapshot, {
        ...request,
        acquire,
        asOf: { isId, at: new Date(at ?? one.servedFrom), servedGeneration: served.generation },
      });
    };
    try {
      const generation = store.current()?.generation;
      const isCurrent = generation?.manifest.generation === one.generation;
      if (isCurrent && endpoint.streams) await requireFiles(store, endpoint);
      const response = isCurrent && store.withSnapshot(use);
      if (response) return await response.catch((error: unknown) => rethrow(error, store, generation));
      return await running(() => {
        request.event.req.signal.throwIfAborted();
        return history.withSnapshot(one, endpoint.tables, use);
      });
    } catch (error) {
      throw await toProblem(error, asOf, one);
    }
  };
}

/** The neighbours in time of one that was removed meanwhile. */
function nearestTo(one: Retained, retained: readonly Retained[]): Retained[] {
  const found = resolveAsOf(one.servedFrom, retained, new Date());
  return "nearest" in found ? (found.nearest as Retained[]) : retained.slice(0, 1);
}
