/** `make torture` walks over whole products, in every file that imports this one; the suite over a part of them. */
export const isWhole = process.env["EXTENT"] === "whole";

/** The suite draws so much less than `make torture`. */
const SHARE = 25;

/** The number of draws of a property in this run, of which `make torture` makes all. */
export const draws = (all: number, few = Math.ceil(all / SHARE)): number => (isWhole ? all : few);

/** Every so many-th of them, in each turn others; all of them in `make torture`. */
export const partOf = <T>(all: readonly T[], turn: number, parts: number): readonly T[] =>
  all.filter((_, n) => isWhole || n % parts === turn % parts);

/** So many of them: the first, the last and evenly between; the first of all, if one is enough. */
export function someOf<T>(all: readonly T[], count: number): readonly T[] {
  if (isWhole || all.length <= count) return all;
  const step = (all.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, i) => all[Math.round(i * step)] as T);
}
