/** The ways to take a course: a lecture with one section of each kind that belongs to it. */
import { type Grouped, groupsOf } from "../../data/lecture-groups.ts";
import { clashesOf, type Planned, weekBlocks } from "../clashes.ts";

export interface Candidate extends Planned, Grouped {
  /** Undefined where the schedule does not say it. */
  readonly seats: number | undefined;
  /** Of whoever teaches it. */
  readonly average: number | undefined;
}

export type Option = readonly Candidate[];

/** Of one course: a seminar of independent study has hundreds of sections, and no lecture so many discussions. */
const MAX_OPTIONS = 4000;

/** One of each list; none where a list is empty. */
function oneOfEach(lists: readonly (readonly Candidate[])[]): Option[] {
  let options: Option[] = [[]];
  for (const list of lists)
    options = options.flatMap((option) => list.map((one) => [...option, one])).slice(0, MAX_OPTIONS);
  return options;
}

function byType(sections: readonly Candidate[]): Candidate[][] {
  const types = new Map<string, Candidate[]>();
  for (const one of sections) types.set(one.sectionType, [...(types.get(one.sectionType) ?? []), one]);
  return [...types.values()];
}

/**
 * Of the sections of one course, without those that clash among themselves. A kind of sections of which nothing says to which lecture
 * they belong goes with every lecture that has none of its own. `isAllowed` leaves sections out; a kind that is needed is needed still.
 */
export function optionsOf(sections: readonly Candidate[], isAllowed: (one: Candidate) => boolean): Option[] {
  const { groups, loose } = groupsOf(sections);
  const ways =
    groups.length === 0
      ? [byType(loose)]
      : groups.map(({ lecture, others }) => {
          const own = byType(others);
          const types = own.map(([one]) => one?.sectionType);
          return [[lecture], ...own, ...byType(loose).filter(([one]) => !types.includes(one?.sectionType))];
        });
  return ways
    .flatMap((lists) => oneOfEach(lists.map((list) => list.filter(isAllowed))))
    .slice(0, MAX_OPTIONS)
    .filter((option) => option.length > 0 && clashesOf(weekBlocks(option)).length === 0);
}
