/** A person's name in whatever notation → `LEE, J.`, as the schedule writes it. */
import { UNNAMED } from "../../contract/name-key.ts";
import { isNobody } from "./nobody.ts";
import { splitPeople } from "./people-in-cell.ts";
import { cutLastName, usualForm } from "./shortened-name.ts";

const TITLE = /^(?:prof(?:essor)?|dr|mrs?|ms)\. /i;
/** Not `M.D.` and `J.D.`, which may be initials. */
const SUFFIX = /(?<![\s,])[\s,]+(?:[js]r|i{2,3}|iv|ph\.?\s?d)\.?$/i;

/** A letter with its marks, which are characters of their own in a decomposed text. */
const LETTER = String.raw`\p{L}\p{M}*`;
/** `J.`, `J. K.`, `J.K`, `J` */
const INITIALS = new RegExp(String.raw`^${LETTER}(?:\.[\s-]*${LETTER}|[\s-]+${LETTER})*\.?$`, "u");
const FIRST_LETTER = new RegExp(LETTER, "u");
const FURTHER_INITIALS = new RegExp(String.raw`(, ${LETTER}\.).+$`, "u");
const LAST_AND_INITIALS = new RegExp(String.raw`^(.+?)\s+(${LETTER}(?:\.\s*${LETTER}){0,9}\.?)$`, "u");
const GIVEN_NAMES = /^[\p{L}\p{M}][\p{L}\p{M}'’.\s-]*$/u;

/**
 * `LEE, J.`, `Lee, John`, `Lee J.`, `John Lee` and `JOHN LEE` → `LEE, J.`. A last name alone stays alone; a text that is none of these stays as it is.
 * @param text no placeholder
 */
export function toShortName(text: string): string {
  const name = text.replace(/\s+/g, " ").trim().replace(TITLE, "").replace(SUFFIX, "").trim();
  const comma = name.indexOf(",");
  if (comma >= 0) {
    const [last, given] = [
      name.slice(0, comma).trim(),
      name
        .slice(comma + 1)
        .trim()
        .replace(TITLE, ""),
    ];
    if (last === "" || given === "") return cutLastName(last || given).toUpperCase();
    if (INITIALS.test(given)) return `${last}, ${initialsOf(given)}`.toUpperCase();
    return GIVEN_NAMES.test(given) ? `${cutLastName(last)}, ${FIRST_LETTER.exec(given)?.[0]}.`.toUpperCase() : name;
  }
  const [, last, initials] = LAST_AND_INITIALS.exec(name) ?? [];
  if (last !== undefined && initials !== undefined && !INITIALS.test(last))
    return `${cutLastName(last)}, ${initialsOf(initials)}`.toUpperCase();
  // `Vane Lor.` is a last name that was cut before its initial.
  if (!name.includes(" ") || name.endsWith(".")) return cutLastName(name.replace(/[\s.]+$/, "")).toUpperCase();
  return GIVEN_NAMES.test(name) ? usualForm(name.split(" ")) : name;
}

/** `J. K` → `J.K.` */
const initialsOf = (text: string): string => text.replace(/[^\p{L}\p{M}]/gu, "").replace(/\p{L}\p{M}*/gu, "$&.");

/** In capitals, with a comma and at most initials behind it: such a name stays letter by letter. */
const isSchedulesOwn = (name: string): boolean =>
  name === name.toUpperCase() && (name.endsWith(",") || INITIALS.test(/,\s*(.*)$/.exec(name)?.[1] ?? ""));

/** The instructors of a section: each name in the schedule's form; a placeholder reads `STAFF`. */
export const toInstructors = (names: readonly string[], onPlaceholder?: (text: string) => void): string[] =>
  namesIn(names, (name) => (isSchedulesOwn(name) ? name : toShortName(name)), onPlaceholder);

function namesIn(
  names: readonly string[],
  toName: (text: string) => string,
  onPlaceholder?: (text: string) => void,
): string[] {
  const instructors = names
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => {
      if (!isNobody(name)) return toName(name);
      if (name !== UNNAMED) onPlaceholder?.(name);
      return UNNAMED;
    });
  return [...new Set(instructors)];
}

/**
 * The instructors of a grade sheet's cell, each with one initial, as in most sections; placeholders are left out.
 * @param onUnclear told when the cell may mean different people: none of them is taken
 */
export function toSheetInstructors(
  text: string,
  onPlaceholder?: (text: string) => void,
  onUnclear?: (text: string) => void,
): string[] {
  const names = isNobody(text) ? [text] : splitPeople(text);
  if (!names) onUnclear?.(text.replaceAll("\n", " / "));
  const oneInitial = (name: string) => toShortName(name).replace(FURTHER_INITIALS, "$1");
  return namesIn(names ?? [], oneInitial, onPlaceholder).filter((name) => name !== UNNAMED);
}
