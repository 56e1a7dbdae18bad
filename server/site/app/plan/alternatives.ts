/** The sections of a course that could be chosen instead, with what speaks for and against each. */
import { groupsOf } from "../data/lecture-groups.ts";
import type { SectionLine } from "../data/sections.ts";
import { type Beside, swapped } from "./course-choice.ts";
import { problemsOf, wordsFor } from "./problems.ts";

export interface Alternative {
  readonly section: SectionLine;
  readonly isChosen: boolean;
  /** Belongs to the lecture above it. */
  readonly isBelow: boolean;
  /** With which sections of the plan it would clash, in words. */
  readonly clashes: readonly string[];
}

/** Each lecture with what belongs to it, then what belongs nowhere. */
export function alternativesOf(
  lines: readonly SectionLine[],
  chosen: readonly SectionLine[],
  beside: Beside<SectionLine>,
): Alternative[] {
  const { groups, loose } = groupsOf(lines);
  const toAlternative = (section: SectionLine, isBelow: boolean): Alternative => {
    const isChosen = chosen.includes(section);
    const after = isChosen ? chosen : swapped(section, lines, chosen, beside);
    // Companions are chosen to fit, so that a clash is the section's own.
    const { clashes, finalClashes } = problemsOf([...beside.others, ...after], beside.year);
    const words = [...clashes, ...finalClashes].flatMap((problem) => wordsFor(section, problem));
    return { section, isChosen, isBelow, clashes: words };
  };
  return [
    ...groups.flatMap(({ lecture, others }) => [
      toAlternative(lecture, false),
      ...others.map((other) => toAlternative(other, true)),
    ]),
    ...loose.map((section) => toAlternative(section, false)),
  ];
}

/** More of them in the week would hide each other. */
const MAX_GHOSTS = 40;

/**
 * Returns the alternatives that the week shows: all of a small course; otherwise those of the chosen lecture, and the
 * one that the keyboard has reached.
 */
export function ghostsOf(alternatives: readonly Alternative[], active: string | undefined): Alternative[] {
  const others = alternatives.filter(({ isChosen }) => !isChosen);
  if (others.length <= MAX_GHOSTS) return others;
  let isOwn = false;
  const ofLecture = new Set<Alternative>();
  for (const alternative of alternatives) {
    if (!alternative.isBelow) isOwn = alternative.isChosen;
    if (isOwn && alternative.isBelow) ofLecture.add(alternative);
  }
  return others
    .filter((alternative) => ofLecture.has(alternative) || alternative.section.sectionCode === active)
    .slice(0, MAX_GHOSTS);
}
