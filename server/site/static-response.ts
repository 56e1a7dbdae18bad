/** A page whose bytes stay the same while the process lives, such as a script or the OpenAPI document: one tag, each encoding made once. */
import { createHash } from "node:crypto";
import { HTTPResponse } from "h3";
import type { Encoding, EncodedBody } from "../response/body-cache.ts";
import { chooseEncoding } from "../response/compression.ts";
import { commonHeaders, encodingHeader, findMatchingTag, matchesAnyTag } from "../response/headers.ts";
import type { Page } from "./page.ts";
import { encodeBody } from "../response/body-stream.ts";

export interface HeldContent {
  /** The content, or how it is read: then only what is made of it is held. */
  readonly bytes: Buffer | (() => Promise<Buffer>);
  /** What decides content that is read; without it the content is read for its hash. */
  readonly version?: string;
  readonly type: string;
  readonly cacheControl: string;
  /** Headers of this page, such as a content security policy. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Cache-Control of what stands under an address that names its content. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

/** The beginning of the content's hash: part of its tag, and of an immutable address. */
export const contentHash = (bytes: Buffer | string): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** Answers with the content, or with 304 to whoever has it. */
export function serveStatic({ bytes, version, type, cacheControl, headers = {} }: HeldContent): Page {
  const read = () => (typeof bytes === "function" ? bytes() : Promise.resolve(bytes));
  const made = new Map<Encoding, Promise<EncodedBody>>();
  let hash: Promise<string> | undefined;

  function inEncoding(encoding: Encoding): Promise<EncodedBody> {
    let finished = made.get(encoding);
    if (!finished) {
      finished = read().then((content) => encodeBody([content], encoding, {}));
      finished.catch(() => made.delete(encoding));
      if (encoding !== "identity" || typeof bytes !== "function") made.set(encoding, finished);
    }
    return finished;
  }

  return async ({ event, requestId }) => {
    const { req } = event;
    hash ??= version === undefined ? read().then(contentHash) : Promise.resolve(contentHash(version));
    const hashed = await hash;
    const tag = (encoding: Encoding) => `"${hashed}-${encoding}"`;
    const { bytes: body, encoding } = await inEncoding(chooseEncoding(req.headers.get("accept-encoding")));
    const ifNoneMatch = req.headers.get("if-none-match");
    const all = { ...commonHeaders(requestId), ...headers, "Content-Type": type, "Cache-Control": cacheControl };
    const same = matchesAnyTag(ifNoneMatch)
      ? tag(encoding)
      : findMatchingTag(ifNoneMatch, [tag(encoding), tag("identity")]);
    if (same !== undefined) return new HTTPResponse(null, { status: 304, headers: { ...all, ETag: same } });
    return new HTTPResponse(body as unknown as ConstructorParameters<typeof HTTPResponse>[0], {
      status: 200,
      headers: { ...all, ...encodingHeader(encoding), ETag: tag(encoding), "Content-Length": String(body.length) },
    });
  };
}
