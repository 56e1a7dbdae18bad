/** Licences that ask for nothing but their text, if for that: what a release holds has one of them. */
export const PERMISSIVE = [
  "MIT",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "0BSD",
  "BlueOak-1.0.0",
  "Unlicense",
];

/** @param license an SPDX identifier, or alternatives such as `(MIT OR GPL-2.0)`, of which one is enough */
export const isAllowed = (license: string, allowed: readonly string[]): boolean =>
  license
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((name) => allowed.includes(name));
