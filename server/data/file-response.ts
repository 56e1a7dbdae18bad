/** Responds with a file: whole, a range of it, or a 304. */
import { type H3Event, HTTPResponse } from "h3";
import { ACCEPT_RANGES, requestedRange, type ByteRange } from "../response/byte-range.ts";
import { isNotModified } from "./json-response.ts";

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

/** Sends the file. @throws Problem */
export async function sendFileContent(event: H3Event, content: FileContent): Promise<HTTPResponse> {
  const { sha256, size, modified } = content;
  const ETag = `"${sha256}"`;
  const headers = {
    ...content.headers,
    ETag,
    ...(modified === undefined ? {} : { "Last-Modified": new Date(modified).toUTCString() }),
    ...ACCEPT_RANGES,
    "Repr-Digest": `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`,
  };
  if (isNotModified(event, ETag, modified)) return new HTTPResponse(null, { status: 304, headers });

  const { status, part, headers: rangeHeaders } = requestedRange(event.req.headers, ETag, size);
  const sized = { ...headers, ...rangeHeaders };
  const body = await content.open(part);
  if (event.req.method !== "HEAD") return new HTTPResponse(body, { status, headers: sized });
  await body.cancel();
  return new HTTPResponse(null, { status, headers: sized });
}
