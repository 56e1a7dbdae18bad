/** The answers that are errors: what they mean, and what one looks like. */
import { STATUS_CODES } from "node:http";
import { ALLOWED_METHODS } from "../headers.ts";
import { TOO_MANY_REQUESTS } from "../operations/rate-limiting.ts";
import { headersOf, type ResponseHeader } from "./response-headers.ts";
import { referTo, type Schema } from "./schemas.ts";

/** An error as it is described; the message is one that the server really gives. */
export interface Refusal {
  readonly status: number;
  readonly description: string;
  readonly message: string;
  readonly headers?: readonly ResponseHeader[];
}

/** One error as a response object of OpenAPI, with an example of its body. */
export function toRefusal({ status, description, message, headers = [] }: Refusal, compat: boolean): Schema {
  const example = {
    statusCode: status,
    error: STATUS_CODES[status],
    message,
    requestId: "6f1c8a52-3b0e-4b6e-9a3f-2f6d1f0c7e11",
    timestamp: "2026-11-21T08:00:00.000Z",
    ...(compat ? { success: false } : {}),
  };
  return {
    description,
    headers: headersOf("Content-Length", "Preference-Applied", ...headers),
    content: { "application/json": { schema: referTo("Problem"), example } },
  };
}

export const MALFORMED = "The request is malformed.";

/** Errors that are the same wherever they come up, by their name among the document's responses. */
const SHARED = {
  UnknownResource: {
    status: 404,
    description: "There is no such resource",
    message: "The requested resource could not be found.",
  },
  MethodNotAllowed: {
    status: 405,
    description: `Another method than ${ALLOWED_METHODS}`,
    message: `This resource answers ${ALLOWED_METHODS} only.`,
    headers: ["Allow"],
  },
  TooSlow: {
    status: 408,
    description: "The request did not arrive in time",
    message: "The request did not arrive in time.",
  },
  AddressTooLong: {
    status: 414,
    description: "The address is too long",
    message: "The address is longer than 8192 characters.",
  },
  UnknownExpectation: {
    status: 417,
    description: "The request has an Expect header with something else than 100-continue",
    message: "This service knows the expectation 100-continue only.",
  },
  TooManyRequests: {
    status: 429,
    description: "This client address has no requests left; only where the operator limits them",
    message: TOO_MANY_REQUESTS,
    headers: ["Retry-After"],
  },
  HeadTooLarge: {
    status: 431,
    description: "The headers of the request are too large",
    message: "The request's head is too large.",
  },
  Unexpected: {
    status: 500,
    description: "Something failed here",
    message: "Something unexpected happened. Please try again.",
  },
  UpstreamFailed: {
    status: 502,
    description: "The upstream schedule system answered badly",
    message: "The upstream system did not answer properly. Please try again later.",
  },
  NothingPublished: {
    status: 503,
    description: "No data has been published yet, too many large answers are under way, or the question takes too long",
    message: "No data has been published yet. Please try again in a few minutes.",
    headers: ["Retry-After"],
  },
  UpstreamTimedOut: {
    status: 504,
    description: "The upstream schedule system did not answer in time",
    message: "The upstream system did not answer in time. Please try again later.",
  },
} as const satisfies Record<string, Refusal>;
export type SharedRefusal = keyof typeof SHARED;

export const toSharedRefusals = (compat: boolean): Record<string, Schema> =>
  Object.fromEntries(Object.entries(SHARED).map(([name, refusal]) => [name, toRefusal(refusal, compat)]));

/** The given errors, by status. */
export const referToRefusals = (...names: readonly SharedRefusal[]): Record<number, Schema> =>
  Object.fromEntries(names.map((name) => [SHARED[name].status, { $ref: `#/components/responses/${name}` }]));

/** What can happen to every GET, whatever it asks. Refusals of a request's form stand in the document once, not with each operation. */
export const GENERAL_REFUSALS = referToRefusals("AddressTooLong", "TooManyRequests", "Unexpected");
