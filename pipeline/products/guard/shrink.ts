/** Compares numbers of rows, and lists of departments, with what is published. */
import type { Tally } from "../../contract/documents/tally.ts";
import type { PublishedPart } from "./references.ts";
import type { Reason } from "./refusals.ts";

/** A term or table that shrinks by more than this is refused. */
const MOST_SHRINK = 0.05;

/** True when `now` is less than 95 % of `previous`. */
export const shrinks = (previous: number, now: number): boolean => now < previous * (1 - MOST_SHRINK);

export const shrinkText = (what: string, previous: number, now: number): string =>
  `${what} would shrink from ${previous} to ${now}`;

/** A department with this many sections does not end from one hour to the next. */
const NOTICEABLE_SECTIONS = 3;

/** Notes a small department that is gone; a larger one is a reason to refuse. */
export function lostDepartments(
  part: PublishedPart,
  what: string,
  previous: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
  tally: Tally,
): Reason[] {
  const absent = [...previous].filter(([code]) => !now.has(code));
  for (const [code, count] of absent.filter(([, count]) => count < NOTICEABLE_SECTIONS))
    tally.note("a department no longer has sections", `${what}: ${code}, which had ${count}`);
  const gone = absent.filter(([, count]) => count >= NOTICEABLE_SECTIONS).map(([code]) => code);
  return gone.length === 0
    ? []
    : [{ part, column: "departments", text: `${what} would lose the department ${gone.join(", ")}` }];
}
