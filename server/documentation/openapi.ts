/** The OpenAPI 3.1 document, made from the endpoints and the contract: nothing in it is written twice. */
import { z } from "zod";
import { BASE } from "../app.ts";
import type { Endpoint } from "../endpoint.ts";
import { SHAPES } from "../shapes.ts";

const PROBLEM = {
  type: "object",
  properties: {
    statusCode: { type: "integer" },
    error: { type: "string" },
    message: { type: "string" },
    requestId: { type: "string" },
    timestamp: { type: "string", format: "date-time" },
  },
  required: ["statusCode", "error", "message", "requestId", "timestamp"],
};

const DESCRIPTION = `Read-only academic data. Several values go into one parameter, separated by commas, or into repeated parameters.
An empty value is the same as none. Unknown parameters are ignored and named in a Warning header.

**finalExam.month is zero-based: January is 0, December is 11.** finalExam.day is the ordinary day of the month.

Answers carry an ETag that stays valid as long as the data does: ask again with If-None-Match.`;

const refused = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

function operation({ path, summary, params, returns }: Endpoint): Record<string, unknown> {
  const query = Object.entries(params).map(([name, param]) => ({
    name,
    in: "query",
    required: param.required ?? false,
    description: param.about,
    schema: param.multi ? { type: "array", items: param.schema } : param.schema,
    ...(param.multi ? { style: "form", explode: false } : {}),
  }));
  const inPath = path.includes(":id") ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }] : [];
  return {
    get: {
      summary,
      parameters: [...inPath, ...query],
      responses: {
        200: {
          description: "The answer",
          content: { "application/json": { schema: { $ref: `#/components/schemas/${returns}` } } },
        },
        304: { description: "Not changed since the given ETag" },
        400: refused("A parameter is wrong; the message names every one"),
        ...(inPath.length > 0 ? { 404: refused("Unknown id") } : {}),
        ...(path === "/schedule"
          ? { 502: refused("The upstream answered badly"), 504: refused("The upstream did not answer in time") }
          : {}),
        503: refused("No data has been published yet"),
      },
    },
  };
}

/** The whole document. */
export function toOpenApi(endpoints: readonly Endpoint[]): Record<string, unknown> {
  const schemas = Object.fromEntries(
    Object.entries(SHAPES).map(([name, shape]) => {
      const { $schema: _, ...schema } = z.toJSONSchema(shape, { unrepresentable: "any" }) as Record<string, unknown>;
      return [name, schema];
    }),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Academic Data REST Service",
      version: "1.0.0",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [`${BASE}${endpoint.path.replace(":id", "{id}")}`, operation(endpoint)]),
    ),
    components: { schemas: { ...schemas, Problem: PROBLEM } },
  };
}
