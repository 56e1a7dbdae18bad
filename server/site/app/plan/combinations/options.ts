/** The ways to take a course: a lecture with one section of each kind that belongs to it. */
import { type Grouped, groupsOf } from "../../data/lecture-groups.ts";
import { clashesOf, type Planned, weekBlocks } from "../clashes.ts";

export interface Candidate extends Planned, Grouped {
  /** Undefined where the schedule does not say it. */
  readonly seats: number | undefined;
  /** The average of its instructors. */
  readonly average: number | undefined;
}

export type Option = readonly Candidate[];

/** Limits the options of a course: independent study has hundreds of sections, but no lecture that many. */
const MAX_OPTIONS = 4000;

/** Takes one section from each list; none if a list is empty. */
function oneOfEach(lists: readonly (readonly Candidate[])[]): Option[] {
  let options: Option[] = [[]];
  for (const list of lists)
    options = options.flatMap((option) => list.map((item) => [...option, item])).slice(0, MAX_OPTIONS);
  return options;
}

function byType(sections: readonly Candidate[]): Candidate[][] {
  const types = new Map<string, Candidate[]>();
  for (const section of sections) types.set(section.sectionType, [...(types.get(section.sectionType) ?? []), section]);
  return [...types.values()];
}

/**
 * Returns the ways to take a course, without those whose sections clash. Sections of a type that name no lecture go
 * with every lecture that has none of that type. `isAllowed` leaves sections out, but a required type stays required.
 * Every way has the `locked` sections, allowed or not.
 */
export function optionsOf(
  sections: readonly Candidate[],
  isAllowed: (section: Candidate) => boolean,
  locked: ReadonlySet<string> = new Set(),
): Option[] {
  const kept = sections.filter(({ sectionCode }) => locked.has(sectionCode));
  const keptTypes = new Set(kept.map(({ sectionType }) => sectionType));
  const isPossible = (section: Candidate) =>
    keptTypes.has(section.sectionType) ? kept.includes(section) : isAllowed(section);
  const { groups, loose } = groupsOf(sections);
  const ways =
    groups.length === 0
      ? [byType(loose)]
      : groups.map(({ lecture, others }) => {
          const byKind = byType(others);
          const types = byKind.map(([section]) => section?.sectionType);
          return [[lecture], ...byKind, ...byType(loose).filter(([section]) => !types.includes(section?.sectionType))];
        });
  return ways
    .flatMap((lists) => oneOfEach(lists.map((list) => list.filter(isPossible))))
    .slice(0, MAX_OPTIONS)
    .filter((option) => option.length > 0 && kept.every((section) => option.includes(section)))
    .filter((option) => clashesOf(weekBlocks(option)).length === 0);
}
