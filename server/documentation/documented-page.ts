/** A page that the OpenAPI document names: what the record of an endpoint says by itself is written here by hand. */
import { GENERAL_REFUSALS } from "./refusals.ts";
import { headersOf, type ResponseHeader } from "./response-headers.ts";
import type { Schema } from "./schemas.ts";

export interface DocumentedAnswer {
  readonly description: string;
  /** Headers besides those that every answer has. */
  readonly headers?: readonly ResponseHeader[];
  /** Media type → schema and example; none for an empty body. */
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

export interface DocumentedPage {
  /** The whole path; its variable parts in braces: `/v1/data/{generation}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** Parameter objects of OpenAPI. */
  readonly parameters?: readonly Schema[];
  /** Status → answer. */
  readonly answers: Readonly<Record<number, DocumentedAnswer>>;
}

/** The operation of a GET of the page. */
export function toPageOperation({ operationId, tag, summary, parameters = [], answers }: DocumentedPage): Schema {
  const responses = Object.entries(answers).map(([status, { description, headers = [], content }]) => [
    status,
    { description, headers: headersOf(...headers), ...(content ? { content } : {}) },
  ]);
  return {
    operationId,
    tags: [tag],
    summary,
    parameters,
    responses: { ...Object.fromEntries(responses), ...GENERAL_REFUSALS },
  };
}
