/** Instructors of a grade sheet → shortened names as in the schedule. */

/** The schedule truncates surnames (`FEATHERSTONEHA, Q.`); a longer one would not match its sections. */
const SURNAME_LENGTH = 14;

/** The office's placeholders for no name. */
const NOBODY: ReadonlySet<string> = new Set(["", "UNKNOWN INSTRUCTOR", "UNKNOWN", "REDACTED", "STAFF", "TBA"]);

/**
 * `Marwood A.` and `MARWOOD, A.` → `MARWOOD, A.`; names are separated by semicolons. A name without an initial (`Smith.`) stays without one.
 * Placeholders give an empty list.
 */
export function toSheetInstructors(text: string): string[] {
  const names = text
    .split(";")
    .map(toShortenedName)
    .filter((name) => name !== undefined);
  return [...new Set(names)];
}

function toShortenedName(text: string): string | undefined {
  const name = text.replace(/\s+/g, " ").trim().toUpperCase();
  if (NOBODY.has(name.replace(/[[\]().,*]/g, "").trim())) return undefined;
  // The schedule shows the first initial only (`J.R.` → `J.`).
  const [, last = "", initial = ""] = /^(.+?)[\s,]+(\p{L})(?:\.\s*\p{L})*\.?$/u.exec(name) ?? [];
  if (last === "") return cut(name.replace(/[\s.,]+$/, ""));
  return `${cut(last.replace(/[\s,]+$/, ""))}, ${initial}.`;
}

const cut = (surname: string): string => surname.slice(0, SURNAME_LENGTH).trimEnd();
