/** `/v1/openapi.json`, the typed client, text pages for assistants, and the lists of addresses below `/v1`. */
import { LRUCache } from "lru-cache";
import { bulkDocumented } from "../data/documented.ts";
import { type Installation, installationAddress } from "../response/installation.ts";
import type { Page, Pages } from "../pages/page.ts";
import { forPrograms, serveStatic } from "../pages/content.ts";
import { JSON_TYPE } from "../response/headers.ts";
import { healthDocumented } from "../status/documented.ts";
import { clientDocumented, createClientPages } from "./client/pages.ts";
import { listsDocumented, toLists } from "./lists.ts";
import { createMarkdownPages } from "./markdown/pages.ts";
import type { DocumentedPage } from "../openapi/documented-page.ts";
import { type OpenApiParts, serverAt, toOpenApi } from "../openapi/openapi.ts";

export const OPENAPI_PATH = "/v1/openapi.json";
/** The former path, which is still served. */
const FORMER_PATH = "/openapi.json";
/** Limits the cached documents, because a client may send any host. */
const MAX_ADDRESSES = 16;

const openApiPage: DocumentedPage = {
  path: OPENAPI_PATH,
  operationId: "openapi",
  tag: "Service",
  summary: "This document",
  responses: {
    200: {
      description: "OpenAPI 3.1",
      headers: ["ETag", "Content-Encoding", "Content-Length"],
      content: {
        "application/json": { schema: { type: "object", additionalProperties: true, description: "see openapis.org" } },
      },
    },
    304: { description: "Not changed since the ETag in If-None-Match", headers: ["ETag"] },
  },
};

const PAGES: readonly DocumentedPage[] = [
  ...listsDocumented,
  ...bulkDocumented,
  ...healthDocumented,
  openApiPage,
  ...clientDocumented,
];

export const toDocument = (parts: Omit<OpenApiParts, "pages">): Record<string, unknown> =>
  toOpenApi({ ...parts, pages: PAGES });

/** Serves the document with the address at which it was requested, because generators read it from there. */
function createOpenApiPage(parts: Omit<OpenApiParts, "pages">, installation: Installation): Page {
  const document = toDocument(parts);
  const pages = new LRUCache<string, Page>({ max: MAX_ADDRESSES });
  return (request) => {
    const address = installationAddress(request.event, installation).replace(/\/$/, "");
    let page = pages.get(address);
    if (!page) {
      const bytes = Buffer.from(JSON.stringify({ ...document, servers: serverAt(address) }));
      page = serveStatic({ bytes, type: JSON_TYPE, cacheControl: "public, max-age=300" });
      pages.set(address, page);
    }
    return page(request);
  };
}

/** Creates the pages. @param reference the page that browsers get instead of a list */
export function createDocumentation(
  parts: Omit<OpenApiParts, "pages" | "base">,
  installation: Installation,
  reference: Page,
): Pages {
  const page = createOpenApiPage(parts, installation);
  const lists = Object.entries(toLists(parts.endpoints, PAGES)).flatMap(([path, list]) => {
    const listed = forPrograms(() => list, reference);
    return [
      [path, listed],
      [`${path}/`, listed],
    ];
  });
  return {
    [OPENAPI_PATH]: page,
    [FORMER_PATH]: page,
    ...createClientPages(parts.documented?.name),
    ...createMarkdownPages({ ...parts, base: installation.base }),
    ...(Object.fromEntries(lists) as Pages),
  };
}
