/** Compares two spellings of a person's name; either may be shortened or cut. */
import { nameKey } from "../../contract/name-key.ts";
import { CUT_LENGTHS } from "./nobody.ts";
import { toShortName } from "./short-name.ts";

/** `VANE, I.`, `Vane, Ida M.` and `VANE I.` are the same person; so are `MÜLLER, E.` and `Muller, Erik`. */
export function isSamePerson(left: string, right: string): boolean {
  const [a, b] = [partsOf(left), partsOf(right)];
  return isSameLastName(a, b) && (a.initials.startsWith(b.initials) || b.initials.startsWith(a.initials));
}

/** True when a person of one list is in the other. */
export const shareAPerson = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((left) => others.some((right) => isSamePerson(left, right)));

interface Parts {
  readonly words: readonly string[];
  readonly isCut: boolean;
  readonly initials: string;
}

function partsOf(name: string): Parts {
  const [last = "", givenNames = ""] = nameKey(toShortName(name)).split(",", 2);
  return {
    words: last
      .replace(/['.]/g, "")
      .split(/[\s-]+/)
      .filter(Boolean),
    isCut: CUT_LENGTHS.some((length) => last.length >= length - 1),
    initials: givenNames.replace(/[^\p{L}]/gu, ""),
  };
}

/** A last name may have been cut, or reduced to one of several words: `GARZA RODRIGUE` is `GARZA`. */
function isSameLastName(a: Parts, b: Parts): boolean {
  const [shorter, longer] = a.words.length <= b.words.length ? [a, b] : [b, a];
  if (shorter.words.length === 0) return false;
  const text = (words: readonly string[]) => words.join(" ");
  if (text(a.words) === text(b.words)) return true;
  const [long, short] = text(a.words).length > text(b.words).length ? [a, b] : [b, a];
  if (short.isCut && text(long.words).startsWith(text(short.words))) return true;
  if (shorter.words.length === longer.words.length || a.initials === "" || b.initials === "") return false;
  const count = shorter.words.length;
  return [longer.words.slice(0, count), longer.words.slice(-count)].some(
    (words) => text(words) === text(shorter.words),
  );
}
