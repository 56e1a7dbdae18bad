/** Which of the sections found are shown, and in which order. */
import { LEAST_STUDENTS } from "../charts/grade-sums.ts";
import { courseOf, type SectionLine } from "../data/sections.ts";
import { seatsLeft } from "../data/seats.ts";
import { type Averages, teachersAverage } from "../data/teacher-averages.ts";
import { fits, weekBlocks } from "../plan/clashes.ts";

/** Minutes since midnight, of the earliest meeting. */
function startOf(section: SectionLine): number | undefined {
  const starts = weekBlocks([section]).map(({ start }) => start);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/** The most of `1-4`. */
const unitsOf = ({ units }: SectionLine): number => Number(units.split("-").at(-1)) || 0;

/** `sort` in the address → its name, and what it sorts by: the greatest first. */
export const ORDERS: Readonly<
  Record<
    string,
    readonly [name: string, key: (section: SectionLine, averages: Averages, isNew: boolean) => number | undefined]
  >
> = {
  average: [
    `highest average (${LEAST_STUDENTS}+ grades)`,
    (section, averages) => {
      const average = teachersAverage(averages, courseOf(section), section.instructors);
      return average && average.students >= LEAST_STUDENTS ? average.mean : undefined;
    },
  ],
  seats: ["most seats left", (section, _averages, isNew) => seatsLeft(section, isNew)],
  start: ["earliest start", (section) => negative(startOf(section))],
  units: ["most units", unitsOf],
};
const negative = (value: number | undefined) => (value === undefined ? undefined : -value);

/** Cancelled sections come last, then those without a key; ties, and an unknown order, are by course. */
export function ordered(
  sections: readonly SectionLine[],
  order: string | undefined,
  averages: Averages,
  isNew: boolean,
) {
  const key = ORDERS[order ?? ""]?.[1] ?? (() => 0);
  return sections
    .map((section) => ({ section, key: key(section, averages, isNew) ?? -Infinity }))
    .toSorted(
      (a, b) => Number(a.section.isCancelled) - Number(b.section.isCancelled) || (a.key === b.key ? 0 : b.key - a.key),
    )
    .map(({ section }) => section);
}

/** Returns the sections that clash with nothing on the plan, finals included, and those on the plan. */
export function fitting(sections: readonly SectionLine[], plan: readonly SectionLine[], year: string): SectionLine[] {
  const held = plan.filter(({ isCancelled }) => !isCancelled);
  return sections.filter(
    (section) => held.some(({ sectionCode }) => sectionCode === section.sectionCode) || fits(section, held, year),
  );
}
