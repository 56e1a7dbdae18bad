/** `SMITH, J.`: a person's name as the schedule shortens it. */
import { nameKey, withoutDiacritics } from "../../contract/name-key.ts";
import { departmentKey } from "../../contract/vocabulary.ts";

/** The schedule truncates last names: `GARZA RODRIGUE, A.`. */
const LAST_NAME_LENGTH = 14;

/** A spelling in the published schedule and its frequency by department code. */
export interface SeenName {
  readonly spelling: string;
  readonly counts: ReadonlyMap<string, number>;
}

/** The spellings of each name, by the name's key. */
export type SeenNames = ReadonlyMap<string, readonly SeenName[]>;

export function createSeenNames(seen: Iterable<readonly [spelling: string, counts: SeenName["counts"]]>): SeenNames {
  const names = new Map<string, SeenName[]>();
  for (const [spelling, counts] of seen) {
    const key = nameKey(spelling);
    const spellings = names.get(key);
    if (spellings) spellings.push({ spelling, counts });
    else names.set(key, [{ spelling, counts }]);
  }
  return names;
}

/** Particles that belong to the last name. */
const PARTICLES: ReadonlySet<string> = new Set(
  "al da das de del della den der di do dos du el la las le los san st ten ter van von".split(" "),
);

/**
 * Returns the possible short form that is most frequent in the published schedule, in the person's departments first.
 * The last name may have one word or several, and there may be one initial or several. Without any occurrence, returns
 * the usual form: particles with the last name, a single initial, no diacritics.
 */
export function shortenName(name: string, departments: readonly string[], seen: SeenNames): string {
  const words = wordsOf(withoutDiacritics(name));
  const usual = usualForm(words);
  const keys = new Set([usual, ...spellingsOf(name).flatMap((text) => possibleForms(wordsOf(text)))].map(nameKey));
  const ownDepartments = new Set(departments.map(departmentKey));
  const mostFrequent = mostSeen([...keys], (key) => countAll(seen.get(key) ?? [], ownDepartments));
  if (mostFrequent !== undefined && seen.has(mostFrequent))
    return mostSeenSpelling(seen.get(mostFrequent) ?? [], ownDepartments);
  const other = onlyOtherInitials(usual, ownDepartments, seen);
  return other ? mostSeenSpelling(other, ownDepartments) : usual;
}

/** Truncation depends on the spelling, so try diacritics in all forms. */
const spellingsOf = (name: string): string[] => [withoutDiacritics(name), name.normalize("NFC"), name.normalize("NFD")];

const wordsOf = (name: string): string[] =>
  name
    .replace(/["“(][^"“”()]*["”)]/g, " ")
    .split(/\s+/)
    .filter(Boolean);

export const cutLastName = (name: string): string => name.slice(0, LAST_NAME_LENGTH).trim();
const lastName = (words: readonly string[]): string => cutLastName(words.join(" "));
const initial = (word = ""): string => `${word.charAt(0)}.`;

/** The usual form of first names and last name: particles belong to the last name, and there is a single initial. */
export function usualForm(words: readonly string[]): string {
  let from = words.length - 1;
  while (from > 1 && PARTICLES.has(words[from - 1]?.toLowerCase() ?? "")) from--;
  const form = words.length < 2 ? lastName(words) : `${lastName(words.slice(from))}, ${initial(words[0])}`;
  return form.toUpperCase();
}

/** The maximum number of words in a name. */
const MOST_WORDS = 12;

function possibleForms(words: readonly string[]): string[] {
  if (words.length > MOST_WORDS) return [];
  return words.slice(1).flatMap((_, i) => {
    const firstNames = words.slice(0, i + 1);
    const last = lastName(words.slice(i + 1));
    return firstNames.map(
      (_, n) =>
        `${last}, ${firstNames
          .slice(0, n + 1)
          .map(initial)
          .join("")}`,
    );
  });
}

interface Count {
  readonly own: number;
  readonly total: number;
}

function countOf({ counts }: SeenName, ownDepartments: ReadonlySet<string>): Count {
  let [ofOwn, total] = [0, 0];
  for (const [department, count] of counts) {
    total += count;
    if (ownDepartments.has(departmentKey(department))) ofOwn += count;
  }
  return { own: ofOwn, total };
}

const countAll = (names: readonly SeenName[], ownDepartments: ReadonlySet<string>): Count =>
  names
    .map((name) => countOf(name, ownDepartments))
    .reduce((a, b) => ({ own: a.own + b.own, total: a.total + b.total }), { own: 0, total: 0 });

/** Compares the count in the person's departments, then in all; the first of equal ones wins. */
function mostSeen<Item>(items: readonly Item[], count: (item: Item) => Count): Item | undefined {
  const counted = items.map((item) => ({ item, ...count(item) }));
  return counted.reduce<(typeof counted)[number] | undefined>(
    (a, b) => (a === undefined || b.own > a.own || (b.own === a.own && b.total > a.total) ? b : a),
    undefined,
  )?.item;
}

const mostSeenSpelling = (names: readonly SeenName[], ownDepartments: ReadonlySet<string>): string =>
  mostSeen(names, (name) => countOf(name, ownDepartments))?.spelling ?? "";

/**
 * Finds a middle initial that is missing in the directory: `VANE, M.K.` for Mira Vane, when no other `VANE, M.…`
 * teaches in her departments.
 */
function onlyOtherInitials(
  usual: string,
  ownDepartments: ReadonlySet<string>,
  seen: SeenNames,
): readonly SeenName[] | undefined {
  if (!usual.endsWith(".")) return undefined;
  const start = nameKey(usual);
  const others = [...seen].filter(([key, names]) => key.startsWith(start) && countAll(names, ownDepartments).own > 0);
  return others.length === 1 ? others[0]?.[1] : undefined;
}
