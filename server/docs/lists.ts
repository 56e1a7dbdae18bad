/** `/v1` and `/v1/rest`: the addresses below them, as JSON for programs; browsers get the reference. */
import { BASE, type Endpoint } from "../response/endpoint.ts";
import type { DocumentedPage } from "../openapi/documented-page.ts";

const ROOT = "/v1";
const EXAMPLE = { [`${BASE}/larc`]: "Tutorials of a term, by course" };

const listPage = (path: string, operationId: string, summary: string): DocumentedPage => ({
  path,
  operationId,
  tag: "Service",
  summary,
  responses: {
    200: {
      description: "Each address with its summary",
      headers: ["ETag", "Content-Encoding", "Content-Length"],
      content: {
        "application/json": {
          schema: { type: "object", additionalProperties: { type: "string" } },
          example: EXAMPLE,
        },
      },
    },
    304: { description: "Not changed since the ETag in If-None-Match", headers: ["ETag"] },
  },
});

export const listsDocumented: readonly DocumentedPage[] = [
  listPage(ROOT, "addresses", "What is below `/v1`"),
  listPage(BASE, "endpoints", "The endpoints"),
];

/** Returns, by the path of each list, its addresses and their summaries, in the order of the documentation. */
export function toLists(
  endpoints: readonly Endpoint[],
  pages: readonly DocumentedPage[],
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const below = pages.filter(({ path }) => path.startsWith(`${ROOT}/`));
  return {
    [ROOT]: Object.fromEntries(below.map(({ path, summary }) => [path, summary])),
    [BASE]: Object.fromEntries(endpoints.map(({ path, summary }) => [BASE + path, summary])),
  };
}
