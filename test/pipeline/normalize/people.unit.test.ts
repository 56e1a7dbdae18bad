import { describe, expect, test } from "vitest";
import { choosePeople } from "../../../pipeline/normalize/people/directory-match.ts";
import { toFaculty } from "../../../pipeline/normalize/people/faculty.ts";
import { toDirectoryInstructors } from "../../../pipeline/normalize/people/instructor.ts";
import { spellingsOf, toFacultyName, toProperCase } from "../../../pipeline/normalize/people/person-name.ts";
import { createSeenNames, shortenName } from "../../../pipeline/normalize/people/shortened-name.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";

describe("names of the faculty lists", () => {
  test.each([
    ["Mira Vane, Ph.D.", "Mira Vane"],
    ["Mira Vane III, Ph.D.", "Mira Vane"],
    ["Mira Vane IV", "Mira Vane"],
    ["Mira Vane Jr., M.D.", "Mira Vane"],
    // Numerals are only in capitals.
    ["Ylva Durk Vi, Ph.D.", "Ylva Durk Vi"],
    ["Quirin N X Peths", "Quirin N X Peths"],
    ["Li Li", "Li Li"],
    ["MIRA VI", "MIRA VI"],
    ["Vane, Mira", "Mira Vane"],
    ["Vane, LLB", "Vane"],
    ["de la Vane, Mira K., Ph.D.", "Mira K. de la Vane"],
    ["VANE, MIRA", "MIRA VANE"],
    ["Mira Vane, Professor", "Mira Vane"],
    ["Vane, MFA", "Vane"],
    ["Prof. Dr. Mira Vane", "Mira Vane"],
    ["Mira Vane (Emerita)*", "Mira Vane"],
    ["Mira Vane Ph.D.", "Mira Vane"],
    ["  Mira   Vane ", "Mira Vane"],
  ])("%s", (printed, name) => expect(toFacultyName(printed)).toBe(name));

  test("one person on several pages: schools and departments add up, in the order of the pages", () => {
    const page = (school: string, departments: string[], ...faculty: string[]) => ({ school, departments, faculty });
    expect(
      toFaculty([
        page("Arts", [], "Mira Vane, Ph.D."),
        page("Arts", ["DANCE", "DRAMA"], "Odd Lor", "Mira Vane"),
        page("Law", ["LAW"], "MIRA VANE III", ""),
        page("Law", ["D RAMA", "LAW"], "Mira Vané"),
      ]),
    ).toEqual([
      { name: "Mira Vane", schools: ["Arts", "Law"], relatedDepartments: ["DANCE", "DRAMA", "LAW"] },
      { name: "Odd Lor", schools: ["Arts"], relatedDepartments: ["DANCE", "DRAMA"] },
    ]);
  });

  test("names are told apart by their words", () => {
    const [first, second] = toFaculty([
      { school: "Arts", departments: [], faculty: ["Ana Lee", "An Alee", " - ", "Ana - Lee"] },
    ]);
    expect([first?.name, second?.name]).toEqual(["Ana Lee", "An Alee"]);
  });

  test.each([
    // Initials between the first and the last word; what only ends or begins like one is a name.
    ["J. McK Lor K. V O.", ["J. McK Lor K. V O.", "J. McK Lor O.", "J. O."]],
    [" Mira (Mimi) Vane (retired)", ["Mira (Mimi) Vane (retired)", "Mira Vane"]],
    ['Mira"Mimi"Vane', ['Mira"Mimi"Vane', "Mira Vane"]],
    ['"Mimi"', ['"Mimi"']],
    ["", []],
    ["José K. Vane-Lor", ["José K. Vane-Lor", "Jose K. Vane-Lor", "Jose K. Vane Lor", "Jose Vane-Lor"]],
    ['Mira "Mimi" Vane', ['Mira "Mimi" Vane', "Mira Vane"]],
    ["Mira Anna Vane", ["Mira Anna Vane", "Mira Vane"]],
    ["Vane", ["Vane"]],
  ])("spellings of %s", (name, expected) => expect(spellingsOf(name)).toEqual(expected));

  test.each([
    ["MIRA O'VANE-LOR", "Mira O'Vane-Lor"],
    ["ODD É. VANE", "Odd É. Vane"],
  ])("shouted: %s", (name, expected) => expect(toProperCase(name)).toBe(expected));
});

describe("who is meant", () => {
  const person = (name: string, more: { netid?: string; nickname?: string; isStudent?: boolean } = {}) => ({
    name,
    netid: name,
    nickname: "",
    isStudent: false,
    ...more,
  });
  const chosen = (name: string, ...people: ReturnType<typeof person>[]) =>
    choosePeople(name, people).map((person) => person.name);

  test("the exact name goes before a longer one", () => {
    expect(chosen("Mira Vane", person("Mira K Vane"), person("Mira Vane"))).toEqual(["Mira Vane"]);
    expect(chosen("José O'Vane", person("JOSE OVANE"))).toEqual(["JOSE OVANE"]);
  });
  test("a middle name more, an initial, a short form, a nickname", () => {
    expect(chosen("Mira Vane", person("Mira K Vane"))).toEqual(["Mira K Vane"]);
    expect(chosen("Mira Karla Vane", person("Mira K. Vane"))).toEqual(["Mira K. Vane"]);
    expect(chosen("Jon Vane", person("Jonathan Vane"))).toEqual(["Jonathan Vane"]);
    expect(chosen("Mimi Vane", person("Wilhelmina Vane", { nickname: "Mimi" }))).toEqual(["Wilhelmina Vane"]);
  });
  test.each(["Mira Vane III", "Mira Vane, M.D., Ph.D.", "Dr. Mira Vane", "Vane, Mira, Ph.D."])(
    "titles, degrees and numerals of the directory do not count: %s",
    (name) => {
      expect(chosen("Mira Vane", person(name))).toEqual([name]);
      const found = { name, netid: "mvane", title: "", department: "", email: "" };
      const member = { name: "Mira Vane", schools: [], relatedDepartments: [] };
      const rows = toDirectoryInstructors([{ member, people: [found] }], new Map(), createTally("instructors"));
      expect(rows).toMatchObject([{ shortenedName: "VANE, M." }]);
    },
  );
  test("near misses are rejected", () => {
    expect(chosen("Mira Vane", person("Odd Vane"))).toEqual([]);
    expect(chosen("Mira Vane", person("Mira Lor"))).toEqual([]);
    expect(chosen("Mira K Vane", person("Mira O Vane"))).toEqual([]);
    expect(chosen("Mira Vane", person("Mira K Vane"), person("Mira O Vane"))).toEqual([]);
    expect(chosen("Vane", person("Mira Vane"))).toEqual([]);
  });
  test("middle names come in one order, and either side may have fewer", () => {
    expect(chosen("Mira Karla Vane", person("Mira Vane"))).toEqual(["Mira Vane"]);
    expect(chosen("Mira K Olga Vane", person("Mira Karla Lor Olga Vane"))).toHaveLength(1);
    expect(chosen("Mira Olga Karla Vane", person("Mira Karla Olga Vane"))).toEqual([]);
    expect(chosen("Mira K K Vane", person("Mira Karla Olga Vane"))).toEqual([]);
    expect(chosen("Mira M Vane", person("Mira Olga Vane"))).toEqual([]);
  });
  test("one word is no name of anybody who has two, whatever the nickname", () => {
    expect(chosen("Vane", person("Mira Vane", { nickname: "Vane" }))).toEqual([]);
    expect(chosen("Mira Vane", person("Vane", { nickname: "Mira" }))).toEqual([]);
  });
  test("students are excluded, also under the exact name", () => {
    expect(chosen("Mira Vane", person("Mira Vane", { isStudent: true }))).toEqual([]);
    expect(chosen("Mira Vane", person("Mira Vane", { isStudent: true }), person("Mira K Vane"))).toEqual([
      "Mira K Vane",
    ]);
  });
  test("several people of exactly one name", () => {
    expect(chosen("Mira Vane", person("Mira Vane"), person("MIRA VANE"))).toHaveLength(2);
  });
  test("several entries of one person are that person", () => {
    const entries = [person("Mira K Vane", { netid: "mvane" }), person("Mira Karla Vane", { netid: "mvane" })];
    expect(chosen("Mira Vane", ...entries)).toHaveLength(2);
  });
});

describe("rows", () => {
  const entry = (name: string, netid: string) => ({
    name,
    netid,
    title: "Professor",
    department: "Dance",
    email: `${netid}@example.edu`,
  });
  const member = (name: string, ...schools: string[]) => ({ name, schools, relatedDepartments: [] as string[] });
  const build = (...members: Parameters<typeof toDirectoryInstructors>[0]) => {
    const tally = createTally("instructors");
    return { rows: toDirectoryInstructors(members, new Map(), tally), report: tally.report("published", 0) };
  };

  test("two spellings of one person are one row", () => {
    const { rows } = build(
      { member: member("Mira Vane", "Arts"), people: [entry("Mira Vane", "mvane")] },
      { member: member("M. Vane", "Law"), people: [entry("Mira Vane", "mvane")] },
    );
    expect(rows).toMatchObject([{ netid: "mvane", schools: ["Arts", "Law"], shortenedName: "VANE, M." }]);
  });

  test("who is not in the directory is dropped by name; several of one name are each published and noted", () => {
    const { rows, report } = build(
      { member: member("Odd Lor"), people: [] },
      { member: member("Mira Vane"), people: ["mvane2", "mvane", "mvane3"].map((netid) => entry("Mira Vane", netid)) },
    );
    expect(rows.map(({ netid }) => netid)).toEqual(["mvane", "mvane2", "mvane3"]);
    expect(report).toMatchObject({
      read: 2,
      kept: 3,
      dropped: [{ names: ["Odd Lor"] }],
      noted: [{ reason: "several people of one name", names: ["Mira Vane"] }],
    });
  });

  test("of several entries of one person the first is kept, and the report has both", () => {
    const lecturer = { ...entry("Mira Vane", "mvane"), title: "Lecturer" };
    const { rows, report } = build({ member: member("Mira Vane"), people: [lecturer, entry("Mira Vane", "mvane")] });
    expect(rows).toMatchObject([{ netid: "mvane", title: "Lecturer" }]);
    expect(report.noted).toEqual([
      {
        reason: "a person with several entries in the directory",
        count: 1,
        names: ["mvane: Lecturer, Dance is kept; Professor, Dance"],
      },
    ]);
  });

  test("a placeholder name is dropped, in the faculty list and in the directory", () => {
    const { rows, report } = build(
      { member: member("The Staff"), people: [entry("Mira Vane", "mvane")] },
      { member: member("Mira Lor"), people: [entry("TBA", "tba")] },
      { member: member("Odd Lor"), people: [entry("Odd Lor", "olor"), entry("Staff", "staff")] },
      { member: member("Pia Sirk"), people: [] },
    );
    expect(rows.map(({ netid }) => netid)).toEqual(["olor"]);
    expect([report.dropped, report.noted]).toEqual([
      [
        { reason: "a placeholder name", count: 2, names: ["The Staff", "Mira Lor"] },
        { reason: "the directory does not have the name", count: 1, names: ["Pia Sirk"] },
      ],
      [],
    ]);
  });

  test("a shouted name is written as the faculty list writes it, else with capital initials", () => {
    const names = (listed: string, shouted: string) =>
      build({ member: member(listed), people: [entry(shouted, "x")] }).rows[0]?.name;
    expect(names("Mira McVane", "MIRA MCVANE")).toBe("Mira McVane");
    expect(names("Mira Vane", "MIRA KARLA VANE")).toBe("Mira Karla Vane");
    expect(names("MIRA VANE", "MIRA VANE")).toBe("MIRA VANE");
    expect(names("Mira vane", "Mira Vane")).toBe("Mira Vane");
  });
});

describe("shortened name", () => {
  const seen = (names: Record<string, Record<string, number>>) =>
    createSeenNames(Object.entries(names).map(([name, counts]) => [name, new Map(Object.entries(counts))] as const));

  test.each([
    ["Mira Vane", "VANE, M."],
    ["Mira K Vane", "VANE, M."],
    ["Mira Vane-Lor", "VANE-LOR, M."],
    ["Pia van der Sirk", "VAN DER SIRK, P."],
    ["Ana Garza Rodriguez Lopez", "LOPEZ, A."],
    // "the schedule cuts the surname field at 14 characters"
    ["Mira Vanenstolperbergen", "VANENSTOLPERBE, M."],
    ["José Ibáñez", "IBANEZ, J."],
    ["Öztürk Łukasz Weiß", "WEISS, O."],
    ["Aða Kjærgaardsholmen", "KJAERGAARDSHOL, A."],
    ["Vane", "VANE"],
    ['Mira"Mimi"Vane', "VANE, M."],
    ["Mira Vane (retired)", "VANE, M."],
    // A particle is no first name.
    ["Van Lee", "LEE, V."],
  ])("of %s, when the schedule does not have the person", (name, expected) =>
    expect(shortenName(name, [], new Map())).toBe(expected),
  );

  test("the spelling that the schedule has", () => {
    expect(shortenName("Ana Garza Rodriguez", [], seen({ "GARZA RODRIGUE, A.": { MATH: 2 } }))).toBe(
      "GARZA RODRIGUE, A.",
    );
    expect(shortenName("Mira K Vane", [], seen({ "VANE, M.K.": { MATH: 2 } }))).toBe("VANE, M.K.");
  });
  test.each([
    ["Erik Müller", "MÜLLER, E."],
    ["Erik Muller", "MÜLLER, E."],
    ["Erik Mu\u0308ller", "MÜLLER, E."],
    ["Erik Müller", "MULLER, E."],
    ["Erik Müller", "MU\u0308LLER, E."],
    ["Étienne Weiß", "WEISS, É."],
    ["Etienne Weiss", "WEIẞ, E."],
    ["Ola Ørsted-Łoś", "ØRSTED-ŁOŚ, O."],
    ["Mira McVane", "McVane, M."],
    ["Sean O’Neill", "O'NEILL, S."],
    // Cut at fourteen letters, in each way that a letter can be counted.
    ["Åse Kjærgaardsholmen", "KJÆRGAARDSHOLM, Å."],
    ["Åse Kjærgaardsholmen", "KJAERGAARDSHOL, A."],
    ["Jürgen Müllerschönhäuser", "MÜLLERSCHÖNHÄU, J."],
    ["Jürgen Müllerschönhäuser", "MULLERSCHONHAU, J."],
    ["Jürgen Müllerschönhäuser", "MÜLLERSCHÖNHÄU".normalize("NFD").slice(0, 14) + ", J."],
  ])("%s goes by the schedule's spelling %s", (name, spelling) => {
    expect(shortenName(name, [], seen({ [spelling]: { MATH: 1 }, "OTHER, X.": { MATH: 5 } }))).toBe(spelling);
  });
  test("of several spellings the most frequent one; together they count as one name", () => {
    const names = seen({ "GARCÍA, M.": { MATH: 3 }, "GARCIA, M.": { MATH: 4 }, "LOR GARCIA, M.": { MATH: 6 } });
    expect(shortenName("Mira Lor García", ["MATH"], names)).toBe("GARCIA, M.");
    expect(shortenName("Mira García", [], seen({ "GARCÍA, M.K.": { MATH: 1 }, "GARCIA, M.K.": { MATH: 2 } }))).toBe(
      "GARCIA, M.",
    );
    expect(shortenName("Mira García", ["MATH"], seen({ "GARCÍA, M.K.": { MATH: 1 } }))).toBe("GARCÍA, M.K.");
  });
  test("of equally frequent ones the first", () =>
    expect(shortenName("Mira García", [], seen({ "GARCÍA, M.": { MATH: 1 }, "GARCIA, M.": { MATH: 1 } }))).toBe(
      "GARCÍA, M.",
    ));
  test("with the initials of some of the first names, and never of the last one", () => {
    expect(shortenName("Mira Kar Lor Vane", [], seen({ "LOR VANE, M.": { MATH: 1 } }))).toBe("LOR VANE, M.");
    expect(shortenName("Mira Vane", [], seen({ "VANE, M.V.": { MATH: 1 } }))).toBe("VANE, M.");
    expect(shortenName("Vane", ["MATH"], seen({ "VANE, M.": { MATH: 1 } }))).toBe("VANE");
  });
  test("most often in the person's departments, then at all", () => {
    const names = seen({ "VANE, M.": { MATH: 9 }, "KAR VANE, M.": { "I&CSCI": 2 } });
    expect(shortenName("Mira Kar Vane", ["I&C SCI"], names)).toBe("KAR VANE, M.");
    expect(shortenName("Mira Kar Vane", [], names)).toBe("VANE, M.");
  });
  test("a middle initial that the directory does not know, when it is the only one in the person's departments", () => {
    expect(shortenName("Mira Vane", ["MATH"], seen({ "VANE, M.K.": { MATH: 1 } }))).toBe("VANE, M.K.");
    expect(shortenName("Mira Vane", ["ECON"], seen({ "VANE, M.K.": { MATH: 1 } }))).toBe("VANE, M.");
    expect(shortenName("Mira Vane", ["MATH"], seen({ "VANE, M.K.": { MATH: 1 }, "VANE, M.O.": { MATH: 1 } }))).toBe(
      "VANE, M.",
    );
  });
});
