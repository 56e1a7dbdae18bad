/**
 * The person behind an instructor's name: a placeholder is nobody, and every notation of a name becomes the schedule's.
 */
import { describe, expect, it, test } from "vitest";
import { isNobody } from "../../../pipeline/normalize/people/nobody.ts";
import { toInstructors, toSheetInstructors, toShortName } from "../../../pipeline/normalize/people/short-name.ts";

const PLACEHOLDERS = [
  "STAFF",
  "THE STAFF",
  "STAFF, T.",
  "T. Staff",
  "Staff, Teaching",
  "Department Staff",
  "TBA",
  "TBD",
  "T.B.A.",
  "T B D",
  "T. B. A.",
  "TBA, T.",
  "Instructor TBD",
  "INSTRUCTOR, UNKNOWN",
  "Unknown Instructor",
  "UNKNOWN, I.",
  "INSTRUCTOR, U.",
  "UNKNOWN INSTRU",
  "To Be Determined",
  "DETERMINED, TO BE",
  "ANNOUNCED, T.",
  "Not Yet Assigned",
  "No Instructor Assigned",
  "REDACTED",
  "[REDACTED]",
  "[Name withheld]",
  "N/A",
  "n.a.",
  "VACANT",
  "Vacant Position",
  "Unassigned",
  "Faculty Member",
  "none",
  "???",
  "--",
];

describe("nobody", () => {
  const forms = (name: string) => [
    name,
    name.toLowerCase(),
    ` ${name.toUpperCase()} `,
    `(${name})`,
    `**${name}**`,
    `${name} 2`,
    ...(/[a-z]/i.test(name) ? [`The ${name}`] : []),
  ];
  test.each(PLACEHOLDERS)("%s, in any case, with any punctuation", (name) => {
    for (const form of forms(name)) expect([form, isNobody(form)]).toEqual([form, true]);
  });

  // Both are fourteen characters long.
  test.each(["STAFF UNASSIGN", "UNKNOWN INSTRU"])("%s, whose last word was cut", (name) =>
    expect(isNobody(name)).toBe(true),
  );
  test.each(["STAFF NON", "NON STAFF", "UNASSIGN STAFF", "UNDISCLOSED UN", "UNKNOWN SOLDIE"])(
    "not %s: a word is short for a placeholder only where the name was cut, behind more than two letters",
    (name) => expect(isNobody(name)).toBe(false),
  );

  test.each([
    "STAFFORD, J.",
    "STAFF, J.",
    "Jane Staff",
    "TBDER",
    "NA, J.",
    "NA, T.",
    "An Na",
    "NULL, N.",
    "TO, N.",
    "NOT, I.",
    "VACANTI, C.",
    "UNKNOWN SOLDIER, A.",
    "THE, T.",
    "Thea Staffel",
    "NAMED, I.",
    "NONE, U.",
    "TABA, T.",
    "Nobody Owens",
    "TBA LEE",
    "O",
    "The",
  ])("not %s, who is somebody", (name) => expect(isNobody(name)).toBe(false));
});

test.each<[string, string]>([
  ["LEE, J.", "LEE, J."],
  ["LEE, J", "LEE, J."],
  ["LEE,J.", "LEE, J."],
  ["LEE, J.K.", "LEE, J.K."],
  ["Lee, J. K.", "LEE, J.K."],
  ["Lee, John", "LEE, J."],
  ["LEE, JOHN", "LEE, J."],
  ["Lee, John A.", "LEE, J."],
  ["Lee, John, Jr.", "LEE, J."],
  ["Müller, Émile", "MÜLLER, É."],
  ["Müller, Émile".normalize("NFD"), "MÜLLER, É.".normalize("NFD")],
  ["Müller É.".normalize("NFD"), "MÜLLER, É.".normalize("NFD")],
  ["Featherstonehaugh, Quentin", "FEATHERSTONEHA, Q."],
  ["John Lee", "LEE, J."],
  ["JOHN LEE", "LEE, J."],
  ["John A. Lee", "LEE, J."],
  ["J. Lee", "LEE, J."],
  ["J.K. Lee", "LEE, J."],
  ["John Lee, Ph.D.", "LEE, J."],
  ["John Lee III", "LEE, J."],
  ["Dr. John Lee", "LEE, J."],
  ["Pia van der Sirk", "VAN DER SIRK, P."],
  ["Sean O'Dell-Oakford", "O'DELL-OAKFORD, S."],
  ["Lee J.", "LEE, J."],
  ["Lee J", "LEE, J."],
  ["GARZA RODRIGUE, A.", "GARZA RODRIGUE, A."],
  ["Lee", "LEE"],
  ["LEE,", "LEE"],
  [" Dr. John Lee ", "LEE, J."],
  ["Lee, Dr. John", "LEE, J."],
  ["LEE, PROF. J. K.", "LEE, J.K."],
  ["LEE , J.", "LEE, J."],
  // A part of a name that looks like what stands behind one.
  ["Lee, Ivan", "LEE, I."],
  ["John Ivanov", "IVANOV, J."],
  [", John", "JOHN"],
  ["Abcdefghijklm Nopq, Ana", "ABCDEFGHIJKLM, A."],
  ["LEE, 7 John", "LEE, 7 John"],
  ["Lee7", "LEE7"],
  ["Vane Lor..", "VANE LOR"],
  // Last names that the records office has cut before the initial.
  ["Vane Lor.", "VANE LOR"],
  ["VANENSTOLPER LORCANE.", "VANENSTOLPER L"],
  // No name in any notation that is known.
  ["LEE, J. (lab)", "LEE, J. (lab)"],
  ["Group 7 of 9", "Group 7 of 9"],
])("%s is written %s", (text, name) => {
  expect(toShortName(text)).toBe(name);
});

it("a section's placeholders read STAFF, once, and each but STAFF itself is told", () => {
  const told: string[] = [];
  expect(toInstructors([" Lee, John ", "TBA", "", "The Staff", "STAFF"], (text) => told.push(text))).toEqual([
    "LEE, J.",
    "STAFF",
  ]);
  expect(told).toEqual(["TBA", "The Staff"]);
});

it("a name in capitals is in the schedule's form only with initials behind a comma", () => {
  expect(toInstructors(["JOHN LEE", "Kim, S.", " GORE,  C. "])).toEqual(["LEE, J.", "KIM, S.", "GORE,  C."]);
});

it("a name in the schedule's own form stays letter by letter", () => {
  const own = ["GORE,  C.", "FENOR,", "LEE, J", "LEE,J.", "LEE, J. K.", "MÜLLER, É.".normalize("NFD"), "ØRSTED, Ł."];
  expect(toInstructors(own)).toEqual(own);
});

it.each<[string, string[]]>([
  ["Marwood A.", ["MARWOOD, A."]],
  ["VAN  MARREN J", ["VAN MARREN, J."]],
  ["O'Dell-Oakford P.R.", ["O'DELL-OAKFORD, P."]],
  ["OAKFORD, T.K.; VAN MARREN, J.; OAKFORD, T.K.", ["OAKFORD, T.", "VAN MARREN, J."]],
  ["Oakford T. / Marren J. & Lee, John", ["OAKFORD, T.", "MARREN, J.", "LEE, J."]],
  ["OAKFORD, T.; STAFF", ["OAKFORD, T."]],
  ["Lee J. AND Kim S.", ["LEE, J.", "KIM, S."]],
  ["Lee J. | Kim S.", ["LEE, J.", "KIM, S."]],
  // The whole is a placeholder, though its first part could be a name.
  ["TO BE; ANNOUNCED", []],
  ["Marren Oakfordes J.", ["MARREN OAKFORD, J."]],
  ["O Brannagh K.", ["O BRANNAGH, K."]],
  ["O. Oakford K.L.", ["O. OAKFORD, K."]],
  ["Oakford J.D.", ["OAKFORD, J."]],
  ["Oakford J.R.", ["OAKFORD, J."]],
  ["Oakford.", ["OAKFORD"]],
  ["N/A", []],
  ["", []],
])("in a sheet, %s is written as the schedule would", (text, names) => {
  expect(toSheetInstructors(text)).toEqual(names);
});

it("placeholders in a sheet are told as they stand there", () => {
  const told: string[] = [];
  expect(
    ["TO BE; ANNOUNCED", "LEE, J.; TBA ", "STAFF"].map((text) => toSheetInstructors(text, (cell) => told.push(cell))),
  ).toEqual([[], ["LEE, J."], []]);
  expect(told).toEqual(["TO BE; ANNOUNCED", "TBA"]);
});
