/** The rows of the oracle, and comparisons of names, terms and texts. It takes nothing but types from the product. */
import type { RowOf } from "../../../pipeline/contract/table.ts";
import type { TABLES } from "../../../pipeline/contract/tables.ts";

type Published = typeof TABLES;
/** The published rows of a snapshot. */
export type Tables = {
  readonly [N in Exclude<keyof Published, "sources" | "enrollment_imports">]: readonly RowOf<Published[N]>[];
};

/** A snapshot, and the time that its responses are of. */
export interface Moment {
  readonly tables: Tables;
  /** The ids of all snapshots, oldest first. */
  readonly snapshots: readonly string[];
  readonly now: Date;
  readonly isCompat: boolean;
}

export type Row = Readonly<Record<string, unknown>>;

/** The content of a response: the elements that pages count, in JSON, and their rows in files. */
export interface Answer {
  readonly elements: readonly unknown[];
  readonly isOne?: true;
  readonly show: (elements: readonly never[]) => unknown;
  readonly flat: (elements: readonly never[]) => readonly Row[];
}
export const list = <T>(
  elements: readonly T[],
  flat: (element: T) => unknown = (element) => element,
  shown: (element: T) => unknown = flat,
): Answer => ({
  elements,
  show: (some: readonly T[]) => some.map(shown),
  flat: (some: readonly T[]) => some.flatMap(flat) as Row[],
});
export const object = (body: unknown, rows: readonly unknown[]): Answer => ({
  elements: [body],
  isOne: true,
  show: ([row]) => row,
  flat: () => rows as Row[],
});

/** An id, a term or a snapshot that there is not (404), and a schedule system that would be asked (502). */
export class Missing extends Error {}
export class Unreachable extends Error {}

export interface Term {
  readonly year?: string | undefined;
  readonly quarter?: string | undefined;
}
export const nameOf = ({ year, quarter }: Term): string => `${year} ${quarter}`;
export const QUARTERS = ["Winter", "Spring", "Summer1", "Summer10wk", "Summer2", "Fall"];
export const rankOf = (quarter = ""): number => QUARTERS.indexOf(quarter);
export const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
/** Sorts by these columns, in the order of the first difference; quarters are in the order of their year. */
export const by =
  (columns: string) =>
  <T extends object>(a: T, b: T): number => {
    const keyOf = (row: object, name: string) =>
      name === "quarter" ? rankOf((row as { quarter: string }).quarter) : ((row as Row)[name] as string);
    const orders = columns.split(" ").map((name) => compare(keyOf(a, name), keyOf(b, name)));
    return orders.find((order) => order !== 0) ?? 0;
  };
export const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort(compare);
export const pick = (row: object, names: string | readonly string[]): Row =>
  Object.fromEntries(
    [names]
      .flat()
      .flatMap((list) => list.split(" "))
      .flatMap((name) => (name in row ? [[name, (row as Row)[name]]] : [])),
  );

export const bare = (text: string): string => text.replace(/\s+/g, "").toUpperCase();
export const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
export const digitsOf = (text: string): number => Number(text.replace(/[^0-9]/g, "") || "0");
const LETTERS: Readonly<Record<string, string>> = { ß: "ss", ł: "l", ø: "o", "’": "'" };
/** "Names match without case and diacritics" */
export const plainName = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßłø’]/g, (letter) => LETTERS[letter] ?? letter);

/** The network ids of those whom a name may mean in a department. */
export const idsOf = ({ section_instructors }: Tables, department: string, name: string): string[] => {
  const isMeant = (row: { department: string; name: string }) =>
    bare(row.department) === bare(department) && plainName(row.name) === plainName(name);
  return sorted(section_instructors.filter(isMeant).flatMap(({ netid }) => netid ?? []));
};

const campus = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles" });
export const dayOnCampus = (at: string | Date): string => campus.format(new Date(at));
export const isId = (moment: string): boolean => /^[0-9a-f]{16}$/i.test(moment);
/** "a day (its end) or a time" */
export const isUntil = (at: string, moment: string): boolean =>
  moment.includes("T") ? Date.parse(at) <= Date.parse(moment) : dayOnCampus(at) <= moment;
