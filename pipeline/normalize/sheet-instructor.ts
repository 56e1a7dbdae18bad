/** The instructor of a grade sheet, as the schedule would write the name. */

/** The schedule cuts surnames here (`FEATHERSTONEHA, Q.`); a longer spelling of ours would be another person to every search. */
const SURNAME_LENGTH = 14;

/** What the office writes where it names nobody. */
const NOBODY: ReadonlySet<string> = new Set(["", "UNKNOWN INSTRUCTOR", "UNKNOWN", "REDACTED", "STAFF", "TBA"]);

/**
 * `Marwood A.` and `MARWOOD, A.` → `MARWOOD, A.`; several names stand between semicolons. A name that the office cut before its initial (`Smith.`) stays
 * without one. Nobody, however it is written, is an empty list.
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
  // The last single letter is the initial; further initials (`J.R.`) are not shown by the schedule.
  const [, last = "", initial = ""] = /^(.+?)[\s,]+(\p{L})(?:\.\s*\p{L})*\.?$/u.exec(name) ?? [];
  if (last === "") return cut(name.replace(/[\s.,]+$/, ""));
  return `${cut(last.replace(/[\s,]+$/, ""))}, ${initial}.`;
}

const cut = (surname: string): string => surname.slice(0, SURNAME_LENGTH).trimEnd();
