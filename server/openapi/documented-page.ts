/** A page in the OpenAPI document, described by hand. */
import { z } from "zod";
import type { DocumentedMode } from "../response/mode.ts";
import {
  GENERAL_ERRORS,
  type ErrorResponse,
  referToErrors,
  type SharedError,
  toErrorResponse,
} from "./error-responses.ts";
import { headersOf, type ResponseHeader } from "./response-headers.ts";
import { type Schema, tidy } from "./schemas.ts";

interface DocumentedResponse {
  readonly description: string;
  /** The headers in addition to those of every response. */
  readonly headers?: readonly ResponseHeader[];
  /** The schema and example by media type; undefined for an empty body. */
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

export interface DocumentedPage {
  /** The whole path with parameters in braces; a parameter named `path` may contain slashes. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters?: readonly Schema[];
  readonly responses: Readonly<Record<number, DocumentedResponse>>;
  readonly errors?: readonly ErrorResponse[];
  readonly shared?: readonly SharedError[];
}

export function schemaOf(shape: z.ZodType): Schema {
  const { $schema: _schema, ...schema } = z.toJSONSchema(shape, { override: tidy });
  return schema;
}

export const inPath = (name: string, description: string, example: string): Schema => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

export const servicePage = (
  path: string,
  operationId: string,
  summary: string,
  responses: DocumentedPage["responses"],
): DocumentedPage => ({ path, operationId, tag: "Service", summary, responses });

/** The responses of a body that is sent with an entity tag. @param more headers besides those of such a body */
export const taggedResponses = (
  description: string,
  content: NonNullable<DocumentedResponse["content"]>,
  ...more: readonly ResponseHeader[]
): DocumentedPage["responses"] => ({
  200: { description, headers: [...more, "ETag", "Content-Encoding", "Content-Length"], content },
  304: { description: "Not changed since the ETag in If-None-Match", headers: [...more, "ETag"] },
});

export function toPageOperation(page: DocumentedPage, mode: DocumentedMode): Schema {
  const { operationId, tag, summary, parameters = [], responses, errors = [], shared = [] } = page;
  const successes = Object.entries(responses).map(([status, { description, headers = [], content }]) => [
    status,
    {
      description,
      headers: headersOf(...headers),
      ...(content ? { content } : {}),
    },
  ]);
  return {
    operationId,
    tags: [tag],
    summary,
    parameters,
    responses: {
      ...Object.fromEntries(successes),
      ...GENERAL_ERRORS,
      ...referToErrors(...shared),
      ...Object.fromEntries(errors.map((error) => [error.status, toErrorResponse(error, mode)])),
    },
  };
}
