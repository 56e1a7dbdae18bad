/** Builds the results of tools, which are never longer than an assistant can read at once. */
import { REQUEST_LIMITS } from "../response/request-limits.ts";

export interface Result {
  readonly snapshot: string;
  readonly updated?: string;
  readonly total?: number;
  /** The names of the values if `data` has rows as lists. */
  readonly columns?: readonly string[];
  readonly data?: unknown;
  readonly warnings: readonly string[];
  readonly narrow?: string;
}

/** 10,000 tokens of four bytes. The limit applies to the text; the structured content repeats it. */
export const MAX_ANSWER_BYTES = REQUEST_LIMITS.answer.most;
/** The longest text of an error, in characters. */
const MAX_ERROR_LENGTH = 2000;

/** Converts a result to the form of `tools/call`. */
export const toAnswer = (result: Result) => ({
  content: [{ type: "text" as const, text: JSON.stringify(result) }],
  structuredContent: { ...result },
});

export const answerBytes = (result: Result): number => Buffer.byteLength(JSON.stringify(result));

export const fits = (result: Result): boolean => answerBytes(result) <= MAX_ANSWER_BYTES;

/** Converts an error. The message is cut, because it may repeat client input. */
export const toError = (message: string) => ({
  content: [
    {
      type: "text" as const,
      text: message.length > MAX_ERROR_LENGTH ? `${message.slice(0, MAX_ERROR_LENGTH)}…` : message,
    },
  ],
  isError: true,
});
