/** An address that serves JSON to programs and a page to browsers. */
import { JSON_TYPE } from "../response/headers.ts";
import { choose, offer } from "../response/negotiation.ts";
import type { Page } from "./page.ts";
import { serveStatic } from "./static-response.ts";

export const HTML = "text/html; charset=utf-8";
const FORMS = [offer("json", JSON_TYPE), offer("html", HTML)];

/** True if the client is a browser. */
export const wantsHtml = ({ event }: Parameters<Page>[0]): boolean =>
  choose(event.req.headers.get("accept"), FORMS) === "html";

export const forPrograms =
  (describe: () => object | Promise<object>, page: Page, more: Readonly<Record<string, string>> = {}): Page =>
  async (request) => {
    if (wantsHtml(request)) return page(request);
    const bytes = Buffer.from(JSON.stringify(await describe()));
    const headers = { ...more, Vary: "Accept-Encoding, Accept" };
    return serveStatic({ bytes, type: JSON_TYPE, cacheControl: "no-cache", headers })(request);
  };
