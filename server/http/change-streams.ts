/**
 * Changes as server-sent events: what a client missed, then every change as soon as it is published. The new changes of a publication are read once, and
 * streams with equal filters share their bytes.
 */
import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { type H3Event, HTTPResponse } from "h3";
import type { Log } from "../../pipeline/log.ts";
import type { Pool } from "../duckdb/pool.ts";
import { toMatcher, type FilteredChange } from "../endpoints/changes/change-filters.ts";
import type { ChangeValues } from "../endpoints/changes/change-params.ts";
import { type ChangeRange, changesBehind, newChanges, rangeOf } from "../endpoints/changes/change-range.ts";
import { findChanges, readChanges } from "../endpoints/changes/change-rows.ts";
import { type Position, readEventId } from "../endpoints/changes/cursor.ts";
import { EVENT, EVENT_AND_FILTERED, positionEvent, toFilteredEvents } from "../endpoints/changes/events.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { EVENT_STREAM } from "../response/formats/format.ts";
import { commonHeaders } from "../response/headers.ts";
import { normalizedQuery } from "../response/normalized-query.ts";
import { shown } from "../response/params.ts";
import { nothingServed, Problem, toCause } from "../response/problem.ts";
import { unknownWarnings } from "../response/warnings.ts";
import { createYielder } from "../snapshot/event-loop-yielder.ts";
import type { Generation } from "../snapshot/generation.ts";
import type { Store } from "../snapshot/store.ts";
import { createEventStreams, type EventStream } from "./event-streams.ts";
import { contextOf } from "./request-context.ts";
import type { RequestQuery } from "./request-plan.ts";

export interface ChangeStreams {
  /** Responds with a stream. @throws Problem (400, 404, 503) */
  respond(endpoint: Endpoint, query: RequestQuery, event: H3Event, requestId: string): Promise<HTTPResponse>;
  /** To be called after every swap. Resolves once the new changes were sent. */
  published(): Promise<void>;
  count(): number;
  /** Ends all streams. */
  close(): void;
}

interface Group {
  readonly matches: (row: FilteredChange) => boolean;
  readonly streams: Set<EventStream>;
}

export const asksForEvents = ({ hasFeed }: Endpoint, { isFormatGiven }: RequestQuery, { req }: H3Event): boolean =>
  hasFeed === true && !isFormatGiven && (req.headers.get("accept") ?? "").toLowerCase().includes(EVENT_STREAM);

export function createChangeStreams({
  store,
  pool,
  log,
  ...limits
}: {
  store: Store;
  pool: Pool;
  log: Log;
  commentMs?: number;
  maxUnreadBytes?: number;
}): ChangeStreams {
  const streams = createEventStreams({ log, ...limits });
  /** By their filters. */
  const groups = new Map<string, Group>();
  let isClosed = false;
  /** The generation whose changes all streams in groups have been sent, or are being sent. */
  let target = store.current()?.generation;
  let delivering = Promise.resolve();
  let reserved: Promise<Pool> | undefined;
  const ownPool = () => (reserved ??= pool.reserve(1));

  async function deliver(): Promise<void> {
    const before = target;
    target = store.current()?.generation;
    if (!before || !target || target === before || groups.size === 0) return;
    // Those who join meanwhile have read the new changes themselves.
    const members = [...groups.values()].map((group) => ({ ...group, streams: [...group.streams] }));
    const position = positionEvent(target);
    try {
      const found = await findChanges(await ownPool(), newChanges(target, before));
      for await (const columns of readChanges(await ownPool(), found, EVENT_AND_FILTERED))
        for (const rows of slices(toFilteredEvents(columns), ({ event }) => event)) {
          await sendMatching(members, rows);
          // Lets sockets be written before the next slice counts as unread.
          await setImmediate();
        }
      const yieldToEventLoop = createYielder();
      for (const group of members)
        for (const stream of group.streams) {
          streams.send(stream, position);
          await yieldToEventLoop();
        }
    } catch (error) {
      log.error("cannot read the new changes; event streams are closed, so that clients resume them", {
        cause: toCause(error),
      });
      for (const group of members) for (const { response } of group.streams) response.destroy();
    }
  }

  async function sendMatching(
    members: readonly { matches: Group["matches"]; streams: readonly EventStream[] }[],
    rows: readonly (FilteredChange & { event: Buffer })[],
  ): Promise<void> {
    const yieldToEventLoop = createYielder();
    let all: Buffer | undefined;
    for (const group of members) {
      const matching = rows.filter(group.matches);
      await yieldToEventLoop();
      if (matching.length === 0) continue;
      const join = () => Buffer.concat(matching.map(({ event }) => event));
      const bytes = matching.length === rows.length ? (all ??= join()) : join();
      for (const stream of group.streams) {
        streams.send(stream, bytes);
        await yieldToEventLoop();
      }
    }
  }

  /** Sends what happened before, then adds the stream to its group. */
  async function start(stream: EventStream, values: ChangeValues, first: Missed, key: string): Promise<void> {
    const by = await store.history.pool();
    for (let { generation, range }: Missed = first; ;) {
      if (range) {
        const found = await findChanges(by, range);
        for await (const [events = []] of readChanges(by, found, EVENT))
          for (const some of slices(events as string[], (event) => event))
            if (!(await streams.sendAndWait(stream, Buffer.from(some.join(""))))) return;
      }
      if (stream.response.destroyed || stream.response.writableEnded || !target) return;
      if (generation === target) break;
      range = newChanges(target, generation, values);
      generation = target;
    }
    streams.send(stream, positionEvent(target));
    const group = groups.get(key) ?? { matches: toMatcher(values), streams: new Set() };
    groups.set(key, group);
    group.streams.add(stream);
  }

  function takeOver(
    response: ServerResponse,
    requestId: string,
    headers: Headers,
    values: ChangeValues,
    first: Missed,
  ) {
    const { since: _since, ...filters } = values;
    const key = normalizedQuery("", "", filters, "");
    const stream = streams.open(response, requestId, headers, () => {
      const group = groups.get(key);
      if (group?.streams.delete(stream) && group.streams.size === 0) groups.delete(key);
    });
    start(stream, filters, first, key).catch((error: unknown) => {
      log.error("an event stream failed", { requestId, cause: toCause(error) });
      response.destroy();
    });
  }

  return {
    async respond(endpoint, query, event, requestId) {
      if (isClosed) throw new Problem(503, "The server is ending. Please try again.", { "Retry-After": "1" });
      const { headers } = event.req;
      const values = query.values as ChangeValues;
      target ??= store.current()?.generation;
      if (!target) throw nothingServed(store.mismatch());
      const position = checkStream(query, headers.get("last-event-id"));
      const generation = target;
      const range = await missedRange(generation, values, position, store);
      const warnings = unknownWarnings(query.unknown, endpoint.params);
      if (event.req.method !== "HEAD")
        contextOf(event).takeOver = (response, sent) =>
          takeOver(response, requestId, sent, values, { generation, range });
      return new HTTPResponse(null, {
        status: 200,
        headers: {
          ...commonHeaders(requestId),
          "Content-Type": `${EVENT_STREAM}; charset=utf-8`,
          "Cache-Control": "no-store",
          "X-Data-Snapshot": generation.manifest.id,
          // Tells nginx not to buffer.
          "X-Accel-Buffering": "no",
          Vary: "Accept",
          ...(warnings.length === 0 ? {} : { Warning: warnings.join(", ") }),
        },
      });
    },
    published() {
      delivering = delivering.then(deliver);
      return delivering;
    },
    count: () => streams.count(),
    close() {
      isClosed = true;
      streams.close();
    },
  };
}

/** Few enough at a time that a client which reads is never far behind. */
const SLICE_LENGTH = 64 * 1024;

function* slices<T>(rows: readonly T[], eventOf: (row: T) => { readonly length: number }): Generator<T[]> {
  let slice: T[] = [];
  let length = 0;
  for (const row of rows) {
    slice.push(row);
    length += eventOf(row).length;
    if (length < SLICE_LENGTH) continue;
    yield slice;
    slice = [];
    length = 0;
  }
  if (slice.length > 0) yield slice;
}

interface Missed {
  readonly generation: Generation;
  /** Undefined = nothing. */
  readonly range: ChangeRange | undefined;
}

/** The position to resume from. @throws Problem (400) */
function checkStream({ values, page, asOf }: RequestQuery, lastEventId: string | null): Position | undefined {
  const refused = [
    ...(page ? ["limit", "offset"] : []),
    ...(asOf === undefined ? [] : ["asOf"]),
    ...((values as ChangeValues).until === undefined ? [] : ["until"]),
  ];
  if (refused.length > 0) throw new Problem(400, `A stream of events has no ${refused.join(", ")}`);
  if (!lastEventId) return undefined;
  const position = readEventId(lastEventId);
  if (!position) throw new Problem(400, `Invalid Last-Event-ID provided: ${shown(lastEventId)}`);
  return position;
}

/** What the client has not seen of a generation. @throws Problem (404) */
async function missedRange(
  generation: Generation,
  values: ChangeValues,
  position: Position | undefined,
  { history }: Store,
): Promise<ChangeRange | undefined> {
  const { since, ...filters } = values;
  if (!position) return since === undefined ? undefined : rangeOf(generation, values, history);
  const isUpToDate = position.snapshot === generation.manifest.id && !position.cursor.includes("_");
  if (isUpToDate) return undefined;
  const seen = (await history.retained()).find(({ id }) => id === position.snapshot);
  // Without it, changes behind the position are found by their times alone.
  const known = seen && (await history.readGeneration(seen).catch(() => undefined));
  return changesBehind(generation, position, known, filters);
}
