/** Cells that name several people: two people, or nobody and a line in the report; never one person with both names. */
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { isSamePerson } from "../../../pipeline/normalize/people/same-person.ts";
import { toSheetInstructors } from "../../../pipeline/normalize/people/short-name.ts";

function read(cell: string) {
  const unclear: string[] = [];
  const names = toSheetInstructors(cell, undefined, (text) => unclear.push(text));
  return { names, unclear };
}

const person = fc.record({
  last: fc.constantFrom("VANE", "MOSS", "O'DELL", "VAN MARREN", "LEE-KIM", "MÜLLER"),
  first: fc.constantFrom("IDA", "ALDO", "ÉMILE"),
  middle: fc.constantFrom("", " M.", " K"),
});
type Person = ReturnType<typeof person.generate>["value"];

const NOTATIONS: Readonly<Record<string, (person: Person) => string>> = {
  "LAST, FIRST": ({ last, first, middle }) => `${last}, ${first}${middle}`,
  "LAST, F.": ({ last, first }) => `${last}, ${first.slice(0, 1)}.`,
  "Last F.": ({ last, first }) => `${last} ${first.slice(0, 1)}.`,
};
const SEPARATORS = [", ", " / ", "/", "; ", ";", " & ", "&", " and ", " AND ", "\n", " | ", ", and "];

test("two or three people are told apart, whatever stands between them", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(person, { minLength: 2, maxLength: 3, selector: ({ last }) => last }),
      fc.constantFrom(...Object.values(NOTATIONS)),
      fc.constantFrom(...SEPARATORS),
      (people, notation, separator) => {
        const { names, unclear } = read(people.map(notation).join(separator));
        const expected = people.map(({ last, first }) => `${last}, ${first.slice(0, 1)}.`);
        expect(unclear.length > 0 ? unclear.length : names).toEqual(unclear.length > 0 ? 1 : expected);
        // Only particles may make it ambiguous.
        if (people.every(({ last }) => !last.includes(" "))) expect(unclear).toEqual([]);
      },
    ),
  );
});

describe("a cell that may mean one person or two gives nobody and is told", () => {
  it.each([
    "VANE, IDA, MOSS",
    "VANE, IDA  MOSS, ALDO",
    "VANE, IDA AND ALDO",
    "VANE, IDA & ALDO",
    "Ida Vane, Aldo Moss",
    "Ida Vane, Aldo Moss, Ann Lee, Bo Kim",
    "Vane I., Moss",
    "VANE I MOSS A",
    "VANE, IDA (MOSS, ALDO)",
    "VANE, MOSS, LEE",
  ])("%s", (cell) => expect(read(cell)).toEqual({ names: [], unclear: [cell] }));
});

it.each<[string, string[]]>([
  ["VANE, IDA, JR.", ["VANE, I."]],
  ["VANE, IDA, PH.D.", ["VANE, I."]],
  ["VANE, IDA, STAFF", ["VANE, I."]],
  ["VANE, IDA; N/A", ["VANE, I."]],
  ["GARZA RODRIGUE, ANA", ["GARZA RODRIGUE, A."]],
  ["GARZA RODRIGUE, ANA MARIA", ["GARZA RODRIGUE, A."]],
  ["DE LA CRUZ, ANA ELENA", ["DE LA CRUZ, A."]],
  ["VANE, IDA MARIE, MOSS, ALDO", ["VANE, I.", "MOSS, A."]],
  ["VANE I. MOSS A.", ["VANE, I.", "MOSS, A."]],
  ["J. Lee, K. Moss", ["LEE, J.", "MOSS, K."]],
  ["IDA VANE, ALDO MOSS, ANN LEE", ["VANE, I.", "MOSS, A.", "LEE, A."]],
  ["VANE/MOSS", ["VANE", "MOSS"]],
  ["Mira K. Vane", ["VANE, M."]],
])("%s is %j", (cell, names) => expect(read(cell)).toEqual({ names, unclear: [] }));

test.each<[string, string, boolean]>([
  ["VANE, I.", "VANE, IDA M.", true],
  ["VANE, I.", "Vane I.M.", true],
  ["VANE", "VANE, I.", true],
  ["MÜLLER, E.", "Muller, Erik", true],
  ["SMITH-JONES, A.", "Smith Jones A.", true],
  ["GARZA RODRIGUE, A.", "GARZA RODRIGUEZ, A.", true],
  ["GARZA RODRIGUE, A.", "Garza A.", true],
  ["VANE, I.", "VANE, A.", false],
  ["VANE, I.M.", "VANE, I.K.", false],
  ["VANE, I.", "MOSS, I.", false],
  ["VANE", "VANEK, I.", false],
])("%s and %s are the same person: %s", (left, right, isSame) => {
  expect([isSamePerson(left, right), isSamePerson(right, left)]).toEqual([isSame, isSame]);
});
