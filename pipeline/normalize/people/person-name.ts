/** Names of people: comparison, spellings for look-ups, and display. */
import { nameKey, withoutDiacritics } from "../../contract/name-key.ts";

/** Words of a name for comparison, without accents, case and punctuation; hyphens separate words. */
export function nameWords(name: string): string[] {
  return nameKey(name)
    .replace(/[.'"“”()]/g, "")
    .split(/[\s,-]+/)
    .filter(Boolean);
}

/**
 * Extracts the name from a faculty list's entry, without degrees after a comma and without a numeral or Jr. at the end.
 * Numerals are in capitals: a last name such as `Vi` stays.
 */
export function toFacultyName(printed: string): string {
  return (printed.split(",")[0] ?? "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\s+(?:I{2,3}|IV|VI{0,3}|[JS]r\.?)$/, "");
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
