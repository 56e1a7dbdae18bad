/** A file as a response: whole, a range of it, or that it has not changed. */
import { type H3Event, HTTPResponse } from "h3";
import { ACCEPT_RANGES, requestedRange, type ByteRange } from "../response/byte-range.ts";
import { isNotModified } from "./json-response.ts";

export interface FileContent {
  readonly headers: Readonly<Record<string, string>>;
  /** In hexadecimal digits; it is the entity tag too. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  /** The time of Last-Modified, in milliseconds; without it there is none. */
  readonly modified?: number;
  /** @throws Problem when the file is gone */
  open(range: ByteRange): Promise<ReadableStream<Uint8Array>>;
}

/** @throws Problem */
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

  const { status, part, headers: ofPart } = requestedRange(event.req.headers, ETag, size);
  const sized = { ...headers, ...ofPart };
  const body = await content.open(part);
  if (event.req.method !== "HEAD") return new HTTPResponse(body, { status, headers: sized });
  await body.cancel();
  return new HTTPResponse(null, { status, headers: sized });
}
