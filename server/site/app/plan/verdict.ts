/** The answer to whether a plan works, with what it does not know. */
import { isSecondary } from "../data/lecture-groups.ts";
import { courseOf } from "../data/sections.ts";
import { plural } from "../format.ts";
import type { Planned } from "./clashes.ts";

type Held = Planned & { readonly units: string };

/** What is not known, in numbers. */
export interface Unknown {
  readonly finals: number;
  readonly untimed: number;
  readonly missing: number;
  readonly vanished: number;
}

/** False also where one of several meetings has no time, or no days. */
export const isTimed = ({ meetings }: Planned): boolean =>
  meetings.length > 0 &&
  meetings.every(({ timeIsTBA, days, startTime, endTime }) => !timeIsTBA && startTime && endTime && days);

/** Finals to be announced: of sections with units; of others where their course has no final that is set. */
export function unsetFinals(held: readonly Held[]): number {
  const isSet = (one: Held) => one.finalExam.examStatus === "SCHEDULED_FINAL";
  const unset = held.filter(({ finalExam }) => finalExam.examStatus === "TBA_FINAL");
  const lectures = unset.filter((one) => !isSecondary(one));
  const others = unset
    .filter(isSecondary)
    .map(courseOf)
    .filter((course) => !held.some((one) => courseOf(one) === course && (isSet(one) || lectures.includes(one))));
  return lectures.length + new Set(others).size;
}

/**
 * `no clashes, finals included`, or as far as is known: `no clashes so far; 1 final is not set, 1 class has no time`. Undefined where no
 * section takes place.
 */
export function verdictOf(
  held: readonly Held[],
  clashes: number,
  { missing, vanished }: Pick<Unknown, "missing" | "vanished">,
) {
  if (held.length === 0) return undefined;
  const known: Unknown = {
    finals: unsetFinals(held),
    untimed: held.filter((one) => !isTimed(one)).length,
    missing,
    vanished,
  };
  const unknown = unknownInWords(known);
  const found = clashes === 0 ? "no clashes" : plural(clashes, "clash", "clashes");
  if (unknown !== "") return `${found} so far; ${unknown}`;
  return clashes === 0 ? `${found}, finals included` : found;
}

function unknownInWords({ finals, untimed, missing, vanished }: Unknown): string {
  const parts = [
    [finals, "final is not set", "finals are not set"],
    [untimed, "class has no time", "classes have no time"],
    [missing, "section is not chosen", "sections are not chosen"],
    [vanished, "section is not in the schedule", "sections are not in the schedule"],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => plural(number, one, many))
    .join(", ");
}
