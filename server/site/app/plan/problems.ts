/** Describes the problems of a plan in words. */
import { courseOf, sectionName, type SectionLine } from "../data/sections.ts";
import { plural } from "../format.ts";
import { type Block, clashesOf, DAYS, finalBlocks, finalClashesOf, walksOf, weekBlocks } from "./clashes.ts";

const DAY_NAMES = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
export const weekdayName = (day: number): string => DAY_NAMES[day] ?? "";

/** Formats a number of days since 1970: `Mon, Dec 7`. */
export const dateName = (day: number): string =>
  new Date(day * 86_400_000).toLocaleDateString("en-US", {
    weekday: "short",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });

export const fullName = (section: SectionLine): string => `${courseOf(section)} ${sectionName(section)}`;

/** Between two sections of the plan. */
export interface Problem {
  readonly sections: readonly [SectionLine, SectionLine];
  /** As in the blocks. */
  readonly days: readonly number[];
  /** Describes the problem from the side of one section: `overlaps MATH 2B Dis 4 by 20 minutes`. */
  readonly words: (other: SectionLine) => string;
}

/** Returns the description of a problem from the side of a section; empty if the section is not part of it. */
export function wordsFor({ sectionCode }: SectionLine, { sections: [a, b], words }: Problem): string[] {
  if (a.sectionCode === sectionCode) return [words(b)];
  return b.sectionCode === sectionCode ? [words(a)] : [];
}

export interface PlanProblems {
  readonly week: readonly Block<SectionLine>[];
  readonly finals: readonly Block<SectionLine>[];
  readonly clashes: readonly Problem[];
  readonly finalClashes: readonly Problem[];
  readonly walks: readonly Problem[];
}

/** Cancelled sections take no time. `year` is that of the term. */
export function problemsOf(sections: readonly SectionLine[], year: string): PlanProblems {
  const held = sections.filter(({ isCancelled }) => !isCancelled);
  const [week, finals] = [weekBlocks(held), finalBlocks(held, year)];
  return {
    week,
    finals,
    clashes: clashesOf(week).map(({ sections: both, days, minutes }) => ({
      sections: both,
      days,
      words: (other) =>
        `overlaps ${fullName(other)} by ${plural(minutes, "minute")} (${days.map((day) => DAYS[day]).join(", ")})`,
    })),
    finalClashes: finalClashesOf(finals).map(({ sections: both, days, minutes }) => ({
      sections: both,
      days,
      words: (other) =>
        `final overlaps that of ${fullName(other)} by ${plural(minutes, "minute")} (${days.map(dateName).join(", ")})`,
    })),
    walks: walksOf(week).map(({ from, to, minutes, days }) => ({
      sections: [from.section, to.section],
      days,
      words: () =>
        `${minutes === 0 ? "no time" : `only ${plural(minutes, "minute")}`} to walk from ${from.places.join(", ")} to ${to.places.join(", ")} for ${fullName(to.section)} (${days.map((day) => DAYS[day]).join(", ")})`,
    })),
  };
}
