/** A page that the OpenAPI document names: what the record of an endpoint says by itself is written here by hand. */
import { z } from "zod";
import { GENERAL_REFUSALS, type Refusal, referToRefusals, type SharedRefusal, toRefusal } from "./error-responses.ts";
import { headersOf, type ResponseHeader } from "./response-headers.ts";
import type { Schema } from "./schema.ts";
import { tidy } from "./schemas.ts";

export interface DocumentedAnswer {
  readonly description: string;
  /** Headers besides those that every answer has. */
  readonly headers?: readonly ResponseHeader[];
  /** Media type → schema and example; none for an empty body. */
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

export interface DocumentedPage {
  /** The whole path; its variable parts in braces. A part named `path` may hold slashes. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** Parameter objects of OpenAPI. */
  readonly parameters?: readonly Schema[];
  /** Status → answer that is no error. */
  readonly answers: Readonly<Record<number, DocumentedAnswer>>;
  /** Errors of its own, and errors that others have as well. */
  readonly refusals?: readonly Refusal[];
  readonly shared?: readonly SharedRefusal[];
}

/** The schema of a body that zod describes. */
export function schemaOf(shape: z.ZodType): Schema {
  const { $schema: _schema, ...schema } = z.toJSONSchema(shape, { override: tidy });
  return schema;
}

/** A parameter in the path, required as all of them are. */
export const inPath = (name: string, description: string, example: string): Schema => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

/** The operation of a GET of the page. */
export function toPageOperation(page: DocumentedPage, compat: boolean): Schema {
  const { operationId, tag, summary, parameters = [], answers, refusals = [], shared = [] } = page;
  const responses = Object.entries(answers).map(([status, { description, headers = [], content }]) => [
    status,
    { description, headers: headersOf(...headers), ...(content ? { content } : {}) },
  ]);
  return {
    operationId,
    tags: [tag],
    summary,
    parameters,
    responses: {
      ...Object.fromEntries(responses),
      ...GENERAL_REFUSALS,
      ...referToRefusals(...shared),
      ...Object.fromEntries(refusals.map((refusal) => [refusal.status, toRefusal(refusal, compat)])),
    },
  };
}
