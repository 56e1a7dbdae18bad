/** Preferences as costs in points: a cheaper schedule comes first. */
import type { Option } from "./options.ts";
import { type Block, weekBlocks } from "../clashes.ts";

export interface Wishes {
  /** Minutes since midnight: no class before. */
  readonly notBefore?: number | undefined;
  /** Days without classes, as numbers of `DAYS`. */
  readonly freeDays: readonly number[];
  readonly seats: boolean;
  readonly average: boolean;
  readonly fewGaps: boolean;
}

/** An hour of class before the wished one, or an hour between two classes. */
const HOUR_POINTS = 1;
const DAY_POINTS = 4;
/** The cost of a full section; with ten seats left or more it is nothing. */
const SEATS_POINTS = 4;
const ENOUGH_SEATS = 10;
/** The cost of each grade point below 4, per course. */
const GRADE_POINTS = 2;
/** Where a teacher has not graded the course. */
const USUAL_AVERAGE = 3;

/** Costs of one way to take one course; those of a combination follow from them and from its blocks. */
export interface OptionCosts {
  /** Hours before the wished one, and averages: they add up. */
  readonly own: number;
  /** Wished days on which it meets, a bit each. */
  readonly days: number;
  /** The cost of its fullest section; a schedule counts only its worst. */
  readonly seats: number;
}

const bitOf = (day: number): number => 1 << day;
const bits = (mask: number): number => [0, 1, 2, 3, 4, 5, 6].filter((day) => mask & bitOf(day)).length;

export function costsOf(option: Option, { notBefore = 0, freeDays, seats, average }: Wishes): OptionCosts {
  const blocks = weekBlocks(option);
  const early = blocks.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, notBefore) - start), 0);
  const averages = option.flatMap((section) => section.average ?? []);
  const mean =
    averages.length === 0 ? USUAL_AVERAGE : averages.reduce((sum, value) => sum + value, 0) / averages.length;
  const left = Math.min(ENOUGH_SEATS, ...option.flatMap((section) => section.seats ?? []));
  return {
    own: (early / 60) * HOUR_POINTS + (average ? (4 - mean) * GRADE_POINTS : 0),
    days: blocks.reduce((mask, { day }) => (freeDays.includes(day) ? mask | bitOf(day) : mask), 0),
    seats: seats ? (1 - left / ENOUGH_SEATS) * SEATS_POINTS : 0,
  };
}

/** Adds the costs of two options, or of a schedule and an option. */
export const together = (a: OptionCosts, b: OptionCosts): OptionCosts => ({
  own: a.own + b.own,
  days: a.days | b.days,
  seats: Math.max(a.seats, b.seats),
});

export const totalOf = ({ own, days, seats }: OptionCosts): number => own + bits(days) * DAY_POINTS + seats;

/** Hours between the first and the last class of each day in which there is none; the blocks do not overlap. */
export function gapCost(blocks: readonly Block[]): number {
  const first: number[] = [];
  const last: number[] = [];
  const taken: number[] = [];
  for (const { day, start, end } of blocks) {
    first[day] = Math.min(first[day] ?? start, start);
    last[day] = Math.max(last[day] ?? 0, end);
    taken[day] = (taken[day] ?? 0) + end - start;
  }
  const minutes = taken.reduce((sum, own, day) => sum + (last[day] ?? 0) - (first[day] ?? 0) - own, 0);
  return (minutes / 60) * HOUR_POINTS;
}
