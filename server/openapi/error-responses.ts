/** Error responses of the OpenAPI document, with examples. */
import { STATUS_CODES } from "node:http";
import { outOfRange, RANGE_HEADERS } from "../response/byte-range.ts";
import type { DocumentedMode } from "../response/mode.ts";
import { ALLOWED_METHODS, TOO_MANY_REQUESTS } from "../response/headers.ts";
import { headersOf, type ResponseHeader } from "./response-headers.ts";
import { referTo, type Schema } from "./schemas.ts";

/** An error response; `message` is an actual message of the service. */
export interface ErrorResponse {
  readonly status: number;
  readonly description: string;
  readonly message: string;
  readonly headers?: readonly ResponseHeader[];
}

export function toErrorResponse(
  { status, description, message, headers = [] }: ErrorResponse,
  { problem }: DocumentedMode,
): Schema {
  const example = {
    statusCode: status,
    error: STATUS_CODES[status],
    message,
    requestId: "6f1c8a52-3b0e-4b6e-9a3f-2f6d1f0c7e11",
    timestamp: "2026-11-21T08:00:00.000Z",
    ...problem.example,
  };
  return {
    description,
    headers: headersOf("Content-Length", "Preference-Applied", ...headers),
    content: { "application/json": { schema: referTo("Problem"), example } },
  };
}

export const MALFORMED = "The request is malformed.";

/** The errors that operations share, by component name. */
const SHARED = {
  AddressTooLong: {
    status: 414,
    description: "The URL is too long",
    message: "The address is longer than 8192 characters.",
  },
  OutOfRange: {
    status: 416,
    description: "The `Range` contains no byte of the file",
    message: outOfRange(18_230),
    headers: RANGE_HEADERS[416],
  },
  TooManyRequests: {
    status: 429,
    description: "Rate limit exceeded, if the operator sets one",
    message: TOO_MANY_REQUESTS,
    headers: ["Retry-After"],
  },
  Unexpected: {
    status: 500,
    description: "Internal error",
    message: "Something unexpected happened. Please try again.",
  },
  UpstreamFailed: {
    status: 502,
    description: "The upstream schedule system failed",
    message: "The upstream system sent an invalid response. Please try again later.",
  },
  NothingPublished: {
    status: 503,
    description:
      "No data published yet, published files missing, too many large responses in progress, or a query timeout",
    message: "No data has been published yet. Please try again in a few minutes.",
    headers: ["Retry-After"],
  },
  NotRetained: {
    status: 404,
    description: "`asOf` names a snapshot that is not retained; the message names the nearest ones",
    message:
      'No retained snapshot is that of "2026-01-05". The nearest: 3f2a9c0b7d1e4a58 (served from 2026-11-01T07:00:00.000Z until 2026-11-21T07:00:00.000Z). /v1/snapshots lists all of them.',
  },
  UpstreamTimedOut: {
    status: 504,
    description: "The upstream schedule system timed out",
    message: "The upstream system did not respond in time. Please try again later.",
  },
  /** The error before routing, which is the `default` of every operation. */
  EarlyError: {
    status: 405,
    description: `Rejected before routing. 404: unknown path; 405: a method other than ${ALLOWED_METHODS}; 408: the request did not arrive in time; 417: an Expect header other than 100-continue; 431: the headers are too large`,
    message: `This resource allows ${ALLOWED_METHODS} only.`,
    headers: ["Allow"],
  },
} as const satisfies Record<string, ErrorResponse>;
export type SharedError = keyof typeof SHARED;

export const toSharedErrors = (mode: DocumentedMode): Record<string, Schema> =>
  Object.fromEntries(Object.entries(SHARED).map(([name, error]) => [name, toErrorResponse(error, mode)]));

export const referToErrors = (...names: readonly SharedError[]): Record<number, Schema> =>
  Object.fromEntries(names.map((name) => [SHARED[name].status, { $ref: `#/components/responses/${name}` }]));

export const GENERAL_ERRORS: Readonly<Record<string, Schema>> = {
  ...referToErrors("AddressTooLong", "TooManyRequests", "Unexpected"),
  default: { $ref: "#/components/responses/EarlyError" },
};
