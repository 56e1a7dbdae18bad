/**
 * The people whom the list of tombstones keeps away, in which notations, and that every column that can name a person
 * is searched.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gzipSync } from "node:zlib";
import { strToU8, unzipSync, zipSync } from "fflate";
import { EMAIL, formOf, NETID, SHORTENED_NAME } from "../../../pipeline/contract/forms.ts";
import type { Table } from "../../../pipeline/contract/table.ts";
import { TABLES } from "../../../pipeline/contract/tables.ts";
import { NAME_LISTS, PERSON_ROWS } from "../../../pipeline/forget/file-rows.ts";
import { withoutNames } from "../../../pipeline/forget/names-in-text.ts";
import { sheetWithoutNames } from "../../../pipeline/forget/raw-files.ts";
import { noTombstones, openTombstones, withForgotten } from "../../../pipeline/forget/tombstones.ts";

const spellings = {
  names: ["O'MÜLLER, T.", "Tove O'Müller", "O'Müller, Tove"],
  netids: ["tomuller"],
  emails: ["tove@example.edu"],
  files: ["UG_2025.csv"],
};
const list = withForgotten(noTombstones(), spellings, ["e".repeat(64)]);
const forgotten = openTombstones(list);

describe("the list", () => {
  it("has no name, netid, address or file in it, and two lists of one person have nothing in common", () => {
    const text = JSON.stringify(list).toLowerCase();
    for (const word of ["müller", "muller", "tove", "ug_2025", "example.edu"]) expect(text).not.toContain(word);
    const other = withForgotten(noTombstones(), spellings, []);
    expect(other.people.filter((hash) => list.people.includes(hash))).toEqual([]);
  });

  it("has another mark with each addition, the same with a repeated one, and is pending until that is done", () => {
    expect(withForgotten(list, spellings, [])).toEqual(list);
    const more = openTombstones(withForgotten(list, { ...spellings, netids: ["other"] }, []));
    expect(more.mark).not.toBe(forgotten.mark);
    expect([forgotten.isPending, openTombstones({ ...list, done: forgotten.mark }).isPending]).toEqual([true, false]);
  });

  it.each(["O'MÜLLER, T.", "o'muller, t", "O’Müller,T.", "Tove O'Muller", "O'MULLER, TOVE", "Prof. Tove O'Müller"])(
    "knows %s",
    (name) => expect(forgotten.isName(name)).toBe(true),
  );

  it.each(["O'MÜLLER, R.", "MULLER, T.", "Tove Muller", "STAFF", ""])("does not know %s", (name) =>
    expect(forgotten.isName(name)).toBe(false),
  );
});

describe("a text", () => {
  it.each([
    ['{"instructors":["O\'MÜLLER, T.","ROE, R."]}', '{"instructors":["STAFF","ROE, R."]}'],
    ["Ask Tove O'Müller (tove@example.edu).", "Ask STAFF ()."],
    ["It is by Tove O'Müller.", "It is by STAFF."],
    ["from UG_2025.csv row 3", "from  row 3"],
    ["Tove and O'Müller are two words here", "Tove and O'Müller are two words here"],
    ["tomuller is a word", "tomuller is a word"],
    ["about ~tove@example.edu", "about ~"],
    ["mailto:TOMULLER@math.example.edu", "mailto:"],
    ["https://example.edu/~tomuller/syllabus", "https://example.edu/~/syllabus"],
    ["~other, tomuller2@example.edu, x.tomuller@example.edu", "~other, tomuller2@example.edu, x.tomuller@example.edu"],
  ])("%s → %s", (text, left) => expect(withoutNames(text, forgotten)).toBe(left));

  it("without the person stays as it is, whatever it is", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => withoutNames(text, forgotten) === text));
  });

  it("around the person stays as it is", () => {
    const words = fc.array(fc.constantFrom("see", "Roe, R.", "MWF", "10:00;", "|", "\n")).map((all) => all.join(" "));
    fc.assert(
      fc.property(words, words, (before, after) => {
        expect(withoutNames(`${before} ; O'MÜLLER, T.; ${after}`, forgotten)).toBe(`${before} ; STAFF; ${after}`);
      }),
    );
  });
});

describe("a sheet", () => {
  const sheet = `code;"O'MÜLLER, TOVE K";4\ncode;"ROE, TOVE";4\n`;
  const left = `code;"STAFF";4\ncode;"ROE, TOVE";4\n`;
  it.each(["utf8", "latin1", "utf16le"] as const)("in %s keeps every other byte", (encoding) => {
    const mark = encoding === "utf16le" ? "\ufeff" : "";
    const made = sheetWithoutNames(Buffer.from(mark + sheet, encoding), forgotten);
    expect(made.equals(Buffer.from(mark + left, encoding))).toBe(true);
  });

  it("packed in gzip, or as a workbook, is read as well", () => {
    expect(sheetWithoutNames(gzipSync(sheet), forgotten).equals(gzipSync(left))).toBe(true);
    const xml = (name: string) => `<si><t>${name}</t></si><si><t>A&amp;B</t></si>`;
    const book = Buffer.from(zipSync({ "xl/sharedStrings.xml": strToU8(xml("O&apos;M&#252;ller, T.")) }));
    const made = unzipSync(sheetWithoutNames(book, forgotten));
    expect(Buffer.from(made["xl/sharedStrings.xml"] ?? []).toString()).toBe(xml("STAFF"));
  });

  it("that names nobody of the list is the same object", () => {
    const bytes = Buffer.from([0xff, 0x00, 0x41]);
    expect(sheetWithoutNames(bytes, forgotten)).toBe(bytes);
  });

  it("that names nobody of a list may name somebody of a longer one", () => {
    const bytes = Buffer.from(sheet);
    const nobody = openTombstones(noTombstones());
    for (let time = 0; time < 2; time++) expect(sheetWithoutNames(bytes, nobody)).toBe(bytes);
    expect(sheetWithoutNames(bytes, forgotten).toString()).toBe(left);
    expect(sheetWithoutNames(Buffer.from(left), forgotten).toString()).toBe(left);
  });
});

it("every column that is declared to hold a name, a netid or an address is taken out by value or with its row", () => {
  const forms = [SHORTENED_NAME, NETID, EMAIL].map(({ source }) => source);
  const isPersons = (schema: unknown): boolean => {
    const { def } = schema as { def: { element?: unknown; innerType?: unknown } };
    const own = formOf(schema as Parameters<typeof formOf>[0]);
    if (own !== undefined && forms.includes(own)) return true;
    return [def.element, def.innerType].some((inner) => inner !== undefined && isPersons(inner));
  };
  const columns = Object.entries(TABLES).flatMap(([table, { row }]: [string, Table]) =>
    Object.entries(row.shape).flatMap(([name, schema]) => (isPersons(schema) ? [{ table, name }] : [])),
  );
  expect(columns.length).toBeGreaterThan(8);
  // Removing a row removes every column of it.
  expect(columns.filter(({ name, table }) => !NAME_LISTS.includes(name) && !(table in PERSON_ROWS))).toEqual([]);
});
