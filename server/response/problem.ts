/** Error responses: one shape, without SQL, stacks, paths or texts of dependencies (server/RULES.md, HTTP). */
import { STATUS_CODES } from "node:http";
import { UpstreamError, UpstreamTimeout } from "../../pipeline/errors.ts";
import { commonHeaders, JSON_TYPE } from "./headers.ts";
import { HistoryBusy, NeedsMigration } from "../snapshot/earlier-generations.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Store } from "../snapshot/store.ts";
import { StatementTimeout, StatementTooLarge, TooManyStatements } from "../duckdb/query.ts";

/** The limit of a JSON-encoded message in bytes; leaves room for the other fields in a body of at most 4 KB. */
const MAX_MESSAGE_BYTES = 3800;

const LONE_SURROGATE = /[\ud800-\udbff]$/;

/** An error response; its message is written for clients. */
export class Problem extends Error {
  override name = "Problem";
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const malformed = (status = 400): Problem => new Problem(status, "The request is malformed.");

/** Returns a 503 that suggests to retry after so many seconds. */
export const unavailable = (retryAfter: number, message: string, options?: ErrorOptions): Problem =>
  new Problem(503, message, { "Retry-After": String(retryAfter) }, options);

/** Returns a 503 for a server without a snapshot; `why` states a reason that waiting does not fix. */
export const nothingServed = (why: string | undefined): Problem =>
  unavailable(
    30,
    why === undefined ? "No data has been published yet. Please try again in a few minutes." : sentence(why),
  );

/** Returns the current snapshot. @throws Problem (503) */
export function servedSnapshot(store: Pick<Store, "current" | "mismatch">): Snapshot {
  const snapshot = store.current();
  if (snapshot) return snapshot;
  throw nothingServed(store.mismatch());
}

/** Returns a 503 for a request that needs published files which were deleted. */
export const filesMissing = (cause?: unknown): Problem =>
  unavailable(30, "Published files that this response needs are missing. Please try again in a few minutes.", {
    cause,
  });

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HistoryBusy) return unavailable(5, error.message);
  if (error instanceof NeedsMigration)
    return new Problem(
      404,
      `${sentence(error.message)} Its files can be downloaded (/v1/snapshots/<id> lists them), and /v1/snapshots says which others are like it.`,
    );
  if (error instanceof UpstreamTimeout)
    return new Problem(504, "The upstream system did not respond in time. Please try again later.");
  if (error instanceof UpstreamError)
    return new Problem(502, "The upstream system sent an invalid response. Please try again later.");
  if (error instanceof StatementTimeout)
    return new Problem(503, "This query takes too long. Please narrow it with further parameters.");
  if (error instanceof StatementTooLarge)
    return unavailable(30, "This query needs too much memory. Please narrow it with further parameters.");
  if (error instanceof TooManyStatements)
    return unavailable(5, "Too many large queries are running. Please try again in a few seconds.");
  return new Problem(500, "Something unexpected happened. Please try again.");
}

/** Describes the cause of a failure; for the log only. */
export const toCause = (error: unknown): string =>
  error instanceof Error
    ? `${error.name}: ${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ""}`.slice(0, 500)
    : String(error);

export type ToErrorBody = (fields: ReturnType<typeof toFields>) => object;

export function problemParts(
  problem: Problem,
  requestId: string,
  toErrorBody: ToErrorBody,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(toErrorBody(toFields(problem, requestId)));
  const headers = {
    ...commonHeaders(requestId),
    ...problem.headers,
    "Content-Type": JSON_TYPE,
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
  };
  return { headers, body };
}

function toFields({ status, message: whole }: Problem, requestId: string) {
  let message = whole;
  while (Buffer.byteLength(JSON.stringify(message)) > MAX_MESSAGE_BYTES)
    message = `${message.slice(0, Math.floor(message.length * 0.9)).replace(LONE_SURROGATE, "")}…`;
  return {
    statusCode: status,
    error: STATUS_CODES[status] ?? "Error",
    message,
    requestId,
    timestamp: new Date().toISOString(),
  };
}

/** Quotes client input for a message: at most 100 characters, control characters replaced. */
export function shown(value: string): string {
  // eslint-disable-next-line no-control-regex
  const cut = value.replace(/[\u0000-\u001f\u007f]/g, "\ufffd");
  // Avoid a cut within a surrogate pair.
  return `"${cut.length > 100 ? `${cut.slice(0, 100).replace(/[\ud800-\udbff]$/, "")}…` : cut}"`;
}
