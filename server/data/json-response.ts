/** Responds with JSON that is built for each request, with an entity tag of its content. */
import { createHash } from "node:crypto";
import { type H3Event, HTTPResponse } from "h3";
import { chooseEncoding, encodeBody, respondWith, withBodyHeaders } from "../response/encoding/encoding.ts";
import { commonHeaders, findMatchingTag, isNotModifiedSince, JSON_TYPE, matchesAnyTag } from "../response/headers.ts";
import type { PageRequest } from "../pages/page.ts";

const MAX_AGE_SECONDS = 1;

/** Sends JSON. `id` is the id of the current snapshot. */
export async function sendJson(
  { event, requestId }: PageRequest,
  id: string,
  value: object,
  type = JSON_TYPE,
): Promise<HTTPResponse> {
  const body = Buffer.from(JSON.stringify(value));
  const encoding = chooseEncoding(event.req.headers.get("accept-encoding"));
  const digest = createHash("sha256").update(body).digest("hex").slice(0, 16);
  const ETag = `"${id}-${digest}-${encoding}"`;
  const headers = {
    ...commonHeaders(requestId),
    "Content-Type": type,
    "X-Data-Snapshot": id,
    "Cache-Control": `public, max-age=${MAX_AGE_SECONDS}`,
    ETag,
  };
  if (isNotModified(event, ETag)) return new HTTPResponse(null, { status: 304, headers });
  const encoded = await encodeBody([body], encoding);
  const all = withBodyHeaders(encoded, headers);
  return event.req.method === "HEAD"
    ? new HTTPResponse(null, { status: 200, headers: all })
    : respondWith(encoded.bytes, all);
}

/**
 * Tests the conditional headers of a request.
 * @param modified the time of Last-Modified in milliseconds, if the header is sent
 */
export function isNotModified({ req }: H3Event, tag: string, modified = Infinity): boolean {
  const ifNoneMatch = req.headers.get("if-none-match");
  return (
    matchesAnyTag(ifNoneMatch) ||
    findMatchingTag(ifNoneMatch, [tag]) !== undefined ||
    isNotModifiedSince(req.headers.get("if-modified-since"), ifNoneMatch, modified)
  );
}
