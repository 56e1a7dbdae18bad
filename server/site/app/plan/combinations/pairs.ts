/** Which ways to take two courses go together, as bits. */
import { type Block, finalBlocks, overlapOf, weekBlocks } from "../clashes.ts";
import type { Option } from "./options.ts";

/** A bit for each option of a course, 32 in a word. */
export type Bits = Uint32Array;

export const allBits = (length: number): Bits => {
  const words = new Uint32Array(Math.ceil(length / 32));
  for (let i = 0; i < length; i++) setBit(words, i);
  return words;
};
const setBit = (words: Bits, i: number): void => {
  words[i >>> 5] = ((words[i >>> 5] ?? 0) | (1 << (i & 31))) >>> 0;
};
export const hasBit = (words: Bits, i: number): boolean => (((words[i >>> 5] ?? 0) >>> (i & 31)) & 1) === 1;

export const bothBits = (a: Bits, b: Bits): Bits => a.map((word, i) => word & (b[i] ?? 0));

function ones(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many bits both have. */
export function countBoth(a: Bits, b: Bits): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) count += ones((a[i] ?? 0) & (b[i] ?? 0));
  return count;
}

const anyOverlap = (some: readonly Block[], others: readonly Block[]): boolean =>
  some.some((a) => others.some((b) => overlapOf(a, b) > 0));

/** For two courses: by option of the one the options of the other that go with it. */
export type Pairs = readonly (readonly (readonly Bits[])[])[];

/** `[course][later course][option]`; entries of earlier courses are empty. Meetings and finals count. */
export function pairsOf(courses: readonly (readonly Option[])[], year: string): Pairs {
  const times = courses.map((options) =>
    options.map((option) => ({ week: weekBlocks(option), finals: finalBlocks(option, year) })),
  );
  return times.map((ofCourse, i) =>
    times.map((others, j) => {
      if (j <= i) return [];
      return ofCourse.map((option) => {
        const words = new Uint32Array(Math.ceil(others.length / 32));
        others.forEach((other, k) => {
          if (!anyOverlap(option.week, other.week) && !anyOverlap(option.finals, other.finals)) setBit(words, k);
        });
        return words;
      });
    }),
  );
}
