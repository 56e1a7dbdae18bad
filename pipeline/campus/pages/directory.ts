/** The staff directory: a posted name, and a list of people with scores. It knows students of the same name too, shouts, and encodes entities. */
import type { CampusResponse, Params } from "../listening/response.ts";
import { escapeHtml, htmlResponse } from "../html.ts";
import { fullName, type Person } from "../people.ts";
import { draw, hashText } from "../random.ts";
import type { PageData } from "../page-data.ts";

interface Entry {
  readonly person: Readonly<Record<string, string>>;
  readonly netid: string;
  readonly name: readonly string[];
  readonly words: ReadonlySet<string>;
}

/** One name in three is in capitals; one person in six has a student of the same last name beside them. */
const SHOUTED_SHARE = 0.33;
const STUDENT_SHARE = 0.16;
/** People with only the last word in common come after the others, at most three. */
const MOST_NEAR_MISSES = 3;

export function createDirectory({ people }: PageData): (method: string, params: Params) => CampusResponse {
  const entries = people
    .flat()
    .flatMap((person) => (person.netid === undefined ? [] : entriesOf(person, person.netid)));
  return (method, params) => {
    if (method !== "POST") {
      return htmlResponse(
        "Directory",
        '<h1>Directory</h1>\n<form method="post"><input name="uciKey" /><input name="filter" type="hidden" value="all" /></form>',
      );
    }
    return { status: 200, type: "application/json", body: JSON.stringify(lookUp(entries, params.get("uciKey") ?? "")) };
  };
}

function entriesOf(person: Person, netid: string): Entry[] {
  const seed = hashText(netid);
  const name = fullName(person);
  const department = person.department.name;
  const entry = toEntry(netid, name, draw(seed, 131) < SHOUTED_SHARE && canBeRestored(name), {
    Title: person.title,
    Department: department,
    Email: person.email,
    Nickname: person.first,
  });
  if (draw(seed, 132) >= STUDENT_SHARE) return [entry];
  const student = `Quinby ${person.last}`;
  const studentId = `q${netid}`.slice(0, 8);
  return [
    entry,
    toEntry(studentId, student, false, {
      Title: "",
      Department: department,
      Email: `${studentId}@example.edu`,
      Nickname: "Quinby",
      "Student's Level": "Senior",
    }),
  ];
}

/** A name is shouted only where putting its first letters back into capitals restores it. */
const canBeRestored = (name: string): boolean =>
  name === name.toLowerCase().replace(/(^| )\p{L}/gu, (start) => start.toUpperCase());

function toEntry(netid: string, name: string, shouted: boolean, fields: Readonly<Record<string, string>>): Entry {
  const shown = { Name: shouted ? name.toUpperCase() : name, UCInetID: netid, ...fields };
  const person = Object.fromEntries(
    Object.entries(shown).map(([key, value]) => [
      key,
      key === "Email" ? Buffer.from(value, "utf8").toString("base64") : encodeEntities(value),
    ]),
  );
  const split = wordsOf(name);
  return {
    person,
    netid,
    name: split,
    words: new Set([...split, ...wordsOf(fields.Department ?? ""), ...wordsOf(fields.Title ?? "")]),
  };
}

const encodeEntities = (text: string): string => escapeHtml(text).replaceAll("'", "&#39;");

/** Lower case, without accents and punctuation. */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f.'’]/g, "")
    .toLowerCase()
    .split(/[\s,-]+/)
    .filter(Boolean);

/** Everybody in whom all words are found, best first; nobody of that name is an empty list. */
function lookUp(entries: readonly Entry[], text: string): (readonly [score: number, person: Entry["person"]])[] {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return [];
  const hits: (readonly [number, Entry])[] = [];
  const near: (readonly [number, Entry])[] = [];
  for (const entry of entries) {
    const found = wanted.filter(
      (word) => entry.words.has(word) || entry.name.some((part) => part.startsWith(word)),
    ).length;
    if (found === wanted.length) hits.push([10 + found - 0.25 * Math.max(0, entry.name.length - found), entry]);
    else if (wanted.length > 1 && entry.name.at(-1) === wanted.at(-1)) near.push([found / wanted.length, entry]);
  }
  const best = (a: readonly [number, Entry], b: readonly [number, Entry]): number =>
    b[0] - a[0] || (a[1].netid < b[1].netid ? -1 : 1);
  const listed = hits.length === 0 ? [] : [...hits.sort(best), ...near.sort(best).slice(0, MOST_NEAR_MISSES)];
  return listed.map(([score, { person }]) => [Math.round(score * 100) / 100, person]);
}
