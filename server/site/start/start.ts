/** `/`: the start page for browsers, a small JSON index for programs. */
import { BASE } from "../../response/endpoint.ts";
import type { Endpoint } from "../../response/endpoint.ts";
import { JSON_TYPE } from "../../response/headers.ts";
import { serveStatic } from "../static-response.ts";
import type { Page, Pages } from "../page.ts";
import type { Store } from "../../snapshot/store.ts";
import { createAssets } from "./assets.ts";
import { contentsOf, isSample, termsOf } from "./contents.ts";
import { PAGE_SECURITY } from "./page-security.ts";
import { startPage } from "./start-page.ts";

const OTHER_PAGES: Readonly<Record<string, string>> = {
  "/docs": "Reference",
  "/v1/openapi.json": "OpenAPI description",
  "/openapi.json": "OpenAPI description",
  "/v1/data/manifest.json": "Published files",
  "/status": "Build report",
  "/ready": "Readiness",
};

export async function createStartPage(store: Store, endpoints: readonly Endpoint[], others: Pages): Promise<Pages> {
  const named = Object.entries(OTHER_PAGES).filter(([path]) => path in others);
  const links = named.filter(([, name], i) => named.findIndex(([, other]) => other === name) === i);
  const start: Page = (request) => {
    const wantsHtml = request.event.req.headers.get("accept")?.includes("text/html") ?? false;
    const [type, text] = wantsHtml
      ? ["text/html; charset=utf-8", startPage(store, endpoints, links)]
      : [JSON_TYPE, JSON.stringify(toIndex(store, endpoints, links))];
    const headers = { ...PAGE_SECURITY, Vary: "Accept-Encoding, Accept" };
    return serveStatic({ bytes: Buffer.from(text), type, cacheControl: "no-cache", headers })(request);
  };
  return { "/": start, ...(await createAssets()) };
}

function toIndex(store: Store, endpoints: readonly Endpoint[], links: readonly (readonly [string, string])[]): object {
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
          rows: Object.fromEntries(contentsOf(snapshot).map(({ table, rows }) => [table, rows])),
        }
      : null,
    links: Object.fromEntries(links.map(([path, name]) => [name, path])),
    endpoints: Object.fromEntries(endpoints.map(({ path, summary }) => [BASE + path, summary])),
  };
}
