/** A page that is not an endpoint. `app.ts` handles methods, errors and request ids. */
import { type H3Event, HTTPResponse } from "h3";
import { commonHeaders } from "../response/headers.ts";

export interface PageRequest {
  readonly event: H3Event;
  readonly requestId: string;
}

/** Handles GET and HEAD; an exception becomes an error response. */
export type Page = (request: PageRequest) => HTTPResponse | Promise<HTTPResponse>;

/** Maps paths (h3's patterns are allowed) to pages. */
export type Pages = Readonly<Record<string, Page>>;

export function sendPage(
  requestId: string,
  status: number,
  type: string,
  body: string,
  more: Readonly<Record<string, string>> = {},
): HTTPResponse {
  const headers = {
    ...commonHeaders(requestId),
    ...more,
    "Content-Type": type,
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
  };
  return new HTTPResponse(body, { status, headers });
}
