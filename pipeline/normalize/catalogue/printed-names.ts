/**
 * The names in a cell of the registrar's prerequisite pages, `SWE 43 * IN4MATX 43 since F25`: a course and its former
 * names.
 */
import { courseName, type CourseName, splitCourseName } from "../../contract/course-name.ts";
import { type Quarter, type Term, QUARTER_CODES, QUARTERS } from "../../contract/vocabulary.ts";

export interface PrintedFormerName {
  readonly name: CourseName;
  /** The term from which the course has its new name, as printed; empty if none is. */
  readonly since: string;
}

export interface PrintedNames {
  readonly name: CourseName;
  /** In the order of the text. */
  readonly former: readonly PrintedFormerName[];
  /** The texts after asterisks that are not names of courses. */
  readonly unreadable: readonly string[];
}

const SINCE = /^(.*?)\s*\bsince\b[\s:]*(.*)$/i;
/** Separates former names that follow a single asterisk. */
const LIST = /\s*[,;]\s*|\s+(?:and|or)\s+/i;

/** Returns undefined when the text does not begin with the name of a course. */
export function readPrintedNames(text: string): PrintedNames | undefined {
  const [head = "", ...tails] = text.replace(/\s+/g, " ").split("*");
  const [ofToday, sinceOfAll] = splitSince(head);
  const name = nameIn(ofToday);
  if (!name) return undefined;
  const former: PrintedFormerName[] = [];
  const unreadable: string[] = [];
  // `A * B * C since F25`: a term after several names applies to all of them.
  let since = sinceOfAll;
  for (const tail of tails.toReversed()) {
    const [names, stated] = splitSince(tail);
    since = stated || since;
    const ofTail: PrintedFormerName[] = [];
    let department: string | undefined;
    for (const part of names.split(LIST)) {
      if (part === "") continue;
      // `IN4MATX 43, 44`
      const old = nameIn(part) ?? (department === undefined ? undefined : nameIn(`${department} ${part}`));
      if (old) ofTail.push({ name: old, since });
      else unreadable.push(part);
      department = old?.department;
    }
    former.unshift(...ofTail);
  }
  return { name, former, unreadable };
}

/** The maximum length of a name. */
const MAX_NAME = 60;

const nameIn = (text: string): CourseName | undefined => (text.length > MAX_NAME ? undefined : splitCourseName(text));

function splitSince(text: string): [names: string, since: string] {
  const [, names, since] = SINCE.exec(text.trim()) ?? [];
  return names === undefined || since === undefined ? [text.trim(), ""] : [names.trim(), since.trim()];
}

/** The operators and brackets that separate the operands of a requirement. */
const BETWEEN_OPERANDS = /[()]|\b(?:AND|OR)\b/;

/** The operands of a requirement that have former names. */
export function namesInRequirement(requirement: string): PrintedNames[] {
  if (!requirement.includes("*")) return [];
  return requirement
    .split(BETWEEN_OPERANDS)
    .filter((operand) => operand.includes("*"))
    .flatMap((operand) => readPrintedNames(operand.trim().replace(/^NO\s+/, "")) ?? [])
    .filter(({ former, unreadable }) => former.length + unreadable.length > 0);
}

/** `SWE 43 * IN4MATX 43` */
export const printNames = (name: CourseName, former: CourseName): string =>
  `${courseName(name)} * ${courseName(former)}`;

/**
 * The registrar's spellings of quarters, without blanks and signs; a summer without a session begins with the first
 * one.
 */
const QUARTER_WORDS: Readonly<Record<Quarter, RegExp>> = {
  Winter: /^W(?:I|N|IN|TR|INTER)?$/,
  Spring: /^S(?:P|PR|PG|PRING)?$/,
  Summer1: /^(?:Y|SU|SUM|SUMMER|(?:SS?|SU|SUMMER)(?:1|I))$/,
  Summer10wk: /^(?:M|FSM|(?:SS?|SU|SUMMER)?10WK(?:SUMMER)?|(?:SU|SUMMER)10)$/,
  Summer2: /^(?:Z|(?:SS?|SU|SUMMER)(?:2|II))$/,
  Fall: /^F(?:A|L|ALL)?$/,
};

/** Two-digit years from here on are in the last century. */
const FIRST_YEAR = 60;

/**
 * `F25`, `SP22`, `SS1 24`, `Fall 2025`, `2025 Fall Quarter`, `202592`, `2025-92` → the term; undefined for other texts.
 */
export function readPrintedTerm(text: string): Term | undefined {
  const letters = text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/QUARTER|QTR|SESSION/, "");
  const [, codeYear, code] = /^((?:19|20)\d\d)(\d\d)$/.exec(letters) ?? [];
  const ofCode = QUARTERS.find((quarter) => QUARTER_CODES[quarter] === code);
  if (codeYear !== undefined) return ofCode && { year: codeYear, quarter: ofCode };
  const [, first, behind] = /^((?:19|20)\d\d)((?:10)?[A-Z].*)$/.exec(letters) ?? [];
  const [, prefix, last] = /^(.*\D\d?|.*10WK)((?:19|20)\d\d)$/.exec(letters) ?? /^(.*\D.*)(\d\d)$/.exec(letters) ?? [];
  const [word, year] = first === undefined ? [prefix, last] : [behind, first];
  const quarter = QUARTERS.find((name) => QUARTER_WORDS[name].test(word ?? ""));
  return quarter && year !== undefined ? { year: toYear(year), quarter } : undefined;
}

function toYear(digits: string): string {
  if (digits.length === 4) return digits;
  return Number(digits) >= FIRST_YEAR ? `19${digits}` : `20${digits}`;
}
