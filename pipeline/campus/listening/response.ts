/** A response before it is sent, and conditional responses (RFC 9110 §13) for files that rarely change. */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export interface CampusResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The form fields of a request: query string and posted form together; the first value of a name counts. */
export type Params = ReadonlyMap<string, string>;

/** A strong entity tag over everything that determines the content. */
export function entityTag(...parts: readonly (string | number)[]): string {
  return `"${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24)}"`;
}

/** Responds with 304 by entity tag, or by date when the request has no tag. The body is built only when it is sent. */
export function conditionalResponse(
  headers: IncomingHttpHeaders,
  etag: string,
  modified: Date,
  type: string,
  body: () => string | Uint8Array,
): CampusResponse {
  const ifNoneMatch = headers["if-none-match"];
  const since = Date.parse(headers["if-modified-since"] ?? "");
  const same =
    ifNoneMatch === undefined
      ? Math.floor(modified.getTime() / 1000) * 1000 <= since
      : ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
  const validators = { ETag: etag, "Last-Modified": modified.toUTCString() };
  return { status: same ? 304 : 200, type, body: same ? "" : body(), headers: validators };
}
