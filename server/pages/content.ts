/** Sends what is not rendered by an endpoint: constant bytes, JSON that is built for each request, and files. */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { type H3Event, HTTPResponse } from "h3";
import { ACCEPT_RANGES, type ByteRange, requestedRange } from "../response/byte-range.ts";
import {
  chooseEncoding,
  type EncodedBody,
  encodeBody,
  type Encoding,
  respondWith,
  withBodyHeaders,
} from "../response/encoding.ts";
import { commonHeaders, conditional, JSON_TYPE } from "../response/headers.ts";
import { once } from "../snapshot/shared-work.ts";
import { type Page, type PageRequest, wantsHtml } from "./page.ts";

export interface StaticContent {
  /** The content, or a function that reads it: then only compressed bodies stay in memory. */
  readonly bytes: Buffer | (() => Promise<Buffer>);
  /** Identifies the content, so that it need not be read to compute a hash. */
  readonly version?: string;
  readonly type: string;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
}

/** Returns a hash for the ETag and for immutable URLs. */
const contentHash = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** Serves constant bytes, which are hashed once and encoded once per encoding. */
export function serveStatic({ bytes, version, type, cacheControl, headers = {}, status = 200 }: StaticContent): Page {
  const read = () => (typeof bytes === "function" ? bytes() : Promise.resolve(bytes));
  const bodies = new Map<Encoding, Promise<EncodedBody>>();
  let hash: Promise<string> | undefined;

  function inEncoding(encoding: Encoding): Promise<EncodedBody> {
    const isLasting = version !== undefined;
    const encode = () => read().then((content) => encodeBody([content], encoding, { isLasting }));
    return encoding === "identity" ? encode() : once(bodies, encoding, encode);
  }

  return async ({ event, requestId }) => {
    const { req } = event;
    hash ??= version === undefined ? read().then(contentHash) : Promise.resolve(contentHash(version));
    const hashed = await hash;
    const tag = (encoding: Encoding) => `"${hashed}-${encoding}"`;
    const body = await inEncoding(chooseEncoding(req.headers.get("accept-encoding")));
    const etag = tag(body.encoding);
    const shared = { ...commonHeaders(requestId), ...headers, "Content-Type": type, "Cache-Control": cacheControl };
    const unchanged = conditional(req.headers, { tags: [etag, tag("identity")], etag });
    if (unchanged !== undefined)
      return new HTTPResponse(null, { status: 304, headers: { ...shared, ETag: unchanged } });
    return respondWith(body.bytes, withBodyHeaders(body, { ...shared, ETag: etag }), status);
  };
}

/** An address that serves JSON to programs and a page to browsers. */
export const forPrograms =
  (
    describe: () => object | Promise<object>,
    page: Page,
    more: Readonly<Record<string, string>> = {},
    cacheControl = "no-cache",
  ): Page =>
  async (request) => {
    if (wantsHtml(request)) return page(request);
    const bytes = Buffer.from(JSON.stringify(await describe()));
    const headers = { ...more, Vary: "Accept-Encoding, Accept" };
    return serveStatic({ bytes, type: JSON_TYPE, cacheControl, headers })(request);
  };

/** Returns a function that reads a value once for each snapshot and key; values of former snapshots are dropped. */
export function oncePerSnapshot<T>(
  read: (snapshot: string, key: string) => Promise<T>,
): (snapshot: string, key: string) => Promise<T> {
  let current = "";
  const values = new Map<string, Promise<T>>();
  return (snapshot, key) => {
    if (snapshot !== current) values.clear();
    current = snapshot;
    return once(values, key, () => read(snapshot, key));
  };
}

/** Sends JSON with an entity tag of its content. `id` is the id of the current snapshot. */
export async function sendJson(
  { event, requestId }: PageRequest,
  id: string,
  value: object,
  type = JSON_TYPE,
): Promise<HTTPResponse> {
  const bytes = Buffer.from(JSON.stringify(value));
  const encoding = chooseEncoding(event.req.headers.get("accept-encoding"));
  const etag = `"${id}-${contentHash(bytes)}-${encoding}"`;
  const headers = {
    ...commonHeaders(requestId),
    "Content-Type": type,
    "X-Data-Snapshot": id,
    "Cache-Control": "public, max-age=1",
    ETag: etag,
  };
  if (conditional(event.req.headers, { tags: [etag], etag }) !== undefined)
    return new HTTPResponse(null, { status: 304, headers });
  const body = await encodeBody([bytes], encoding);
  return respondWith(body.bytes, withBodyHeaders(body, headers));
}

export interface FileContent {
  readonly headers: Readonly<Record<string, string>>;
  /** The hash in hexadecimal digits, which is also the entity tag. */
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
  /** The time of Last-Modified, in milliseconds; undefined omits the header. */
  readonly modified?: number;
  /** Opens a range. @throws Problem when the file was deleted */
  open(range: ByteRange): Promise<ReadableStream<Uint8Array>>;
}

/** Sends a file: whole, a range of it, or a 304. @throws Problem */
export async function sendFileContent({ req }: H3Event, content: FileContent): Promise<HTTPResponse> {
  const { sha256, size, modified } = content;
  const etag = `"${sha256}"`;
  const headers = {
    ...content.headers,
    ETag: etag,
    ...(modified === undefined ? {} : { "Last-Modified": new Date(modified).toUTCString() }),
    ...ACCEPT_RANGES,
    "Repr-Digest": `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`,
  };
  if (conditional(req.headers, { tags: [etag], etag, modified }) !== undefined)
    return new HTTPResponse(null, { status: 304, headers });
  const { status, part, headers: rangeHeaders } = requestedRange(req.headers, etag, size);
  const sized = { ...headers, ...rangeHeaders };
  const body = await content.open(part);
  if (req.method !== "HEAD") return new HTTPResponse(body, { status, headers: sized });
  await body.cancel();
  return new HTTPResponse(null, { status, headers: sized });
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Streams a range of a file with backpressure. The stream owns `file` and closes it at the end, on an error, and when
 * the client disconnects.
 */
export function streamFile(file: FileHandle, { first, last }: ByteRange): ReadableStream<Uint8Array> {
  let position = first;
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= file.close());
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const length = Math.min(CHUNK_BYTES, last + 1 - position);
          const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
          // The client disconnected in the meantime.
          if (closed) return;
          if (bytesRead === 0) throw new Error("a published file is shorter than its manifest says");
          controller.enqueue(buffer.subarray(0, bytesRead));
          position += bytesRead;
          if (position <= last) return;
          await close();
          controller.close();
        } catch (error) {
          await close();
          controller.error(error);
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
