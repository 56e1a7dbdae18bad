/** An address that is JSON for programs and a page for browsers. */
import { JSON_TYPE } from "../response/headers.ts";
import type { Page } from "./page.ts";
import { wantsHtml } from "./site.ts";
import { serveStatic } from "./static-response.ts";

export const forPrograms =
  (describe: () => object, page: Page, more: Readonly<Record<string, string>> = {}): Page =>
  (request) => {
    if (wantsHtml(request)) return page(request);
    const bytes = Buffer.from(JSON.stringify(describe()));
    const headers = { ...more, Vary: "Accept-Encoding, Accept" };
    return serveStatic({ bytes, type: JSON_TYPE, cacheControl: "no-cache", headers })(request);
  };
