/** A path beside the endpoints: the start page, the reference, health, published files. `app.ts` answers methods, errors and request ids for all of them. */
import { type H3Event, HTTPResponse } from "h3";
import { commonHeaders } from "../response/headers.ts";

export interface PageRequest {
  readonly event: H3Event;
  readonly requestId: string;
}

/** Answers a GET or HEAD; what it throws becomes an error body. */
export type Page = (request: PageRequest) => HTTPResponse | Promise<HTTPResponse>;

/** Path (h3's patterns are allowed) → page. */
export type Pages = Readonly<Record<string, Page>>;

/** A small answer that nobody may keep. */
export function sendPage(requestId: string, status: number, type: string, body: string): HTTPResponse {
  const headers = {
    ...commonHeaders(requestId),
    "Content-Type": type,
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
  };
  return new HTTPResponse(body, { status, headers });
}
