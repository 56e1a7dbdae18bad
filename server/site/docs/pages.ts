/** `/v1/openapi.json` describes the endpoints, `/docs` shows that to people. */
import { bulkDocumented } from "../data/documented.ts";
import { serveStatic } from "../static-response.ts";
import { JSON_TYPE } from "../../response/headers.ts";
import { healthDocumented } from "../status/documented.ts";
import type { Pages } from "../page.ts";
import type { DocumentedPage } from "./documented-page.ts";
import { type OpenApiParts, toOpenApi } from "./openapi.ts";
import { createReference } from "./reference.ts";

/** Where the document stands. */
export const OPENAPI_PATH = "/v1/openapi.json";
/** Where it stood first: the same bytes. */
const OLDER_PATH = "/openapi.json";

const openApiPage: DocumentedPage = {
  path: OPENAPI_PATH,
  operationId: "openapi",
  tag: "Service",
  summary: "This document",
  answers: {
    200: {
      description: "OpenAPI 3.1",
      headers: ["ETag", "Content-Encoding", "Content-Length"],
      content: { "application/json": { schema: { type: "object", description: "see openapis.org" } } },
    },
    304: { description: "Not changed since the ETag in If-None-Match", headers: ["ETag"] },
  },
};

/** Every page beside the endpoints that is worth knowing. */
const PAGES: readonly DocumentedPage[] = [...bulkDocumented, ...healthDocumented, openApiPage];

/** What the server serves about itself. */
export const toDocument = (parts: Omit<OpenApiParts, "pages">): Record<string, unknown> =>
  toOpenApi({ ...parts, pages: PAGES });

/** Reads the reference's files once; everything is answered from memory then. */
export async function createDocumentation(parts: Omit<OpenApiParts, "pages">): Promise<Pages> {
  const document = toDocument(parts);
  const page = serveStatic({
    bytes: Buffer.from(JSON.stringify(document)),
    type: JSON_TYPE,
    cacheControl: "public, max-age=300",
  });
  return { [OPENAPI_PATH]: page, [OLDER_PATH]: page, ...(await createReference(OPENAPI_PATH)) };
}
