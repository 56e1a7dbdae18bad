/** Explains the schedule's words and letters in plain English, for views, filters and search alike. */
import type { SECTION_TYPES } from "../../../../pipeline/contract/vocabulary.ts";

export interface GlossaryEntry {
  /** As the schedule writes it. */
  readonly word: string;
  /** The name in plain English. */
  readonly name: string;
  /** A sentence. */
  readonly means: string;
}

type Named<Key extends string> = Readonly<Record<Key, readonly [name: string, means: string]>>;

/** In the order of legends. */
export const STATUS_WORDS: Named<string> = {
  OPEN: ["open", "The section has seats that anyone who meets its restrictions can take."],
  Waitl: [
    "waitlist",
    "All seats are taken, but the waitlist has room: whoever is first on it gets a seat that becomes free.",
  ],
  FULL: ["full", "All seats are taken, and so is the waitlist, if there is one."],
  NewOnly: ["new students only", "The remaining seats are reserved for students who are new this term."],
  Cancelled: ["cancelled", "The section does not take place; nobody can enroll."],
};

/** Letters of enrollment restrictions; the schedule joins several with “and” and “or”. */
const RESTRICTIONS: Named<string> = {
  A: ["prerequisite required", "You must have passed the course's prerequisites, or be taking them now."],
  B: ["authorization code required", "You need a code from the instructor or the department to enroll."],
  C: ["fee required", "The course costs an extra fee for materials."],
  D: ["pass/not pass only", "The course is graded as pass or not pass, without letters."],
  E: ["freshmen only", "Only students in their first year can enroll."],
  F: ["sophomores only", "Only students in their second year can enroll."],
  G: ["lower division only", "Only freshmen and sophomores can enroll."],
  H: ["juniors only", "Only students in their third year can enroll."],
  I: ["seniors only", "Only students in their fourth year or later can enroll."],
  J: ["upper division only", "Only juniors and seniors can enroll."],
  K: ["graduate students only", "Only graduate students can enroll."],
  L: ["majors only", "Only students of the department's majors can enroll."],
  M: ["non-majors only", "Only students of other majors can enroll."],
  N: ["school majors only", "Only students of a major in the same school can enroll."],
  O: ["non-school majors only", "Only students of a major in another school can enroll."],
  R: ["biomedical pass/fail", "The course is graded as pass or fail, for students of the School of Medicine."],
  S: ["satisfactory/unsatisfactory only", "The course is graded as satisfactory or unsatisfactory, without letters."],
  X: ["separate authorization codes", "You need a code of its own for each step: to add, to drop and to change."],
};

export const SECTION_TYPE_WORDS: Named<(typeof SECTION_TYPES)[number]> = {
  Lec: ["lecture", "The instructor speaks to the whole class. It carries the units and the grade."],
  Dis: ["discussion", "A small group that goes over the lecture with an assistant; taken with a lecture."],
  Lab: ["laboratory", "Supervised practical work in a laboratory, often taken with a lecture."],
  Sem: ["seminar", "A small class that discusses readings and papers."],
  Act: ["activity", "A class of practice, such as in dance, music or sport."],
  Col: ["colloquium", "A series of talks, often by guests."],
  Fld: ["field work", "Work outside the classroom, such as in a school, a clinic or in nature."],
  Qiz: ["quiz", "A meeting for quizzes; taken with a lecture."],
  Res: ["research", "Research of your own, supervised by the instructor."],
  Stu: ["studio", "Work in an art, design or theatre studio."],
  Tap: ["tutorial assistance program", "Tutors help a small group with a course; taken with its lecture."],
  Tut: ["tutorial", "Work alone or in a very small group with the instructor."],
};

const OTHERS: Named<string> = {
  TBA: ["to be announced", "The time or place is not set yet."],
  STAFF: ["staff", "The instructor has not been announced."],
  "ON LINE": ["online", "The section meets online; it has no room."],
  "VRTL REMOTE": ["remote", "The section meets by video at its hours; it has no room."],
  "off(2)": ["waitlist off", "The waitlist is closed; the number says how many students are still on it."],
  "n/a": ["no waitlist", "The section has no waitlist."],
  "Asked for": [
    "requests",
    "How often students have tried to enroll in the section, also when it was full; one student may count several times.",
  ],
  VAR: ["variable units", "You agree on the number of units with the instructor, within the range shown."],
  "Co-course": ["section taken together", "A discussion or laboratory that is taken together with a lecture."],
  GE: ["general education", "Every student takes courses of several categories, GE-I to GE-VIII, whatever the major."],
};

const entries = (group: Named<string>, prefix = ""): GlossaryEntry[] =>
  Object.entries(group).map(([word, [name, means]]) => ({ word: prefix + word, name, means }));

export const GLOSSARY: readonly GlossaryEntry[] = [
  ...entries(STATUS_WORDS),
  ...entries(RESTRICTIONS, "Restriction "),
  ...entries(SECTION_TYPE_WORDS),
  ...entries(OTHERS),
];

const keyOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
const BY_WORD = new Map(GLOSSARY.map((entry) => [keyOf(entry.word), entry]));

/** Undefined for a word that is not explained. `Restriction A` is the letter. */
export const explain = (word: string): GlossaryEntry | undefined => BY_WORD.get(keyOf(word));

/** Finds entries by word (`newonly`, `restriction a`) or by the beginning of their name. */
export function findWords(text: string): GlossaryEntry[] {
  const key = keyOf(text);
  if (key.length < 2) return [];
  return GLOSSARY.filter(
    ({ word, name }) =>
      keyOf(word) === key || (key.length > 3 && [word, name].some((text) => keyOf(text).startsWith(key))),
  ).toSorted((a, b) => Number(keyOf(b.word) === key) - Number(keyOf(a.word) === key));
}

/** Letters that keep some students out, besides prerequisites, fees and grading. */
const ACCESS = "BEFGHIJKLMNOX";

/** Returns what a student needs, or must be, to take a seat: `code required`, `majors only`. */
export function accessNotes(letters: string): string[] {
  const named = (letters.match(/\b[A-Z]\b/g) ?? []).filter((letter) => ACCESS.includes(letter));
  return [
    ...new Set(named.map((letter) => (/[BX]/.test(letter) ? "code required" : (RESTRICTIONS[letter]?.[0] ?? letter)))),
  ];
}

/** `A and L` → `prerequisite required (A) and majors only (L)`; a letter that is not known stays as it is. */
export const restrictionsInWords = (letters: string): string =>
  letters.replaceAll(/\b[A-Z]\b/g, (letter) =>
    RESTRICTIONS[letter] ? `${RESTRICTIONS[letter][0]} (${letter})` : letter,
  );
