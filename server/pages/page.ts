/** A page that is not an endpoint. `app.ts` handles methods, errors and request ids. */
import { type H3Event, HTTPResponse } from "h3";
import { commonHeaders, JSON_TYPE } from "../response/headers.ts";
import { choose, offer } from "../response/negotiation.ts";

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

/** Security headers that allow only this server's files and no inline script; DuckDB needs WebAssembly. */
export const PAGE_SECURITY = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
} as const;

export const HTML = "text/html; charset=utf-8";
const FORMS = [offer("json", JSON_TYPE), offer("html", HTML)];

/** True if the client is a browser. */
export const wantsHtml = ({ event }: PageRequest): boolean => choose(event.req.headers.get("accept"), FORMS) === "html";
