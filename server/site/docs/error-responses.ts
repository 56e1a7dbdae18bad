/** The answers that are errors: what they mean, and what one looks like. */
import { STATUS_CODES } from "node:http";
import { COMPAT_PROBLEM } from "./compat.ts";
import { ALLOWED_METHODS, TOO_MANY_REQUESTS } from "../../response/headers.ts";
import { headersOf, type ResponseHeader } from "./response-headers.ts";
import { referTo, type Schema } from "./schema.ts";

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
    ...(compat ? COMPAT_PROBLEM.example : {}),
  };
  return {
    description,
    headers: headersOf("Content-Length", "Preference-Applied", ...headers),
    content: { "application/json": { schema: referTo("Problem"), example } },
  };
}

/** What a request can be refused for before it reaches an operation: one answer for all of them, the `default` of every operation. */
const BEFORE_ALL = {
  status: 405,
  description: `Refused before it was looked at. 404: there is no such path; 405: another method than ${ALLOWED_METHODS}; 408: the request did not arrive in time; 417: an Expect header with something else than 100-continue; 431: the headers are too large`,
  message: `This resource answers ${ALLOWED_METHODS} only.`,
  headers: ["Allow"],
} as const satisfies Refusal;

export const MALFORMED = "The request is malformed.";

/** Errors that are the same wherever they come up, by their name among the document's responses. */
const SHARED = {
  AddressTooLong: {
    status: 414,
    description: "The address is too long",
    message: "The address is longer than 8192 characters.",
  },
  TooManyRequests: {
    status: 429,
    description: "This client address has no requests left; only where the operator limits them",
    message: TOO_MANY_REQUESTS,
    headers: ["Retry-After"],
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

export const toSharedRefusals = (compat: boolean): Record<string, Schema> => ({
  ...Object.fromEntries(Object.entries(SHARED).map(([name, refusal]) => [name, toRefusal(refusal, compat)])),
  Refused: toRefusal(BEFORE_ALL, compat),
});

/** The given errors, by status. */
export const referToRefusals = (...names: readonly SharedRefusal[]): Record<number, Schema> =>
  Object.fromEntries(names.map((name) => [SHARED[name].status, { $ref: `#/components/responses/${name}` }]));

/** What can happen to every GET, whatever it asks. */
export const GENERAL_REFUSALS: Readonly<Record<string, Schema>> = {
  ...referToRefusals("AddressTooLong", "TooManyRequests", "Unexpected"),
  default: { $ref: "#/components/responses/Refused" },
};
