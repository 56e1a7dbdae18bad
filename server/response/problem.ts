/** Errors as clients see them: one shape, and never SQL, a stack, a path or a dependency's text (behaviour §1). */
import { STATUS_CODES } from "node:http";
import { UpstreamError, UpstreamTimeout } from "../../pipeline/errors.ts";
import { toLogTime } from "./compat/envelope.ts";
import { StatementTimeout } from "../duckdb/query-runner.ts";

/** In bytes as JSON writes them, where one of a client's characters may become six; leaves room for the other fields in a body of at most 4 KB. */
const MAX_MESSAGE_BYTES = 3800;

/** What is left of a character outside the basic plane when a text is cut in its middle. */
const HALF_A_PAIR = /[\ud800-\udbff]$/;

/** An answer that is not 200; its message is written for clients. */
export class Problem extends Error {
  override name = "Problem";
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** There is nothing to answer from; `why` where waiting would not help. */
export const nothingServed = (why: string | undefined): Problem =>
  new Problem(
    503,
    why === undefined ? "No data has been published yet. Please try again in a few minutes." : sentence(why),
    {
      "Retry-After": "30",
    },
  );

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** What any thrown value becomes for the client. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UpstreamTimeout)
    return new Problem(504, "The upstream system did not answer in time. Please try again later.");
  if (error instanceof UpstreamError)
    return new Problem(502, "The upstream system did not answer properly. Please try again later.");
  if (error instanceof StatementTimeout)
    return new Problem(503, "This question takes too long. Please narrow it with further parameters.");
  return new Problem(500, "Something unexpected happened. Please try again.");
}

/** Why something failed, for the log and never for a client. */
export const toCause = (error: unknown): string =>
  error instanceof Error
    ? `${error.name}: ${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ""}`.slice(0, 500)
    : String(error);

/** The error body; `compat` adds the field that existing clients test, and times are the envelope's. */
export function problemBody(problem: Problem, requestId: string, compat: boolean): string {
  let message = problem.message;
  while (Buffer.byteLength(JSON.stringify(message)) > MAX_MESSAGE_BYTES)
    message = `${message.slice(0, Math.floor(message.length * 0.9)).replace(HALF_A_PAIR, "")}…`;
  return JSON.stringify({
    statusCode: problem.status,
    error: STATUS_CODES[problem.status] ?? "Error",
    message,
    requestId,
    timestamp: compat ? toLogTime(new Date()) : new Date().toISOString(),
    ...(compat ? { success: false } : {}),
  });
}
