/**
 * Serves constant bytes, such as a script or the OpenAPI document, which are hashed once and encoded once per encoding.
 */
import { createHash } from "node:crypto";
import { HTTPResponse } from "h3";
import {
  chooseEncoding,
  type EncodedBody,
  encodeBody,
  type Encoding,
  respondWith,
  withBodyHeaders,
} from "../response/encoding/encoding.ts";
import { once } from "../snapshot/once.ts";
import { commonHeaders, findMatchingTag, matchesAnyTag } from "../response/headers.ts";
import type { Page } from "./page.ts";

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
export const contentHash = (bytes: Buffer | string): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, 16);

export function serveStatic({ bytes, version, type, cacheControl, headers = {}, status = 200 }: StaticContent): Page {
  const read = () => (typeof bytes === "function" ? bytes() : Promise.resolve(bytes));
  const bodies = new Map<Encoding, Promise<EncodedBody>>();
  let hash: Promise<string> | undefined;

  function inEncoding(encoding: Encoding): Promise<EncodedBody> {
    const encode = () => read().then((content) => encodeBody([content], encoding));
    return encoding === "identity" ? encode() : once(bodies, encoding, encode);
  }

  return async ({ event, requestId }) => {
    const { req } = event;
    hash ??= version === undefined ? read().then(contentHash) : Promise.resolve(contentHash(version));
    const hashed = await hash;
    const tag = (encoding: Encoding) => `"${hashed}-${encoding}"`;
    const body = await inEncoding(chooseEncoding(req.headers.get("accept-encoding")));
    const ifNoneMatch = req.headers.get("if-none-match");
    const shared = { ...commonHeaders(requestId), ...headers, "Content-Type": type, "Cache-Control": cacheControl };
    const ETag = tag(body.encoding);
    const matched = matchesAnyTag(ifNoneMatch) ? ETag : findMatchingTag(ifNoneMatch, [ETag, tag("identity")]);
    if (matched !== undefined) return new HTTPResponse(null, { status: 304, headers: { ...shared, ETag: matched } });
    return respondWith(body.bytes, withBodyHeaders(body, { ...shared, ETag }), status);
  };
}
