/** Open responses of server-sent events: their writes, comments, slow readers, and end. They bypass h3, whose streams take more memory. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Log } from "../../../pipeline/log.ts";
import { createPacer } from "../../snapshot/event-loop-yielder.ts";

export interface EventStream {
  readonly response: ServerResponse;
  readonly requestId: string;
  /** When the next comment is due, in milliseconds of `performance.now()`. */
  nextComment: number;
  /** Whether it has been sent all that was missed. */
  isLive: boolean;
}

export interface EventStreams {
  /** Sends the headers. `closed` is called once, however the stream ends. */
  open(response: ServerResponse, requestId: string, headers: Headers, closed: () => void): EventStream;
  /** Disconnects a client that has not read what was sent before. */
  send(stream: EventStream, bytes: Buffer): void;
  /** Waits until the client has read so much that more can be sent; false when it is gone. */
  sendAndWait(stream: EventStream, bytes: Buffer): Promise<boolean>;
  count(): number;
  /** Ends all streams. */
  close(): void;
}

/** Keeps proxies and clients from taking a quiet connection for a dead one. */
const COMMENT = Buffer.from(":\n");
const END = Buffer.from("\n");
const COMMENT_MS = 15_000;
const CHECK_MS = 250;
/** Most bytes that wait for one client; equal events share their memory. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

export function createEventStreams({
  log,
  commentFor,
  commentMs = COMMENT_MS,
  maxUnreadBytes = MAX_UNREAD_BYTES,
}: {
  log: Log;
  /** What goes with a comment. */
  commentFor: (stream: EventStream) => Buffer | undefined;
  commentMs?: number;
  maxUnreadBytes?: number;
}): EventStreams {
  const streams = new Map<ServerResponse, { stream: EventStream; closed: () => void }>();

  /** One listener for all responses, called with the response as `this`. */
  function onClose(this: ServerResponse): void {
    const one = streams.get(this);
    streams.delete(this);
    one?.closed();
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
      send(stream, Buffer.concat([COMMENT, commentFor(stream) ?? END]));
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
    open(response, requestId, headers, closed) {
      const stream = { response, requestId, nextComment: performance.now() + commentMs, isLive: false };
      streams.set(response, { stream, closed });
      response.on("close", onClose);
      response.writeHead(200, [...headers].flat());
      response.flushHeaders();
      return stream;
    },
    send,
    async sendAndWait({ response }, bytes) {
      if (response.destroyed || response.writableEnded) return false;
      if (response.write(bytes)) return true;
      const closed = new AbortController();
      const onGone = () => closed.abort();
      response.once("close", onGone);
      await once(response, "drain", { signal: closed.signal }).catch(() => undefined);
      response.off("close", onGone);
      return !response.destroyed && !response.writableEnded;
    },
    count: () => streams.size,
    close() {
      clearInterval(timer);
      for (const response of streams.keys()) response.end();
    },
  };
}
