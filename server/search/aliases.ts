/** The names under which a department is looked for: most follow from its code and name, some are facts. */
import { DEPARTMENT_NICKNAMES } from "./department-facts.ts";
import { toNameWords, toWords } from "./words.ts";

export interface NamedDepartment {
  readonly code: string;
  readonly name: string;
}

/** A department that an alias may mean; `rank` 0 = its code, 1 = its name or a nickname, 2 = derived: the lower the likelier. */
export interface Meant {
  readonly code: string;
  readonly rank: number;
}

/** Alias, in one piece (`icsci`, `ics`, `informationcomputerscience`) → the departments that it may mean, the likeliest first. */
export type Aliases = ReadonlyMap<string, readonly Meant[]>;

/** A department's code as one word: `I&C SCI` → `icsci`. */
export const toCodeKey = (code: string): string => toWords(code).join("");

function* aliasesOf({ code, name }: NamedDepartment): Generator<readonly [alias: string, rank: number]> {
  const words = toNameWords(name);
  yield [toCodeKey(code), 0];
  yield [words.join(""), 1];
  for (const nickname of DEPARTMENT_NICKNAMES[code] ?? []) yield [toWords(nickname).join(""), 1];
  if (words.length > 1) {
    yield [words.map((word) => word[0]).join(""), 2];
    yield [words.map((word) => word.replace(/^sciences?$/, "sci")).join(""), 2];
  }
  // `bio` of `BIO SCI`: what is left when the second word is not typed.
  const [first = "", ...rest] = toWords(code);
  if (rest.length > 0 && first.length > 2) yield [first, 2];
}

export function toAliases(departments: readonly NamedDepartment[]): Aliases {
  const aliases = new Map<string, Meant[]>();
  for (const department of departments) {
    for (const [alias, rank] of aliasesOf(department)) {
      if (alias.length < 2) continue;
      const meant = aliases.get(alias) ?? [];
      if (!meant.some(({ code }) => code === department.code)) meant.push({ code: department.code, rank });
      aliases.set(alias, meant);
    }
  }
  for (const meant of aliases.values()) meant.sort((a, b) => a.rank - b.rank || (a.code < b.code ? -1 : 1));
  return aliases;
}
