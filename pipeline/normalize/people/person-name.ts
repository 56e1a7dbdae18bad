/** Names of people: comparison, spellings for look-ups, and display. */
import { nameKey, withoutDiacritics } from "../../contract/name-key.ts";

/** Words of a name for comparison, without accents, case and punctuation; hyphens separate words. */
export function nameWords(name: string): string[] {
  return nameKey(name)
    .replace(/[.'"“”()]/g, "")
    .split(/[\s,-]+/)
    .filter(Boolean);
}

const TITLES = /^(?:(?:dr|prof(?:essor)?|mrs?|ms|mx)\.? )+(?=\S)/i;
/** Numerals, Jr. and degrees behind a name of two words. Numerals are in capitals: a last name such as `Vi` stays. */
const SUFFIXES =
  /(?<=\S \S+)(?: (?:I{2,3}|IV|VI{0,3}|[JS]r\.?|Ph\. ?D\.?|PhD|M\.D\.|MD|J\.D\.|JD|Ed\.D\.|EdD|M\.F\.A\.|MFA))+$/;
const DEGREE = /\.|^(?:M[ADS]|MFA|MBA|MPH|MSW|JD|LL[BM]|DMA|DDS|PE|RN|CPA|(?:Ph|Ed)D|[JS]r)$/;
/** `Vane`, `de la Vane`: in a list, two names before a comma are a first and a last name. */
const LAST_NAME_ALONE = /^(?:\p{Ll}+ )*\S+$/u;
const GIVEN_NAMES = /^\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’.-]*)*$/u;

/**
 * Extracts the name from an entry of a faculty list or the directory: without titles, degrees, remarks in brackets at
 * the end, marks of footnotes, and a numeral or Jr. at the end. `Vane, Mira` is Mira Vane.
 */
export function toFacultyName(printed: string): string {
  const [name = "", given = ""] = printed
    .replace(/[*†‡§¶]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/ \([^()]*\)$/, "")
    .split(/ ?, ?/);
  const isLastNameFirst =
    LAST_NAME_ALONE.test(name) && GIVEN_NAMES.test(given) && !DEGREE.test(given.split(" ", 1)[0] ?? "");
  const whole = isLastNameFirst ? `${given} ${name}` : name;
  return whole.trim().replace(TITLES, "").replace(SUFFIXES, "");
}

export function isUpperCase(name: string): boolean {
  return name === name.toUpperCase() && name !== name.toLowerCase();
}

/** `MIRA O'VANE-LOR` → `Mira O'Vane-Lor`. */
export function toProperCase(name: string): string {
  return name
    .toLowerCase()
    .replace(/(^|[\s'’-])(\p{L})/gu, (_, boundary: string, letter: string) => boundary + letter.toUpperCase());
}

/**
 * Spellings for a look-up in the directory, the printed one first: without accents, without nicknames, hyphens as
 * blanks, without middle initials, only first and last word.
 */
export function spellingsOf(name: string): string[] {
  const plain = withoutDiacritics(name).replace(/["“(][^"“”()]*["”)]/g, " ");
  const words = plain.split(/\s+/).filter(Boolean);
  const withoutInitials = words.filter((word, i) => i === 0 || i === words.length - 1 || !/^\p{Lu}\.?$/u.test(word));
  const ends = words.filter((_, i) => i === 0 || i === words.length - 1);
  return [
    name,
    withoutDiacritics(name),
    words.join(" "),
    plain.replaceAll("-", " "),
    withoutInitials.join(" "),
    ends.join(" "),
  ]
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter((text, i, all) => text !== "" && all.indexOf(text) === i);
}
