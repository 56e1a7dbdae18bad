/** Open responses of server-sent events: their writes, comments, slow readers, and end. They bypass h3, whose streams take more memory. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Log } from "../../../pipeline/log.ts";
import { createPacer } from "../../snapshot/event-loop-yielder.ts";

export interface EventStream {
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Aborts when the client is gone, or the server ends. */
  readonly signal: AbortSignal;
  /** When the next comment is due, in milliseconds of `performance.now()`. */
  nextComment: number;
  /** True once it has been sent all that was missed. */
  isLive: boolean;
  /** The id of the snapshot that it was told last. */
  snapshot: string;
}

export interface EventStreams {
  /** Sends the headers. `closed` is called once, however the stream ends. Undefined when the client is gone already. */
  open(
    response: ServerResponse,
    requestId: string,
    headers: Headers,
    snapshot: string,
    closed: () => void,
  ): EventStream | undefined;
  /** Disconnects a client that has not read what was sent before. */
  send(stream: EventStream, bytes: Buffer): void;
  /** Waits until the client has read so much that more can be sent; false if that takes longer than `ms`. @throws the stream's signal's reason */
  drained(stream: EventStream, ms: number): Promise<boolean>;
  count(): number;
  /** Ends all streams. */
  close(): void;
}

/**
 * A line of its own, which keeps proxies and clients from taking a quiet connection for a dead one. No blank line follows: several clients
 * make an event of it once they have seen an id.
 */
const COMMENT = Buffer.from(":\n");
/** With the time between two checks it stays below four seconds: clients give up after five. */
const COMMENT_MS = 3_000;
const CHECK_MS = 250;
/** Most bytes that wait for one client; equal events share their memory. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

export function createEventStreams({
  log,
  newsFor,
  commentMs = COMMENT_MS,
  maxUnreadBytes = MAX_UNREAD_BYTES,
}: {
  log: Log;
  /** Takes the place of a comment. */
  newsFor: (stream: EventStream) => Buffer | undefined;
  commentMs?: number;
  maxUnreadBytes?: number;
}): EventStreams {
  const streams = new Map<ServerResponse, { stream: EventStream; gone: AbortController; closed: () => void }>();

  /** One listener for all responses, called with the response as `this`. */
  function onClose(this: ServerResponse): void {
    const entry = streams.get(this);
    streams.delete(this);
    entry?.gone.abort();
    entry?.closed();
  }

  function send({ response, requestId }: EventStream, bytes: Buffer): void {
    if (response.destroyed || response.writableEnded) return;
    response.write(bytes);
    if (response.writableLength <= maxUnreadBytes) return;
    log.warn("a client reads its event stream too slowly and is disconnected", {
      requestId,
      unreadBytes: response.writableLength,
    });
    response.destroy();
  }

  let isCommenting = false;
  async function comment(): Promise<void> {
    isCommenting = true;
    const pace = createPacer();
    for (const { stream } of streams.values()) {
      if (performance.now() < stream.nextComment) continue;
      stream.nextComment += commentMs;
      // A client that does not read needs none, and its connection is closed when it stays silent.
      if (stream.response.writableNeedDrain) continue;
      send(stream, newsFor(stream) ?? COMMENT);
      await pace();
    }
    isCommenting = false;
  }
  const timer = setInterval(
    () => {
      if (!isCommenting) void comment();
    },
    Math.min(CHECK_MS, commentMs),
  ).unref();

  return {
    open(response, requestId, headers, snapshot, closed) {
      if (response.closed || response.destroyed) return undefined;
      const gone = new AbortController();
      const nextComment = performance.now() + commentMs;
      const stream = { response, requestId, signal: gone.signal, nextComment, isLive: false, snapshot };
      streams.set(response, { stream, gone, closed });
      response.on("close", onClose);
      response.writeHead(200, [...headers].flat());
      response.flushHeaders();
      return stream;
    },
    send,
    async drained({ response, signal }, ms) {
      signal.throwIfAborted();
      if (response.writableEnded || !response.writableNeedDrain) return true;
      const late = new AbortController();
      const give = () => late.abort();
      const timer = setTimeout(give, ms);
      signal.addEventListener("abort", give);
      try {
        await once(response, "drain", { signal: late.signal }).catch(() => undefined);
        signal.throwIfAborted();
        return !late.signal.aborted;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", give);
      }
    },
    count: () => streams.size,
    close() {
      clearInterval(timer);
      for (const { stream, gone } of streams.values()) {
        gone.abort();
        stream.response.end();
      }
    },
  };
}
