/** `/v1/openapi.json`, the typed client, text pages for assistants, and the lists of addresses below `/v1`. */
import { LRUCache } from "lru-cache";
import { bulkDocumented } from "../data/documented.ts";
import { BASE } from "../response/endpoint.ts";
import { type Installation, installationAddress } from "../response/installation.ts";
import type { Page, Pages } from "../pages/page.ts";
import { forPrograms, serveStatic } from "../pages/content.ts";
import { JSON_TYPE } from "../response/headers.ts";
import { healthDocumented } from "../status/documented.ts";
import type { CurrentTerm } from "../pages/current-term.ts";
import { readClient } from "./client/client.ts";
import { createMarkdownPages } from "./markdown.ts";
import { type DocumentedPage, servicePage, taggedResponses } from "../openapi/documented-page.ts";
import { type DocumentedParts, serverAt, toOpenApi } from "../openapi/openapi.ts";

const OPENAPI_PATH = "/v1/openapi.json";
/** The former path, which is still served. */
const FORMER_PATH = "/openapi.json";
const CACHE_CONTROL = "public, max-age=300";
/** Limits the cached documents, because a client may send any host. */
const MAX_ADDRESSES = 16;

/** The lists of addresses are JSON for programs; browsers get the reference. */
const ROOT = "/v1";
const listResponses = taggedResponses("Each address with its summary", {
  "application/json": {
    schema: { type: "object", additionalProperties: { type: "string" } },
    example: { [`${BASE}/larc`]: "Tutorials of a term, by course" },
  },
});

/** The typed client of this server. `npm run -s client` writes that of the plain mode. */
const CLIENTS = [
  ["ts", "TypeScript", "The typed client in TypeScript; it needs only `fetch`"],
  ["js", "JavaScript", "The same in JavaScript; `client.ts` beside it has the types"],
] as const;
const clientType = (language: string): string => `text/${language.toLowerCase()}`;

const PAGES: readonly DocumentedPage[] = [
  servicePage(ROOT, "addresses", "What is below `/v1`", listResponses),
  servicePage(BASE, "endpoints", "The endpoints", listResponses),
  ...bulkDocumented,
  ...healthDocumented,
  servicePage(
    OPENAPI_PATH,
    "openapi",
    "This document",
    taggedResponses("OpenAPI 3.1", {
      "application/json": { schema: { type: "object", additionalProperties: true, description: "see openapis.org" } },
    }),
  ),
  ...CLIENTS.map(([extension, language, summary]) => {
    const responses = taggedResponses("One module", { [clientType(language)]: { schema: { type: "string" } } });
    return servicePage(`/client.${extension}`, `client${language}`, summary, responses);
  }),
];

export const toDocument = (mode: DocumentedParts): Record<string, unknown> => toOpenApi(mode, PAGES);

/** Serves the document with the address at which it was requested, because generators read it from there. */
function createOpenApiPage(mode: DocumentedParts, installation: Installation): Page {
  const document = toDocument(mode);
  const pages = new LRUCache<string, Page>({ max: MAX_ADDRESSES });
  return (request) => {
    const address = installationAddress(request.event, installation).replace(/\/$/, "");
    let page = pages.get(address);
    if (!page) {
      const bytes = Buffer.from(JSON.stringify({ ...document, servers: serverAt(address) }));
      page = serveStatic({ bytes, type: JSON_TYPE, cacheControl: CACHE_CONTROL });
      pages.set(address, page);
    }
    return page(request);
  };
}

/** Creates the pages. @param reference the page that browsers get instead of a list */
export function createDocumentation(
  mode: DocumentedParts,
  currentTerm: CurrentTerm,
  installation: Installation,
  reference: Page,
): Pages {
  const page = createOpenApiPage(mode, installation);
  /** Lists summaries by address, in the order of the documentation. */
  function toList(pages: readonly { path: string; summary: string }[], prefix = ""): Page {
    const list = Object.fromEntries(pages.map(({ path, summary }) => [prefix + path, summary]));
    return forPrograms(() => list, reference);
  }
  const root = toList(PAGES.filter(({ path }) => path.startsWith(`${ROOT}/`)));
  const base = toList(mode.endpoints, BASE);
  const clients = CLIENTS.map(([extension, language]): [string, Page] => [
    `/client.${extension}`,
    serveStatic({
      bytes: () => readClient(extension, mode.documented.name),
      type: `${clientType(language)}; charset=utf-8`,
      cacheControl: CACHE_CONTROL,
    }),
  ]);
  return {
    [OPENAPI_PATH]: page,
    [FORMER_PATH]: page,
    ...Object.fromEntries(clients),
    ...createMarkdownPages(mode, installation.base, currentTerm),
    ...{ [ROOT]: root, [`${ROOT}/`]: root, [BASE]: base, [`${BASE}/`]: base },
  };
}
