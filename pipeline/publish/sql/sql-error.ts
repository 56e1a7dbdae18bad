/** DuckDB's errors as one line. */
import { UsageError } from "../../errors.ts";

/** What DuckDB says with `errors_as_json`. */
interface Told {
  readonly exception_type?: string;
  readonly exception_message?: string;
  /** In bytes from the beginning of the text that ran. */
  readonly position?: string | undefined;
}

/**
 * DuckDB's errors are about the user's statement: `Binder Error: … (line 1, column 8)`.
 * @param text what runs, without its first `headLines` lines the user's own
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

/** What DuckDB says of a text that it cannot parse. @param advice what follows it */
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

/** Advice that nobody can take here: other statements, settings and extensions. */
const STATEMENT = /\b(?:SET|RESET|PRAGMA|INSTALL|LOAD|ATTACH|CALL|CREATE|ALTER|COPY|USE)\b/;
const EXTENSION = /\binstall|\bextensions?\b|^possible solutions|^\W*see also/i;

/** The sentences of an error without those that advise what is impossible; the first one says what is wrong. */
function withoutAdvice(message: string): string {
  const [first = "", ...others] = message.trim().split(/\n+|(?<=[.!:])\s+(?=[A-Z"*])/);
  return [first, ...others.filter((sentence) => !STATEMENT.test(sentence) && !EXTENSION.test(sentence))].join(" ");
}

function readTold(message: string): Told {
  try {
    // Before it may stand which call failed.
    return JSON.parse(message.slice(message.indexOf("{"))) as Told;
  } catch {
    return {};
  }
}

function placeOf(position: number, text: string, headLines: number): string {
  const bytes = Buffer.from(text);
  // "At end of input" says it.
  if (position >= bytes.length) return "";
  const lines = bytes.subarray(0, position).toString().split("\n");
  const line = lines.length - headLines;
  return line < 1 ? "" : ` (line ${line}, column ${[...(lines.at(-1) ?? "")].length + 1})`;
}
