/** Says if a plan works, what is not known about it, and what stands in its way. */
import { accessNotes } from "../data/glossary.ts";
import { isSecondary } from "../data/lecture-groups.ts";
import { isOpen } from "../data/is-open.ts";
import { courseOf, type SectionLine } from "../data/sections.ts";
import { plural } from "../format.ts";
import type { Planned } from "./clashes.ts";

type Held = Planned & { readonly units: string };

/** False also where one of several meetings has no time, or no days. */
export const isTimed = ({ meetings }: Planned): boolean =>
  meetings.length > 0 &&
  meetings.every(({ timeIsTBA, days, startTime, endTime }) => !timeIsTBA && startTime && endTime && days);

/**
 * Returns the sections whose finals are to be announced: those with units; another one only if its course has no other
 * section with a final.
 */
export function unsetFinals<S extends Held>(held: readonly S[]): S[] {
  const isSet = (section: S) => section.finalExam.examStatus === "SCHEDULED_FINAL";
  const unset = held.filter(({ finalExam }) => finalExam.examStatus === "TBA_FINAL");
  const lectures = unset.filter((section) => !isSecondary(section));
  const counted: S[] = [...lectures];
  for (const section of unset.filter(isSecondary)) {
    const course = courseOf(section);
    const others = held.filter((other) => courseOf(other) === course);
    if (!others.some((other) => isSet(other) || counted.includes(other))) counted.push(section);
  }
  return held.filter((section) => counted.includes(section));
}

/**
 * `no clashes, finals included`, or as far as is known: `no clashes so far: 1 final not scheduled, 1 class without a
 * time`. Undefined where no section takes place.
 */
export function verdictOf(held: readonly Held[], clashes: number, vanished: number): string | undefined {
  if (held.length === 0) return undefined;
  const unknown = unknownInWords(
    unsetFinals(held).length,
    held.filter((section) => !isTimed(section)).length,
    vanished,
  );
  const clashText = clashes === 0 ? "no clashes" : plural(clashes, "clash", "clashes");
  if (unknown !== "") return `${clashText} so far: ${unknown}`;
  return clashes === 0 ? `${clashText}, finals included` : clashText;
}

function unknownInWords(finals: number, untimed: number, vanished: number): string {
  const parts = [
    [finals, "final not scheduled", "finals not scheduled"],
    [untimed, "class without a time", "classes without a time"],
    [vanished, "section no longer in the schedule", "sections no longer in the schedule"],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, singular, several]) => plural(number, singular, several))
    .join(", ");
}

/** `full`, `new students only`, `code required`: why a chosen section cannot simply be enrolled in. */
export function obstaclesOf(section: SectionLine, isNew: boolean): string[] {
  const { status, restrictions } = section;
  const seats =
    status === "FULL"
      ? "full"
      : status === "Waitl"
        ? "waitlist only"
        : isOpen(section, isNew)
          ? undefined
          : "new students only";
  return [...(seats === undefined ? [] : [seats]), ...accessNotes(restrictions)];
}
