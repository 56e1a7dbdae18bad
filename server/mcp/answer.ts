/** What a tool answers. No answer is longer than what an assistant reads at once. */
import { REQUEST_LIMITS } from "../response/request-limits.ts";

export interface Result {
  readonly snapshot: string;
  readonly updated?: string;
  readonly total?: number;
  /** Where `data` has rows as lists: the names of their values. */
  readonly columns?: readonly string[];
  readonly data?: unknown;
  readonly warnings: readonly string[];
  readonly narrow?: string;
}

/** 10,000 tokens of four bytes: of its text, which the structured content repeats. */
export const MAX_ANSWER_BYTES = REQUEST_LIMITS.answer.most;
/** Of an error's text. */
const MAX_ERROR_LENGTH = 2000;

/** A result as `tools/call` has it. */
export const toAnswer = (result: Result) => ({
  content: [{ type: "text" as const, text: JSON.stringify(result) }],
  structuredContent: { ...result },
});

export const answerBytes = (result: Result): number => Buffer.byteLength(JSON.stringify(result));

export const fits = (result: Result): boolean => answerBytes(result) <= MAX_ANSWER_BYTES;

/** An error may repeat what was sent. */
export const toError = (message: string) => ({
  content: [
    {
      type: "text" as const,
      text: message.length > MAX_ERROR_LENGTH ? `${message.slice(0, MAX_ERROR_LENGTH)}…` : message,
    },
  ],
  isError: true,
});

/** The result with as many of its first elements as fit; undefined when not even one does. */
export function firstThatFit<T>(elements: readonly T[], toResult: (shown: readonly T[]) => Result): Result | undefined {
  let [least, most] = [0, elements.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(toResult(elements.slice(0, middle)))) least = middle;
    else most = middle - 1;
  }
  return least === 0 ? undefined : toResult(elements.slice(0, least));
}
