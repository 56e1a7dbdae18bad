/** Converts a person's name in any notation to `LEE, J.`, the schedule's form. */
import { UNNAMED } from "../../contract/name-key.ts";
import { isNobody } from "./nobody.ts";
import { splitPeople } from "./people-in-cell.ts";
import { cutLastName, usualForm } from "./shortened-name.ts";

const TITLE = /^(?:prof(?:essor)?|dr|mrs?|ms)\. /i;
/** Excludes `M.D.` and `J.D.`, which may be initials. */
const SUFFIX = /(?<![\s,])[\s,]+(?:[js]r|i{2,3}|iv|ph\.?\s?d)\.?$/i;

/** A letter with its marks, which are separate characters in a decomposed text. */
const LETTER = String.raw`\p{L}\p{M}*`;
/** `J.`, `J. K.`, `J.K`, `J` */
const INITIALS = new RegExp(String.raw`^${LETTER}(?:\.[\s-]*${LETTER}|[\s-]+${LETTER})*\.?$`, "u");
const FIRST_LETTER = new RegExp(LETTER, "u");
const FURTHER_INITIALS = new RegExp(String.raw`(, ${LETTER}\.).+$`, "u");
const LAST_AND_INITIALS = new RegExp(String.raw`^(.+?)\s+(${LETTER}(?:\.\s*${LETTER}){0,9}\.?)$`, "u");
const GIVEN_NAMES = /^[\p{L}\p{M}][\p{L}\p{M}'’.\s-]*$/u;

/**
 * `LEE, J.`, `Lee, John`, `Lee J.`, `John Lee` and `JOHN LEE` → `LEE, J.`. A last name alone stays alone; any other
 * text stays as it is.
 * @param text a name that is not a placeholder
 */
export function toShortName(text: string): string {
  const name = text.replace(/\s+/g, " ").trim().replace(TITLE, "").replace(SUFFIX, "").trim();
  const comma = name.indexOf(",");
  if (comma >= 0) {
    const [last, givenNames] = [
      name.slice(0, comma).trim(),
      name
        .slice(comma + 1)
        .trim()
        .replace(TITLE, ""),
    ];
    if (last === "" || givenNames === "") return cutLastName(last || givenNames).toUpperCase();
    if (INITIALS.test(givenNames)) return `${last}, ${initialsOf(givenNames)}`.toUpperCase();
    return GIVEN_NAMES.test(givenNames)
      ? `${cutLastName(last)}, ${FIRST_LETTER.exec(givenNames)?.[0]}.`.toUpperCase()
      : name;
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

/** True for a name in capitals with a comma and only initials after it, which stays letter by letter. */
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
 * The instructors of a grade sheet's cell, each with a single initial, as in most sections; placeholders are left out.
 * @param onUnclear called when the cell is ambiguous, which then yields nobody
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
