/** Compares new data with what is published. */
import { GuardError } from "../../errors.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import type { RunContext } from "../context.ts";

/** A term or table that shrinks by more than this is refused. */
const MOST_SHRINK = 0.05;

/** Whether `now` is less than 95 % of `before`. */
export const shrinks = (before: number, now: number): boolean => now < before * (1 - MOST_SHRINK);

export const shrinkText = (what: string, before: number, now: number): string =>
  `${what} would shrink from ${before} to ${now}`;

/** @throws GuardError when `now` is less than 95 % of `before`, unless shrinking is allowed */
export function guardShrink(what: string, before: number, now: number, { config }: Pick<RunContext, "config">): void {
  if (config.allowShrink || !shrinks(before, now)) return;
  throw new GuardError(`${shrinkText(what, before, now)}: refused, what is published stays (ALLOW_SHRINK=1 overrides)`);
}

/** For damaged data, of which nothing can be kept. @throws GuardError when `now` is less than `before`, unless shrinking is allowed */
export function guardWhole(what: string, before: number, now: number, { config }: Pick<RunContext, "config">): void {
  if (config.allowShrink || now >= before) return;
  throw new GuardError(
    `${what} was damaged and would come back with ${now} of ${before}: refused (ALLOW_SHRINK=1 overrides)`,
  );
}

/** A department with this many sections does not end from one hour to the next. */
const NOTICEABLE_SECTIONS = 3;

/** Notes a small department that is gone. @throws GuardError when a larger one is gone, unless shrinking is allowed */
export function guardDepartments(
  what: string,
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
  { config }: Pick<RunContext, "config">,
  tally: Tally,
): void {
  const absent = [...before].filter(([code]) => !now.has(code));
  const gone = absent.filter(([, count]) => count >= NOTICEABLE_SECTIONS).map(([code]) => code);
  if (gone.length > 0 && !config.allowShrink)
    throw new GuardError(
      `${what} would lose the department ${gone.join(", ")}: refused, what is published stays (ALLOW_SHRINK=1 overrides)`,
    );
  for (const [code, count] of absent)
    tally.note("a department has nothing any more", `${what}: ${code}, which had ${count}`);
}
