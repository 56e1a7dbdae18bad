/** Entries by what they can be called; an entry is known by its place in the list. */
import { type Aliases, toAliases, toCodeKey } from "./aliases.ts";
import type { Entry } from "./entry.ts";
import { toWords } from "./words.ts";

export interface LookupIndex {
  readonly aliases: Aliases;
  /** A department's code → its place. */
  readonly departments: ReadonlyMap<string, number>;
  /** A department's code → the places of its courses. */
  readonly courses: ReadonlyMap<string, readonly number[]>;
  /** Whole names of people, departments and courses, in one piece → places. */
  readonly names: ReadonlyMap<string, readonly number[]>;
  /** What the index knows an entry by besides its title: the department's key or aliases, the number, the netid. */
  keysOf(entry: Entry): string;
}

/** So many entries are shelved or indexed before other work gets its turn: some milliseconds. */
export const CHUNK = 50;
const takeABreath = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function add(map: Map<string, number[]>, key: string, place: number): void {
  const same = map.get(key);
  if (!same) map.set(key, [place]);
  else if (same.at(-1) !== place) same.push(place);
}

export async function createLookupIndex(entries: readonly Entry[]): Promise<LookupIndex> {
  const departments = new Map<string, number>();
  const [courses, names] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (const [place, { kind, id, title, subtitle, department, detail }] of entries.entries()) {
    if (place % CHUNK === 0) await takeABreath();
    if (kind === "department") departments.set(id, place);
    if (kind === "course") add(courses, department, place);
    for (const name of kind === "instructor" ? [id, title, detail] : [subtitle])
      add(names, toWords(name).join(""), place);
  }
  // A department that the search form does not offer any more still has courses.
  const codes = new Set([...departments.keys(), ...courses.keys()]);
  const nameOf = (code: string) => entries[departments.get(code) ?? -1]?.subtitle ?? "";
  const aliases = toAliases([...codes].map((code) => ({ code, name: nameOf(code) })));
  const aliasesOf = new Map<string, string[]>();
  for (const [alias, meant] of aliases)
    for (const { code } of meant) aliasesOf.set(code, [...(aliasesOf.get(code) ?? []), alias]);
  return {
    aliases,
    departments,
    courses,
    names,
    keysOf({ kind, id, department, detail }) {
      if (kind === "department") return (aliasesOf.get(id) ?? []).join(" ");
      return `${toCodeKey(department)} ${kind === "course" ? detail : id}`;
    },
  };
}
