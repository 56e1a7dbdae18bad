/** Every notation of a person goes from every text, whatever stands around it, and nobody else does. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutNames } from "../../../pipeline/forget/names-in-text.ts";
import { type Forgotten, noTombstones, openTombstones, withForgotten } from "../../../pipeline/forget/tombstones.ts";
import { NOTATIONS, type Person, traceOf } from "./notations.ts";

const PEOPLE: readonly Person[] = [
  { first: "Aurelio", middle: "Hugo", last: "Vane", netid: "avane", email: "avane@example.edu" },
  { first: "Tove", middle: "Ida", last: "O'Müller", netid: "tomuller", email: "tove@example.edu" },
  { first: "Ana", middle: "Kim", last: "Garcia-Marquez", netid: "anagm", email: "ana.g@example.edu" },
  { first: "Bo", middle: "Lee", last: "Garza Rodriguez", netid: "bogr", email: "bo@example.edu" },
];

const withoutThem = (people: readonly Person[]): Forgotten => {
  const own = people.flatMap(({ first, last }) => [`${last}, ${first.slice(0, 1)}.`, `${last}, ${first}`]);
  const [netids, emails] = [people.map(({ netid }) => netid), people.map(({ email }) => email)];
  return openTombstones(withForgotten(noTombstones(), { names: [], own, netids, emails, files: [] }, []));
};
const lists = new Map(PEOPLE.map((person) => [person, withoutThem([person])]));

/** The text that may surround a name, without words that belong to it. */
const AROUND: readonly (readonly [string, string])[] = [
  ["", ""],
  ["Ask ", " about it."],
  ["Taught by ", " and ROE, R.; see https://example.edu/roe?x=1&y=2"],
  ["<p>See ", "</p><p>Room <b>A&amp;B 100</b></p>"],
  ["(", "); ROE, R."],
  ['{"comment":"', '","units":"4"}'],
  ["35730\t", "\tMWF 8:00- 8:50"],
  ["ROE, R.;", ";LEE, K."],
];
const NAMES = NOTATIONS.map(([about]) => about);

it("there are more than sixty notations, each by its own name", () => {
  expect(new Set(NAMES).size).toBe(NOTATIONS.length);
  expect(NOTATIONS.length).toBeGreaterThan(60);
});

it.each(NOTATIONS)("%s goes, for each person and wherever it stands, and what is around it stays", (_, write) => {
  for (const [person, forgotten] of lists)
    for (const [before, after] of AROUND) {
      const written = write(person);
      const left = withoutNames(before + written + after, forgotten);
      expect([left.startsWith(before), left.endsWith(after)], left).toEqual([true, true]);
      const middle = left.slice(before.length, left.length - after.length);
      expect(traceOf(person, middle), middle).toBe(false);
      // Markup stays, but for what it says of the person.
      expect(middle.match(/<\/?[a-z]+/g) ?? []).toEqual(
        written.startsWith(`<${person.netid}`) || written.includes("@")
          ? expect.anything()
          : (written.match(/<\/?[a-z]+/g) ?? []),
      );
    }
});

it("several notations in one text go together, and once they are gone nothing more does", () => {
  const parts = fc.array(
    fc.oneof(
      fc.constantFrom(...NOTATIONS).chain(([, write]) => fc.constantFrom(...PEOPLE).map(write)),
      fc.constantFrom(
        "see",
        "Roe, R.",
        "MWF",
        "10:00;",
        "|",
        "\n",
        "<i>",
        "</i>",
        "&amp;",
        "and",
        "A",
        "a",
        "STAFF",
        "100%",
      ),
    ),
    { maxLength: 8 },
  );
  const everybody = withoutThem(PEOPLE);
  fc.assert(
    fc.property(parts, (all) => {
      const left = withoutNames(all.join(" ; "), everybody);
      for (const person of PEOPLE) expect(traceOf(person, left), left).toBe(false);
      expect(withoutNames(left, everybody)).toBe(left);
    }),
  );
});

describe("other people and words stay", () => {
  const names = ["Vane, Aurelio", "Long, Ann", "Young, Ian", "Hall, Ben", "Park, Grace", "Lee, Jo"];
  const own = names.flatMap((name) => [name, name.replace(/(?<=, .).*/, ".").toUpperCase()]);
  const spellings = { names: [], own, netids: ["avane", "long"], emails: [], files: ["UG Grades 2025.csv"] };
  const forgotten = openTombstones(withForgotten(noTombstones(), spellings, []));
  it.each([
    "Vaness, A.",
    "VANE, B.",
    "B. Vane",
    "Ada Vane",
    "Vane, Aurelia",
    "Vane Street",
    "on Vane Street, Avenue",
    "a weathervane",
    "Vane-Moss, A.",
    "Moss-Vane, A.",
    "Aurelio and Ida Moss",
    "a long lab",
    "A LONG LAB IS REQUIRED",
    "A Long Way Home",
    "AS LONG, A LAB",
    "however long, a lab",
    "LONG BEACH, A CITY",
    "I young",
    "HALL A",
    "Room Hall B, 2nd floor",
    "see A. Longer",
    "the park; grace period",
    "Jo and the Lee",
    "Lee Jordan, Leeway, J.",
    "and/or/long",
    "avane is a word",
    "avane2@example.edu, x.avane@example.edu, /people/avanes",
    "Tu 8:00-10:00 @ HALL 100",
    "a < b & c > d, 100%25, &copy; 2024",
    "Grades 2025.csv",
  ])("%s", (text) => expect(withoutNames(text, forgotten)).toBe(text));

  it.each([
    ["VANE, A. MOSS, B.", "STAFF MOSS, B."],
    ["VANE, A, MOSS, B", "STAFF, MOSS, B"],
    ["VANE, A and MOSS, B", "STAFF and MOSS, B"],
    ["Ask A Vane about it", "Ask STAFF about it"],
    ["See A. Vane. It is", "See STAFF. It is"],
    ["dropped UG Grades 2025.csv row 3", "dropped  row 3"],
    ["Vane, <b>A</b>.", "STAFF<b></b>"],
  ])("%s → %s", (text, left) => expect(withoutNames(text, forgotten)).toBe(left));
});

it("a last name alone is a person's behind a title, and in a comment where it owns something, if nobody else has it", () => {
  const listed = (own: string[]) =>
    openTombstones(withForgotten(noTombstones(), { names: [], own, netids: [], emails: [], files: [] }, []));
  const [alone, shared] = [listed(["YOUNG, A.", "YOUNG"]), listed(["YOUNG, A."])];
  for (const [text, left, isNotice] of [
    ["Young's section", "STAFF's section", true],
    ["Young&rsquo;s section", "STAFF&rsquo;s section", true],
    ["Young's modulus", "Young's modulus", false],
    ["See Prof. Young or Dr Young.", "See Prof. STAFF or Dr STAFF.", false],
    ["The young's, a young person, Young Hall", "The young's, a young person, Young Hall", true],
  ] as const) {
    expect(withoutNames(text, alone, { isNotice })).toBe(left);
    expect(withoutNames(text, shared, { isNotice })).toBe(text);
  }
  expect([alone, shared].map(({ isName }) => isName("YOUNG,"))).toEqual([true, false]);
});
