/** DuckDB's errors as a single line. */
import { UsageError } from "../../errors.ts";

/** The error in DuckDB's format with `errors_as_json`. */
interface Told {
  readonly exception_type?: string;
  readonly exception_message?: string;
  /** The offset in bytes from the beginning of the text that ran. */
  readonly position?: string | undefined;
}

/**
 * Converts DuckDB's errors to errors about the user's statement: `Binder Error: … (line 1, column 8)`.
 * @param text the text that runs; without its first `headLines` lines it is the user's
 * @throws UsageError
 */
export async function asUsage<T>(action: () => Promise<T>, text: string, headLines = 0): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw toUsage({ exception_message: message, ...readTold(message) }, text, headLines, error);
  }
}

/** DuckDB's error for a text that it cannot parse. @param advice the text after it */
export const parserError = (message: string, position: string | undefined, text: string, advice = ""): UsageError =>
  new UsageError(
    `${toUsage({ exception_type: "Parser", exception_message: message, position }, text).message}${advice}`,
  );

function toUsage(
  { exception_type: type, exception_message: about = "", position }: Told,
  text: string,
  headLines = 0,
  cause?: unknown,
): UsageError {
  const line = `${type === undefined ? "" : `${type} Error: `}${withoutAdvice(about)}`.replaceAll(/\s+/g, " ").trim();
  const place = position === undefined ? "" : placeOf(Number(position), text, headLines);
  return new UsageError(line + place, { cause });
}

/** Advice that does not apply here: other statements, settings and extensions. */
const STATEMENT = /\b(?:SET|RESET|PRAGMA|INSTALL|LOAD|ATTACH|CALL|CREATE|ALTER|COPY|USE)\b/;
const EXTENSION = /\binstall|\bextensions?\b|^possible solutions|^\W*see also/i;

/** The sentences of an error without inapplicable advice; the first sentence names the error. */
function withoutAdvice(message: string): string {
  const [first = "", ...others] = message.trim().split(/\n+|(?<=[.!:])\s+(?=[A-Z"*])/);
  return [first, ...others.filter((sentence) => !STATEMENT.test(sentence) && !EXTENSION.test(sentence))].join(" ");
}

function readTold(message: string): Told {
  try {
    // The name of the failed call may precede the JSON.
    return JSON.parse(message.slice(message.indexOf("{"))) as Told;
  } catch {
    return {};
  }
}

function placeOf(position: number, text: string, headLines: number): string {
  const bytes = Buffer.from(text);
  // "At end of input" already says it.
  if (position >= bytes.length) return "";
  const lines = bytes.subarray(0, position).toString().split("\n");
  const line = lines.length - headLines;
  return line < 1 ? "" : ` (line ${line}, column ${[...(lines.at(-1) ?? "")].length + 1})`;
}
