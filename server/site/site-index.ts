/** What `/` tells programs: the snapshot, its terms and calendar, and where everything is. The pages begin with it too. */
import { BASE } from "../response/endpoint.ts";
import type { Endpoint } from "../response/endpoint.ts";
import type { Store } from "../snapshot/store.ts";
import { contentsOf, isSample, termsOf } from "./contents.ts";
import { JSON_TYPE } from "../response/headers.ts";
import type { Page, Pages } from "./page.ts";
import { PAGE_SECURITY } from "./page-security.ts";
import { wantsHtml } from "./site.ts";
import { serveStatic } from "./static-response.ts";

const OTHER_PAGES: Readonly<Record<string, string>> = {
  "/docs": "Reference",
  "/v1/openapi.json": "OpenAPI description",
  "/openapi.json": "OpenAPI description",
  "/v1/data/manifest.json": "Published files",
  "/status": "Build report",
  "/ready": "Readiness",
};

/** Of those pages that the server has. */
function linksTo(pages: Pages): Readonly<Record<string, string>> {
  const links: Record<string, string> = {};
  for (const [path, name] of Object.entries(OTHER_PAGES)) if (path in pages) links[name] ??= path;
  return links;
}

/** `/`: JSON for programs, the page for browsers. */
export const createIndex =
  (store: Store, endpoints: readonly Endpoint[], others: Pages, home: Page): Page =>
  (request) => {
    if (wantsHtml(request)) return home(request);
    const text = JSON.stringify(toIndex(store, endpoints, linksTo(others)));
    const headers = { ...PAGE_SECURITY, Vary: "Accept-Encoding, Accept" };
    return serveStatic({ bytes: Buffer.from(text), type: JSON_TYPE, cacheControl: "no-cache", headers })(request);
  };

function toIndex(store: Store, endpoints: readonly Endpoint[], links: Readonly<Record<string, string>>): object {
  const snapshot = store.current();
  return {
    name: "Academic Data REST Service",
    snapshot: snapshot
      ? {
          id: snapshot.id,
          generation: snapshot.generation.manifest.generation,
          createdAt: snapshot.generation.manifest.createdAt,
          sample: isSample(snapshot),
          terms: termsOf(snapshot),
          calendar: snapshot.tables.calendar.dates,
          rows: Object.fromEntries(contentsOf(snapshot).map(({ table, rows }) => [table, rows])),
        }
      : null,
    links,
    endpoints: Object.fromEntries(endpoints.map(({ path, summary }) => [BASE + path, summary])),
  };
}
