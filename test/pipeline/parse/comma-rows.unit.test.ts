import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCommaReader, DamagedRow } from "../../../pipeline/parse/sheets/comma-rows.ts";

/** The rows of a text that comes in pieces of so many characters. */
function read(text: string, size = text.length || 1) {
  const reader = createCommaReader();
  const rows = [];
  for (let at = 0; at < text.length; at += size) rows.push(...reader.push(text.slice(at, at + size)));
  return [...rows, ...reader.end()];
}
const cells = (text: string, size?: number) => read(text, size).map((row) => row.cells);

test("values, quotes, commas and line ends in quotes, blanks around values, empty lines; the line is where a row ends", () => {
  const text = 'a, b ,"c"\r\n\r\n"x, ""y""" , "two\nlines",\n   \nlast,,"";\n'.replace('"";', '""');
  expect(read(text)).toEqual([
    { line: 1, cells: ["a", "b", "c"] },
    { line: 4, cells: ['x, "y"', "two\nlines", ""] },
    { line: 6, cells: ["last", "", ""] },
  ]);
  expect(cells("a,b\n1,2")).toEqual([
    ["a", "b"],
    ["1", "2"],
  ]);
  expect(cells("")).toEqual([]);
});

test("any text is read as another reader of such files reads it, in whatever pieces it comes", () => {
  const value = fc
    .array(fc.constantFrom("a", "7", " ", ",", '"', "\n", "é", ";"), { maxLength: 6 })
    .map((letters) => letters.join("").trim());
  const written = fc.tuple(value, fc.boolean()).map(([text, always]) => {
    return always || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  const rows = fc.array(fc.array(written, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      (all, end, ends, size) => {
        // A row of one quoted nothing is an empty line to one reader and a row to the other.
        const kept = all.filter((row) => row.length > 1 || !/^"?\s*"?$/.test(row[0] ?? ""));
        const text = kept.map((row) => row.join(",")).join(end) + (ends && kept.length > 0 ? end : "");
        const expected = parse(text, {
          trim: true,
          skip_empty_lines: true,
          relax_column_count: true,
          record_delimiter: ["\n", "\r\n"],
        }) as string[][];
        expect(cells(text, size)).toEqual(expected.map((row) => row.map((cell) => cell.trim())));
      },
    ),
  );
});

describe("what is no comma-separated text", () => {
  test.each([
    ["a quote that is never closed", 'a,b\n"1,2\n3,4\n', "line 2 is not closed"],
    ["more after a closing quote", 'a,b\n"1"x,2\n', "more after a closing quote in the row that begins on line 2"],
    ["a quote inside a value", 'a,b\n1,2\n1,x"y\n', "a quote inside a value in the row that begins on line 3"],
  ])("%s", (_what, text, words) => {
    for (const size of [1, 5, text.length]) {
      expect(() => read(text, size)).toThrow(DamagedRow);
      expect(() => read(text, size)).toThrow(words);
    }
  });

  test("a row without an end is not gathered for ever", () => {
    const reader = createCommaReader();
    reader.push('a,b\n"1,');
    expect(() => {
      for (let i = 0; i < 100; i++) reader.push("x\n".repeat(10_000));
    }).toThrow("the row that begins on line 2 does not end");
  });
});
