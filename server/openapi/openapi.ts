/** The OpenAPI 3.1 document, generated from the endpoints and the contract. */
import { EXPLANATION_TYPE } from "../response/explain/shape.ts";
import type { Mode } from "../response/mode.ts";
import { BASE } from "../response/endpoint.ts";
import { type DocumentedPage, toPageOperation } from "./documented-page.ts";
import { describeTags, operationId, toOperation } from "./operation.ts";
import { toSharedErrors } from "./error-responses.ts";
import { RESPONSE_HEADERS } from "./response-headers.ts";
import { type Schema, toSchemas } from "./schemas.ts";

const DESCRIPTION = `Read-only academic data: the schedule of classes, grade statistics, courses, instructors, the academic week, tutorials and enrollment history.

**\`finalExam.month\` is ZERO-BASED: January is 0, December is 11.** \`finalExam.day\` is the ordinary day of the month.

- Every resource supports GET, HEAD and OPTIONS; another method is a 405 with \`Allow\`. One trailing slash is ignored.
- A parameter that is an array takes several values: separated by commas, given by repeating it, or both. One that is not takes a single value: a comma in it is a 400, unless it is a name or a text. An empty value counts as absent.
- Enumerated values are case-sensitive. An invalid value is a 400 that names every invalid parameter. An unknown parameter is ignored and named in a \`Warning\` header, or a 400 with \`Prefer: handling=strict\`.
- Every response is complete, unless \`limit\` or \`offset\` is given: then \`X-Total-Count\` is the number of elements, and \`Link\` leads to the next and previous page. In every format \`limit\` counts the elements of the JSON array, and of the schedule its courses.
- Responses carry an \`ETag\` that stays valid as long as the data does: send it as \`If-None-Match\`, or the \`Last-Modified\` as \`If-Modified-Since\`, and a 304 says that nothing changed.
- Responses are available as CSV, NDJSON and Parquet too, with one row per section, day or record: by \`format\`, or by \`Accept\`. The media types are those of the response, and its \`x-formats\` has the columns of each.
- \`asOf\`, on every operation below \`/v1/rest\`, is the response of an earlier snapshot, byte for byte, with its \`ETag\`: by the snapshot's id (\`/v1/snapshots\` lists them; such a response never changes), by a date (the end of that day on campus) or by a time. Times of single crawls are not recorded: \`Last-Modified\` is when the snapshot was made. "Today" is that time, or for an id the day on which the snapshot was made. A term that the snapshot does not have is an empty result, because the upstream is not asked.
- \`explain=true\` describes how a response is derived instead of sending it: the files and sources of the snapshot, and an SQL statement over the published tables that gives the same rows. It has a media type of its own, \`${EXPLANATION_TYPE}\`, by which \`Accept\` asks for it too.
- Bodies over 1 KB are compressed (br, zstd, gzip) according to \`Accept-Encoding\`.
- All errors have the same form.
`;

export type DocumentedParts = Pick<Mode, "endpoints" | "documented">;

/** Converts a path: `/courses/:id` → `/v1/rest/courses/{id}`. */
const toTemplate = (path: string): string => BASE + path.replace(/:(\w+)/g, "{$1}");

/**
 * Returns the `servers` of the document.
 * @param url without a trailing slash: generated clients append paths, which begin with a slash
 */
export const serverAt = (url: string) => [{ url, description: "The server of this document" }];

export function toOpenApi(mode: DocumentedParts, pages: readonly DocumentedPage[]): Record<string, unknown> {
  const { endpoints, documented } = mode;
  const paths: Record<string, { readonly get: Schema }> = {};
  for (const endpoint of endpoints) {
    const { path, alsoAt } = endpoint;
    const get = toOperation(endpoint, documented);
    paths[toTemplate(path)] = { get };
    if (alsoAt !== undefined)
      paths[toTemplate(alsoAt)] = { get: { ...get, operationId: operationId(alsoAt), deprecated: true } };
  }
  for (const page of pages) paths[page.path] = { get: toPageOperation(page, documented) };
  const tags = Object.values(paths).flatMap(({ get }) => get["tags"] as string[]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Academic Data REST Service",
      version: "1.0.0",
      summary: "A university's public academic data as read-only JSON",
      description: DESCRIPTION + documented.about,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: serverAt("/"),
    security: [],
    tags: describeTags(tags),
    paths,
    components: {
      schemas: toSchemas(endpoints, documented),
      headers: RESPONSE_HEADERS,
      responses: toSharedErrors(documented),
    },
  };
}
