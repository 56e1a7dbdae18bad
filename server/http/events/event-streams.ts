/**
 * Open server-sent event responses: writes, keep-alive comments, slow readers and shutdown. They bypass h3, whose
 * streams use more memory.
 */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../../pipeline/log.ts";
import { TOO_MANY_REQUESTS } from "../../response/headers.ts";
import { clientOf, LOOPBACK } from "../../response/installation.ts";
import { Problem } from "../../response/problem.ts";
import { REQUEST_LIMITS } from "../../response/request-limits.ts";
import { createPacer } from "../../snapshot/event-loop-yielder.ts";

export interface EventStream {
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Aborts when the client disconnects or the server shuts down. */
  readonly signal: AbortSignal;
  /** When the next comment is due, in milliseconds of `performance.now()`. */
  nextComment: number;
  /** True once all missed changes have been sent. */
  isLive: boolean;
  /** The id of the last snapshot that was sent to the client. */
  snapshot: string;
}

export type EventStreams = ReturnType<typeof createEventStreams>;

/**
 * A comment line that keeps proxies and clients from treating a quiet connection as dead. No blank line follows:
 * several clients turn it into an event once they have seen an id.
 */
const COMMENT = Buffer.from(":\n");
/** The interval between comments. Including CHECK_MS it stays below four seconds: some clients give up after five. */
const COMMENT_MS = 3_000;
const CHECK_MS = 250;
/** The most unread bytes per client; equal events share their memory. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

export function createEventStreams({
  log,
  newsFor,
  commentMs = COMMENT_MS,
  maxUnreadBytes = MAX_UNREAD_BYTES,
}: {
  log: Log;
  /** Returns an event to send in place of a comment. */
  newsFor: (stream: EventStream) => Buffer | undefined;
  commentMs?: number;
  maxUnreadBytes?: number;
}) {
  const streams = new Map<ServerResponse, { stream: EventStream; gone: AbortController; closed: () => void }>();

  /** Removes a stream; a single listener for all responses, called with the response as `this`. */
  function onClose(this: ServerResponse): void {
    const entry = streams.get(this);
    streams.delete(this);
    entry?.gone.abort();
    entry?.closed();
  }

  /** Sends bytes, or disconnects a client that has not read earlier ones. */
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
      // A client that does not read needs no comment, and its connection is closed by the stall timeout.
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
    /**
     * Sends the headers. Calls `closed` once, however the stream ends. Returns undefined when the client has already
     * disconnected.
     */
    open(
      response: ServerResponse,
      requestId: string,
      headers: Headers,
      snapshot: string,
      closed: () => void,
    ): EventStream | undefined {
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
    /**
     * Waits until the client has read enough that more can be sent; false if that takes longer than `ms`.
     * @throws the reason of the stream's signal
     */
    async drained({ response, signal }: EventStream, ms: number): Promise<boolean> {
      signal.throwIfAborted();
      if (response.writableEnded || !response.writableNeedDrain) return true;
      const late = new AbortController();
      const abort = () => late.abort();
      const timer = setTimeout(abort, ms);
      signal.addEventListener("abort", abort);
      try {
        await once(response, "drain", { signal: late.signal }).catch(() => undefined);
        signal.throwIfAborted();
        return !late.signal.aborted;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
      }
    },
    count: () => streams.size,
    close(): void {
      clearInterval(timer);
      for (const { stream, gone } of streams.values()) {
        gone.abort();
        stream.response.end();
      }
    },
  };
}

/** Counts the open streams per client, so that a single client cannot use up all connections. */
export function createStreamsByClient(trustProxy: boolean, most: number = REQUEST_LIMITS.streams.most) {
  const open = new Map<string, number>();
  let streams = 0;
  /** True when all clients may share one address: behind a proxy on this machine without TRUST_PROXY. */
  const isEverybody = (request: IncomingMessage) => !trustProxy && LOOPBACK.test(request.socket.remoteAddress ?? "");
  return {
    /** Checks the limit. @throws Problem (429) for a client that has reached it */
    admit(request: IncomingMessage): void {
      if (!isEverybody(request) && (open.get(clientOf(request, trustProxy)) ?? 0) >= most)
        throw new Problem(429, `${TOO_MANY_REQUESTS} One client has at most ${most} streams.`, { "Retry-After": "60" });
    },
    /** Counts a stream until `ended` is called. `client` is the name under which its replays are queued. */
    opened(request: IncomingMessage) {
      const client = clientOf(request, trustProxy);
      open.set(client, (open.get(client) ?? 0) + 1);
      return {
        client: isEverybody(request) ? `${client} ${++streams}` : client,
        ended() {
          const left = (open.get(client) ?? 1) - 1;
          if (left > 0) open.set(client, left);
          else open.delete(client);
        },
      };
    },
  };
}
