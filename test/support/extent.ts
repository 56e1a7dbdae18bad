/** `make torture` walks over whole products, in every file that imports this one; the suite over a part of them. */
export const isWhole = process.env["EXTENT"] === "whole";

/** So many of them: the first, the last and evenly between; the first of all, if one is enough. */
export function someOf<T>(all: readonly T[], count: number): readonly T[] {
  if (isWhole || all.length <= count) return all;
  const step = (all.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, i) => all[Math.round(i * step)] as T);
}
