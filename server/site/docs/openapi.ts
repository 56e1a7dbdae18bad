/** The OpenAPI 3.1 document, made from the endpoints and the contract: nothing in it is written twice. */
import { COMPAT_DESCRIPTION } from "./compat.ts";
import { acceptLooseForms, olderPath } from "../../response/compat/requests.ts";
import { BASE } from "../../response/endpoint.ts";
import type { Endpoint } from "../../response/endpoint.ts";
import { type DocumentedPage, toPageOperation } from "./documented-page.ts";
import { operationId, toOperation } from "./operation.ts";
import { toSharedRefusals } from "./error-responses.ts";
import { RESPONSE_HEADERS } from "./response-headers.ts";
import type { Schema } from "./schema.ts";
import { toSchemas } from "./schemas.ts";
import { describeTags } from "./tags.ts";

const DESCRIPTION = `Read-only academic data: the schedule of classes, grade statistics, courses, instructors, the academic week, tutorials and enrollment history.

**\`finalExam.month\` is ZERO-BASED: January is 0, December is 11.** \`finalExam.day\` is the ordinary day of the month.

- Every resource answers GET, HEAD (the same without the body) and OPTIONS; another method is a 405 with \`Allow\`. One slash at the end of a path does not matter.
- Several values go into one parameter with commas, into a repeated parameter, or both. An empty value is the same as none.
- Enumerated values are case-sensitive. A wrong value is a 400 that names every wrong parameter. An unknown parameter is ignored and named in a \`Warning\` header, or a 400 with \`Prefer: handling=strict\`.
- Every array is complete, unless \`limit\` or \`offset\` asks for a part of it: then \`X-Total-Count\` tells how many elements there are, and \`Link\` leads to the next and the previous part. In other formats \`limit\` counts the elements of the JSON array too.
- Answers carry an \`ETag\` that stays valid as long as the data does: ask again with \`If-None-Match\`, and a 304 says that nothing changed.
- Every answer comes as CSV, NDJSON or Parquet too, one row for each section, day or record: by \`format\`, or by \`Accept\`. Their media types and columns are the answer's \`x-formats\`.
- Bodies over 1 KB are compressed (br, zstd, gzip), as \`Accept-Encoding\` says.
- Errors have one form, whatever their status.
`;

const PLAIN_DESCRIPTION = `
A server that is started with \`COMPAT=1\` takes the place of the predecessor: its bodies stand in an envelope, and its own document describes them.
`;

export interface OpenApiParts {
  readonly endpoints: readonly Endpoint[];
  /** Pages beside the endpoints that are worth knowing. */
  readonly pages?: readonly DocumentedPage[];
  /** Describes what a server with COMPAT=1 answers. */
  readonly compat?: boolean;
}

function pathsOf({ endpoints, pages = [], compat = false }: OpenApiParts): Record<string, { get: Schema }> {
  const paths: Record<string, { get: Schema }> = {};
  const add = (path: string, get: Schema) => (paths[path] = { get });
  for (const endpoint of compat ? endpoints.map(acceptLooseForms) : endpoints) {
    const operation = toOperation(endpoint, compat);
    add(toTemplate(endpoint.path), operation);
    const older = compat ? olderPath(endpoint.path) : undefined;
    if (older !== undefined)
      add(toTemplate(older), { ...operation, operationId: operationId(older), deprecated: true });
  }
  for (const page of pages) add(page.path, toPageOperation(page, compat));
  return paths;
}

/** `/courses/:id` → `/v1/rest/courses/{id}` */
const toTemplate = (path: string): string => BASE + path.replace(/:(\w+)/g, "{$1}");

/** The whole document. */
export function toOpenApi(parts: OpenApiParts): Record<string, unknown> {
  const { compat = false } = parts;
  const paths = pathsOf(parts);
  const tags = Object.values(paths).flatMap(({ get }) => get["tags"] as string[]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Academic Data REST Service",
      version: "1.0.0",
      summary: "A university's public academic data as read-only JSON",
      description: DESCRIPTION + (compat ? COMPAT_DESCRIPTION : PLAIN_DESCRIPTION),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The server that this document came from" }],
    // Nobody has to say who they are.
    security: [],
    tags: describeTags(tags),
    paths,
    components: { schemas: toSchemas(compat), headers: RESPONSE_HEADERS, responses: toSharedRefusals(compat) },
  };
}
