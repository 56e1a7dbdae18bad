/** All ways to take several courses without clashes: how many there are, and the best of them. */
import { type Bits, allBits, bothBits, type Pairs, pairsOf, countBoth, hasBit } from "./pairs.ts";
import { weekBlocks } from "../clashes.ts";
import type { Option } from "./options.ts";
import { costsOf, gapCost, type OptionCosts, together, totalOf, type Wishes } from "./wishes.ts";

export const MAX_SHOWN = 200;
/** Steps of counting and of ranking: together a third of a second at most. */
const MAX_COUNTED = 800_000;
const MAX_RANKED = 50_000;

export interface Combination {
  readonly codes: readonly string[];
  /** In points, by the wishes: less is better. */
  readonly cost: number;
}

export interface Found {
  readonly total: number;
  /** False where there are more than `total`. */
  readonly isCounted: boolean;
  /** The least cost first. */
  readonly best: readonly Combination[];
  /** False where not all were looked at: better ones may be left out. */
  readonly isRanked: boolean;
}

/** `courses`: the ways to take each course. `year` is that of the term. */
export function combinationsOf(courses: readonly (readonly Option[])[], wishes: Wishes, year: string): Found {
  if (courses.length === 0 || courses.some((options) => options.length === 0))
    return { total: 0, isCounted: true, best: [], isRanked: true };
  // Few ways first: what is impossible is found out early, and the last course is counted as a whole.
  const inOrder = courses.toSorted((a, b) => a.length - b.length);
  const pairs = pairsOf(inOrder, year);
  return { ...count(inOrder, pairs), ...rank(inOrder, pairs, wishes) };
}

const firstMasks = (courses: readonly (readonly Option[])[]): Bits[] => courses.map(({ length }) => allBits(length));

/** Courses that are left with the same ways are counted once, however one got there. */
function count(courses: readonly (readonly Option[])[], pairs: Pairs) {
  const leastCosts = new Map<string, number>();
  let steps = 0;
  const countFrom = (level: number, masks: readonly Bits[]): number => {
    const mask = masks[level] as Bits;
    const last = level === courses.length - 1;
    if (last) return countBoth(mask, mask);
    const key = `${level} ${masks.slice(level).join(";")}`;
    const previous = leastCosts.get(key);
    if (previous !== undefined) return previous;
    let sum = 0;
    for (let i = 0; i < (courses[level]?.length ?? 0) && steps < MAX_COUNTED; i++) {
      if (!hasBit(mask, i)) continue;
      steps += courses.length - level;
      const going = pairs[level]?.map((options) => options[i]) ?? [];
      if (level === courses.length - 2) sum += countBoth(masks[level + 1] as Bits, going[level + 1] as Bits);
      else
        sum += countFrom(
          level + 1,
          masks.map((bits, j) => (j > level ? bothBits(bits, going[j] as Bits) : bits)),
        );
    }
    if (steps < MAX_COUNTED) leastCosts.set(key, sum);
    return sum;
  };
  const total = countFrom(0, firstMasks(courses));
  return { total, isCounted: steps < MAX_COUNTED };
}

/**
 * Branch and bound: adding a course never lowers the cost, so a partial schedule that already costs too much is
 * dropped.
 */
function rank(courses: readonly (readonly Option[])[], pairs: Pairs, wishes: Wishes) {
  const best: Combination[] = [];
  let steps = 0;
  const ways = courses.map((options) =>
    options
      .map((option, i) => ({ i, option, costs: costsOf(option, wishes), blocks: weekBlocks(option) }))
      .toSorted((a, b) => totalOf(a.costs) - totalOf(b.costs)),
  );
  // The least cost of the remaining courses.
  const least = ways.map((_, level) =>
    ways.slice(level).reduce((sum, options) => sum + Math.min(...options.map(({ costs }) => costs.own)), 0),
  );
  const isTooMuch = (cost: number) => best.length === MAX_SHOWN && cost >= (best.at(-1)?.cost ?? 0);
  const keep = (combination: Combination) => {
    const after = best.findIndex(({ cost }) => cost > combination.cost);
    best.splice(after < 0 ? best.length : after, 0, combination);
    best.length = Math.min(best.length, MAX_SHOWN);
  };
  type Way = (typeof ways)[number][number];
  const rankFrom = (level: number, masks: readonly Bits[], chosen: readonly Way[], costs: OptionCosts): void => {
    if (level === courses.length) {
      const gaps = wishes.fewGaps ? gapCost(chosen.flatMap(({ blocks }) => blocks)) : 0;
      const cost = totalOf(costs) + gaps;
      if (!isTooMuch(cost))
        keep({ codes: chosen.flatMap(({ option }) => option.map(({ sectionCode }) => sectionCode)), cost });
      return;
    }
    for (const way of ways[level] ?? []) {
      if (!hasBit(masks[level] as Bits, way.i)) continue;
      if (++steps > MAX_RANKED) return;
      const next = together(costs, way.costs);
      if (isTooMuch(totalOf(next) + (least[level + 1] ?? 0))) continue;
      const left = masks.map((bits, j) => (j > level ? bothBits(bits, pairs[level]?.[j]?.[way.i] as Bits) : bits));
      rankFrom(level + 1, left, [...chosen, way], next);
    }
  };
  rankFrom(0, firstMasks(courses), [], { own: 0, days: 0, seats: 0 });
  return { best, isRanked: steps <= MAX_RANKED };
}
