/** Which sections of a course are chosen: what a lecture brings along, what a swap changes, and what is missing. */
import { explain } from "../data/glossary.ts";
import { type Grouped, groupsOf, isSecondary } from "../data/lecture-groups.ts";
import { isNewStudent } from "../data/new-student.ts";
import { sectionName } from "../data/sections.ts";
import { fits, type Planned } from "./clashes.ts";

export type Choosable = Planned & Grouped & { readonly status: string };

/** The sections chosen for other courses. */
export interface Beside<S> {
  readonly others: readonly S[];
  /** The year of the term. */
  readonly year: string;
}

const typesOf = (sections: readonly Grouped[]): string[] => [
  ...new Set(sections.map(({ sectionType }) => sectionType)),
];

/** Seats first: an open section before a waitlist, and that before a full one. */
const RANKS: Readonly<Record<string, number>> = { OPEN: 0, Waitl: 2, FULL: 4 };
function bySeats<S extends Choosable>(sections: readonly S[]): S[] {
  // Seats for new students are open to them, and to nobody else.
  const newOnly = isNewStudent() ? 1 : 3;
  const rankOf = ({ status }: S) => (status === "NewOnly" ? newOnly : (RANKS[status] ?? 0));
  return sections.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Picks, for each type of section that the lecture needs and lacks, the first that fits. */
export function companionsOf<S extends Choosable>(
  lecture: S,
  lines: readonly S[],
  chosen: readonly S[],
  { others, year }: Beside<S>,
): S[] {
  const candidates =
    groupsOf(lines).groups.find((group) => group.lecture.sectionCode === lecture.sectionCode)?.others ?? [];
  const held = [...chosen, lecture];
  for (const type of typesOf(candidates)) {
    const ofType = candidates.filter(({ sectionType }) => sectionType === type);
    if (ofType.some((section) => held.includes(section))) continue;
    const first = bySeats(ofType).find((section) => fits(section, [...others, ...held], year));
    if (first) held.push(first);
  }
  return held.slice(chosen.length + 1);
}

/** The first lecture that fits, with what it brings; without lectures the first section; nothing where nothing fits. */
export function firstFitting<S extends Choosable>(lines: readonly S[], beside: Beside<S>): S[] {
  const lectures = lines.filter((line) => !isSecondary(line));
  const first = bySeats(lectures.length > 0 ? lectures : lines).find((line) => fits(line, beside.others, beside.year));
  return first === undefined ? [] : [first, ...companionsOf(first, lines, [], beside)];
}

/**
 * Returns the sections of a course after one has replaced another of its type. A section brings the lecture that it
 * belongs to.
 */
export function swapped<S extends Choosable>(to: S, lines: readonly S[], chosen: readonly S[], beside: Beside<S>): S[] {
  const { groups } = groupsOf(lines);
  const homeOf = (section: S) => groups.find(({ others }) => others.includes(section))?.lecture;
  const home = isSecondary(to) ? homeOf(to) : to;
  const lecture = home ?? chosen.find((section) => !isSecondary(section));
  const stays = chosen.filter(
    (section) =>
      isSecondary(section) &&
      (homeOf(section) === undefined || homeOf(section) === lecture) &&
      !(isSecondary(to) && section.sectionType === to.sectionType),
  );
  const next = isSecondary(to) ? [...stays, to] : stays;
  return lecture === undefined ? next : [lecture, ...next, ...companionsOf(lecture, lines, next, beside)];
}

const wordOf = (type: string): string => explain(type)?.name ?? type;
const withArticle = (word: string): string => `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;

export interface Incomplete {
  /** `a discussion of Lec A`, `a lecture for Dis A1`. */
  readonly missing: readonly string[];
  /** `Dis B1 belongs to Lec B, not to Lec A`. */
  readonly mismatched: readonly string[];
}

/** Lists what the chosen sections of a course lack, as far as the schedule says what belongs together. */
export function incompleteOf<S extends Choosable>(lines: readonly S[], chosen: readonly S[]): Incomplete {
  const { groups } = groupsOf(lines);
  const lectures = groups.filter(({ lecture }) => chosen.includes(lecture));
  const firstType = (groups[0]?.lecture ?? lines[0])?.sectionType;
  if (firstType === undefined) return { missing: [], mismatched: [] };
  if (chosen.length === 0) return { missing: [withArticle(wordOf(firstType))], mismatched: [] };
  const secondaries = chosen.filter(isSecondary);
  if (lectures.length === 0 && groups.length > 0)
    return {
      missing: secondaries
        .slice(0, 1)
        .map((section) => `${withArticle(wordOf(firstType))} for ${sectionName(section)}`),
      mismatched: [],
    };
  const strangers = secondaries.flatMap((section) => {
    const home = groups.find(({ others }) => others.includes(section))?.lecture;
    return home === undefined || chosen.includes(home) ? [] : [{ section, home }];
  });
  return {
    missing: lectures.flatMap(({ lecture, others }) =>
      typesOf(others)
        .filter((type) => !others.some((section) => section.sectionType === type && chosen.includes(section)))
        // A section that belongs to another lecture is not reported as missing too.
        .filter((type) => !strangers.some(({ section }) => section.sectionType === type))
        .map((type) => `${withArticle(wordOf(type))} of ${sectionName(lecture)}`),
    ),
    mismatched: strangers.map(
      ({ section, home }) =>
        `${sectionName(section)} belongs to ${sectionName(home)}, not to ${lectures.map(({ lecture }) => sectionName(lecture)).join(" or ")}`,
    ),
  };
}
