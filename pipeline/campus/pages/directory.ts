/**
 * The staff directory: a posted name, and a list of people with scores. It also has students of the same name, prints
 * names in capitals, and encodes entities.
 */
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

/** One name in three is in capitals; beside one person in six there is a student with the same last name. */
const SHOUTED_SHARE = 0.33;
const STUDENT_SHARE = 0.16;
/** People who match only by the last word follow the others, at most three. */
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

/** True when a name in capitals can be restored: capitalizing its first letters yields the name. */
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

/** Everybody who matches all words, best first; empty if nobody does. */
function lookUp(entries: readonly Entry[], text: string): (readonly [score: number, person: Entry["person"]])[] {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return [];
  const hits: (readonly [number, Entry])[] = [];
  const near: (readonly [number, Entry])[] = [];
  for (const entry of entries) {
    const matches = wanted.filter(
      (word) => entry.words.has(word) || entry.name.some((part) => part.startsWith(word)),
    ).length;
    if (matches === wanted.length) hits.push([10 + matches - 0.25 * Math.max(0, entry.name.length - matches), entry]);
    else if (wanted.length > 1 && entry.name.at(-1) === wanted.at(-1)) near.push([matches / wanted.length, entry]);
  }
  const best = (a: readonly [number, Entry], b: readonly [number, Entry]): number =>
    b[0] - a[0] || (a[1].netid < b[1].netid ? -1 : 1);
  const listed = hits.length === 0 ? [] : [...hits.sort(best), ...near.sort(best).slice(0, MOST_NEAR_MISSES)];
  return listed.map(([score, { person }]) => [Math.round(score * 100) / 100, person]);
}
