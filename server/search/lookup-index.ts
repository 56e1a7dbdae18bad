/** Exact lookups by name and code. Entries are identified by their index in the list. */
import { type Aliases, toAliases, toCodeKey } from "./aliases.ts";
import { courseId } from "../../pipeline/contract/course-name.ts";
import { type Entry, nameOfCourse } from "./entry.ts";
import { toWords } from "./words.ts";

export interface LookupIndex {
  readonly aliases: Aliases;
  readonly departments: ReadonlyMap<string, number>;
  readonly courses: ReadonlyMap<string, readonly number[]>;
  /** Maps full names of people, departments and courses, and ids of courses, without separators, to indexes. */
  readonly names: ReadonlyMap<string, readonly number[]>;
  /** Returns the `key` field of the full-text index: department code or aliases, course number, netid. */
  keysOf(entry: Entry): string;
}

/** The entries processed between two turns of the event loop; takes a few milliseconds. */
export const CHUNK_SIZE = 50;
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function add(map: Map<string, number[]>, key: string, index: number): void {
  const indexes = map.get(key);
  if (!indexes) map.set(key, [index]);
  else if (indexes.at(-1) !== index) indexes.push(index);
}

export async function createLookupIndex(entries: readonly Entry[]): Promise<LookupIndex> {
  const departments = new Map<string, number>();
  const [courses, names] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (const [index, entry] of entries.entries()) {
    const { kind, id, title, subtitle, detail } = entry;
    if (index % CHUNK_SIZE === 0) await yieldToEventLoop();
    if (kind === "department") departments.set(id, index);
    if (kind === "course") add(courses, nameOfCourse(entry).department, index);
    const ofCourse = entry.otherName ? [courseId(entry.otherName)] : [id, subtitle];
    for (const name of { instructor: [id, title, detail], course: ofCourse, department: [subtitle] }[kind])
      add(names, toWords(name).join(""), index);
  }
  // Discontinued departments still have courses.
  const codes = new Set([...departments.keys(), ...courses.keys()]);
  const nameOf = (code: string) => entries[departments.get(code) ?? -1]?.subtitle ?? "";
  const aliases = toAliases([...codes].map((code) => ({ code, name: nameOf(code) })));
  const aliasesOf = new Map<string, string[]>();
  for (const [alias, matches] of aliases)
    for (const { code } of matches) aliasesOf.set(code, [...(aliasesOf.get(code) ?? []), alias]);
  return {
    aliases,
    departments,
    courses,
    names,
    keysOf(entry) {
      if (entry.kind === "department") return (aliasesOf.get(entry.id) ?? []).join(" ");
      if (entry.kind === "instructor") return `${toCodeKey(entry.department)} ${entry.id}`;
      const { department, courseNumber } = nameOfCourse(entry);
      return `${toCodeKey(department)} ${courseNumber}`;
    },
  };
}
