/**
 * Streams changes as server-sent events: first those that the client missed, then every change as soon as it is
 * published. New changes are read once per publication, and streams with equal filters share buffers.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { HTTPResponse } from "h3";
import type { Log } from "../../../pipeline/log.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { poolFor } from "../../duckdb/query.ts";
import { createQueue } from "../../duckdb/queue.ts";
import type { ChangeValues } from "../../endpoints/changes/change-filters.ts";
import {
  type ChangeRange,
  changesBehind,
  newChanges,
  type Position,
  rangeOf,
  readEventId,
} from "../../endpoints/changes/change-range.ts";
import { EVENT_AND_FILTERED, readMonth, snapshotEvent, toNewChanges } from "../../endpoints/changes/change-rows.ts";
import { unknownValueWarnings } from "../../endpoints/unknown-values.ts";
import { EVENT_STREAM } from "../../response/representations/changes.ts";
import { commonHeaders } from "../../response/headers.ts";
import { type EndpointRequest, normalizedQuery } from "../../response/query.ts";
import { nothingServed, Problem, shown, toCause, unavailable } from "../../response/problem.ts";
import { unknownWarnings } from "../../response/warnings.ts";
import type { PublishedSnapshot } from "../../snapshot/generation.ts";
import type { Store } from "../../snapshot/store.ts";
import { createGroups, sendMatching } from "./change-delivery.ts";
import { createEventStreams, type EventStream, createStreamsByClient } from "./event-streams.ts";
import { replay, REPLAY_LIMITS } from "./replay.ts";
import { clientOfEvent } from "../../response/installation.ts";
import { requireFiles } from "../views.ts";

export type ChangeStreams = ReturnType<typeof createChangeStreams>;

interface Missed {
  readonly published: PublishedSnapshot;
  /** Undefined when nothing was missed. */
  readonly range: ChangeRange | undefined;
}

export function createChangeStreams({
  store,
  pool,
  log,
  trustProxy = false,
  ...limits
}: {
  store: Store;
  pool: Pool;
  log: Log;
  trustProxy?: boolean;
  commentMs?: number;
  maxUnreadBytes?: number;
}) {
  const groups = createGroups((filters) => normalizedQuery("", "", filters, ""));
  /**
   * Returns an event with the current position for a stream that has received everything but had no events for a long
   * time; undefined between deliveries or when the client already has this position.
   */
  function newsFor(stream: EventStream): Buffer | undefined {
    if (!stream.isLive || !target || delivered !== target || stream.snapshot === target.manifest.id) return undefined;
    stream.snapshot = target.manifest.id;
    return snapshotEvent(target, true);
  }
  const streams = createEventStreams({ log, newsFor, ...limits });
  const queue = createQueue(REPLAY_LIMITS);
  const clients = createStreamsByClient(trustProxy);
  let isClosed = false;
  /** The snapshot whose changes have been sent, or are being sent, to all streams in groups. */
  let target = store.current()?.published;
  let delivered = target;
  let delivering = Promise.resolve();
  let reserved: Promise<Pool> | undefined;
  const ownPool = () => (reserved ??= pool.reserve(1));

  async function deliver(): Promise<void> {
    const previous = target;
    target = store.current()?.published;
    if (previous && target && target !== previous) await sendNew(target, previous);
    delivered = target;
  }

  async function sendNew(published: PublishedSnapshot, previous: PublishedSnapshot): Promise<void> {
    // Streams that join from now on have read the new changes themselves.
    const members = groups.members();
    if (members.length === 0) return;
    try {
      const reservedPool = await ownPool();
      for (const month of newChanges(published, previous).months)
        for await (const [, ...columns] of readMonth(reservedPool, month, EVENT_AND_FILTERED)) {
          if (streams.count() === 0) return;
          await sendMatching(toNewChanges(columns), members, streams);
        }
    } catch (error) {
      log.error("cannot read the new changes; event streams are closed, so that clients resume them", {
        cause: toCause(error),
      });
      for (const group of members) for (const { response } of group.streams) response.destroy();
    }
  }

  /** Replays the missed changes, then adds the stream to its group. */
  async function start(stream: EventStream, client: string, values: ChangeValues, first: Missed): Promise<void> {
    const { signal } = stream;
    const historyPool = poolFor(await store.history.pool(), { signal: () => signal, name: () => client });
    streams.send(stream, snapshotEvent(first.published, first.range === undefined));
    for (let { published, range }: Missed = first; ;) {
      if (range) await replay(stream, range, { pool: historyPool, queue, client, streams });
      signal.throwIfAborted();
      if (!target) return;
      if (published === target) break;
      range = newChanges(target, published, values);
      published = target;
    }
    groups.add(stream, values);
    stream.isLive = true;
  }

  function open(
    response: ServerResponse,
    requestId: string,
    headers: Headers,
    values: ChangeValues,
    first: Missed,
  ): void {
    const { since: _since, ...filters } = values;
    const { client, ended } = clients.opened(response.req);
    const stream = streams.open(response, requestId, headers, first.published.manifest.id, () => {
      ended();
      if (stream) groups.remove(stream);
    });
    // The client disconnected while its request was being processed.
    if (!stream) return void ended();
    start(stream, client, filters, first).catch((error: unknown) => {
      if (stream.signal.aborted) return;
      log.error("an event stream failed", { requestId, cause: toCause(error) });
      response.destroy();
    });
  }

  return {
    /** Responds with an event stream. @throws Problem (400, 404, 429, 503) */
    async respond(request: EndpointRequest): Promise<HTTPResponse> {
      const {
        endpoint,
        event,
        log: { requestId },
      } = request;
      if (request.asOf === undefined) await requireFiles(store, endpoint);
      if (isClosed) throw unavailable(1, "The server is ending. Please try again.");
      const { headers } = event.req;
      const params = request.values as ChangeValues;
      const nodeRequest = event.runtime?.node?.req as IncomingMessage | undefined;
      if (nodeRequest) clients.admit(nodeRequest);
      target ??= store.current()?.published;
      if (!target) throw nothingServed(store.mismatch());
      const position = checkStream(request, headers.get("last-event-id"));
      const published = target;
      const client = { signal: () => event.req.signal, name: () => clientOfEvent(event, trustProxy) };
      const range = await missedRange(published, params, position, {
        pool: poolFor(pool, client),
        history: store.history,
      });
      const current = store.current();
      const warnings = [
        ...unknownWarnings(request.unknown, endpoint.params),
        // A stream may match in the future, so an unknown value is no reason for the "matches nothing" warning.
        ...(current ? await unknownValueWarnings(params, current, false) : []),
      ];
      const opened = new HTTPResponse(null, {
        status: 200,
        headers: {
          ...commonHeaders(requestId),
          "Content-Type": `${EVENT_STREAM}; charset=utf-8`,
          // A compressing proxy would hold the events back in its buffers.
          "Cache-Control": "no-store, no-transform",
          "Content-Encoding": "identity",
          "X-Data-Snapshot": published.manifest.id,
          // This tells nginx not to buffer.
          "X-Accel-Buffering": "no",
          Vary: "Accept",
          ...(warnings.length === 0 ? {} : { Warning: warnings.join(", ") }),
        },
      });
      const response = event.runtime?.node?.res as ServerResponse | undefined;
      // The stream is sent from here and bypasses h3, because it stays open.
      if (response && event.req.method !== "HEAD")
        open(response, requestId, opened.headers, params, { published, range });
      return opened;
    },
    /** Delivers new changes; call it after every swap. Resolves once they are sent. */
    published(): Promise<void> {
      delivering = delivering.then(deliver);
      return delivering;
    },
    count: streams.count,
    close(): void {
      isClosed = true;
      streams.close();
    },
  };
}

/** Returns the position to resume from. @throws Problem (400) */
function checkStream(
  { values, page, fields, asOf }: EndpointRequest,
  lastEventId: string | null,
): Position | undefined {
  const unsupported = [
    ...(page ? ["limit", "offset"] : []),
    ...(fields ? ["fields"] : []),
    ...(asOf === undefined ? [] : ["asOf"]),
    ...((values as ChangeValues).until === undefined ? [] : ["until"]),
  ];
  if (unsupported.length > 0) throw new Problem(400, `A stream of events has no ${unsupported.join(", ")}`);
  if (!lastEventId) return undefined;
  const position = readEventId(lastEventId);
  if (!position) throw new Problem(400, `Invalid Last-Event-ID provided: ${shown(lastEventId)}`);
  return position;
}

/**
 * Returns the changes of a snapshot that the client has not seen; undefined when there are none. @throws Problem
 * (404)
 */
async function missedRange(
  published: PublishedSnapshot,
  values: ChangeValues,
  position: Position | undefined,
  parts: Parameters<typeof rangeOf>[2],
): Promise<ChangeRange | undefined> {
  const { since, ...filters } = values;
  if (!position) return since === undefined ? undefined : rangeOf(published, values, parts);
  const isUpToDate = position.snapshot === published.manifest.id && !position.cursor.includes("_");
  if (isUpToDate) return undefined;
  const seen = (await parts.history.retained()).find(({ id }) => id === position.snapshot);
  // Without the client's last snapshot, changes behind the position are found by their times alone.
  const seenPublished = seen && (await parts.history.readComplete(seen).catch(() => undefined));
  return changesBehind(published, position, seenPublished, filters);
}
