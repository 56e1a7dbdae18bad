/** Selects the person with a given name among the directory's results. */
import { nameWords, toFacultyName } from "./person-name.ts";

export interface Candidate {
  readonly netid: string;
  readonly name: string;
  readonly nickname: string;
  readonly isStudent: boolean;
}

/**
 * Returns the entries of all people of exactly that name, else of the only person whose first and last name agree and
 * whose middle names do not contradict it. Students never match.
 */
export function choosePeople<T extends Candidate>(name: string, candidates: readonly T[]): T[] {
  const wanted = nameWords(name);
  const staff = candidates
    .filter(({ isStudent }) => !isStudent)
    .map((person) => ({ person, words: nameWords(toFacultyName(person.name)) }));
  const exact = staff.filter(({ words }) => words.join(" ") === wanted.join(" "));
  const close =
    exact.length > 0 ? exact : staff.filter(({ person, words }) => agrees(wanted, words, nameWords(person.nickname)));
  const isOne = new Set(close.map(({ person }) => person.netid)).size === 1;
  return exact.length > 0 || isOne ? close.map(({ person }) => person) : [];
}

function agrees(wanted: readonly string[], words: readonly string[], nickname: readonly string[]): boolean {
  if (wanted.length < 2 || words.length < 2 || wanted.at(-1) !== words.at(-1)) return false;
  const [first = "", candidateFirst = ""] = [wanted[0], words[0]];
  if (!startsAlike(first, candidateFirst) && first !== nickname[0]) return false;
  const [shorter, longer] = [wanted.slice(1, -1), words.slice(1, -1)].sort((a, b) => a.length - b.length) as [
    string[],
    string[],
  ];
  return isFound(shorter, longer);
}

/** True if the names are equal, or one is an initial or a short form of the other. */
const startsAlike = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);

/** True when every middle name of the shorter list occurs in the longer one, in order. */
function isFound(shorter: readonly string[], longer: readonly string[]): boolean {
  let from = 0;
  return shorter.every((name) => {
    while (from < longer.length && !startsAlike(name, longer[from] ?? "")) from++;
    return from++ < longer.length;
  });
}
