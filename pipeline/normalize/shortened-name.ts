/** `SMITH, J.`: a person's name as the schedule shortens it. */
import { departmentKey } from "../contract/vocabulary.ts";
import { unaccented } from "./person-name.ts";

/** The schedule's field for the last name ends after so many characters: `GARZA RODRIGUE, A.`. */
const LAST_NAME_LENGTH = 14;

/** How often our own schedule and grades have each shortened name, by department code. */
export type SeenNames = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Words that belong to the last name which follows them. */
const PARTICLES: ReadonlySet<string> = new Set(
  "al da das de del della den der di do dos du el la las le los san st ten ter van von".split(" "),
);

/**
 * The spelling that our own schedule has most often: in the person's departments, or at all. Among what the name can be shortened to, the last name
 * has one word or several, and one initial stands for the first name or several for the middle names too. A person whom the schedule does not have
 * gets the usual form: particles belong to the last name, one initial.
 */
export function shortenName(name: string, departments: readonly string[], seen: SeenNames): string {
  const words = unaccented(name)
    .replace(/["“(][^"”)]*["”)]/g, " ")
    .split(/\s+/)
    .filter(Boolean);
  const usual = usualForm(words);
  const forms = [usual, ...possibleForms(words)].filter((form, i, all) => all.indexOf(form) === i);
  const own = new Set(departments.map(departmentKey));
  const counts = forms.map((form) => ({ form, ...countOf(seen.get(form), own) }));
  const best = counts.reduce((a, b) => (b.own > a.own || (b.own === a.own && b.total > a.total) ? b : a));
  if (best.total > 0) return best.form;
  return onlyOtherInitials(usual, own, seen) ?? usual;
}

const lastName = (words: readonly string[]): string => words.join(" ").toUpperCase().slice(0, LAST_NAME_LENGTH).trim();
const initial = (word = ""): string => `${word.charAt(0).toUpperCase()}.`;

function usualForm(words: readonly string[]): string {
  let from = words.length - 1;
  while (from > 1 && PARTICLES.has(words[from - 1]?.toLowerCase() ?? "")) from--;
  return words.length < 2 ? lastName(words) : `${lastName(words.slice(from))}, ${initial(words[0])}`;
}

function possibleForms(words: readonly string[]): string[] {
  return words.slice(1).flatMap((_, i) => {
    const before = words.slice(0, i + 1);
    const last = lastName(words.slice(i + 1));
    return before.map(
      (_, n) =>
        `${last}, ${before
          .slice(0, n + 1)
          .map(initial)
          .join("")}`,
    );
  });
}

function countOf(
  counts: ReadonlyMap<string, number> | undefined,
  own: ReadonlySet<string>,
): { own: number; total: number } {
  const result = { own: 0, total: 0 };
  for (const [department, count] of counts ?? []) {
    result.total += count;
    if (own.has(departmentKey(department))) result.own += count;
  }
  return result;
}

/** A middle initial that the directory does not know: `VANE, M.K.` for Mira Vane, when no other `VANE, M.…` teaches in her departments. */
function onlyOtherInitials(usual: string, own: ReadonlySet<string>, seen: SeenNames): string | undefined {
  if (!usual.endsWith(".")) return undefined;
  const others = [...seen].filter(([form, counts]) => form.startsWith(usual) && countOf(counts, own).own > 0);
  return others.length === 1 ? others[0]?.[0] : undefined;
}
