import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { type EnrollmentRecord, readRecords } from "./enrollment-records.ts";

const COLUMNS = ["year", "quarter", "sectionCode", "date", ...SNAPSHOT_VALUES];
const HEADER = `${COLUMNS.join(",")}\n`;
/** A row's cells behind the first three. */
const REST = ",".repeat(COLUMNS.length - 3);

const read = (content: string | Buffer, size?: number, name = "old.csv") => readRecords(name, content, size);

const firstThree = ({ line, fields }: EnrollmentRecord) => [line, fields["year"], fields["quarter"], fields["date"]];

test("values, quotes, commas and line ends in quotes, blanks around values, empty lines; the line is where a row ends", async () => {
  const rows = `a, b ,x,"c"${REST.slice(1)}\r\n\r\n" x, ""y""" , "two\nlines",x,${REST.slice(1)}\n   \nlast,,x,""${REST.slice(1)}`;
  for (const size of [1, 7, Infinity])
    expect((await read(`\ufeff${HEADER.replace("\n", "\r\n")}${rows}`, size)).map(firstThree)).toEqual([
      [2, "a", "b", "c"],
      [5, 'x, "y"', "two\nlines", ""],
      [7, "last", "", ""],
    ]);
});

test("any values are read as they were written, in whatever pieces the file comes", async () => {
  const value = fc
    .array(fc.constantFrom("a", "7", " ", ",", '"', "\n", "é", ";"), { maxLength: 6 })
    .map((letters) => letters.join("").trim());
  const row = fc.array(fc.tuple(value, fc.boolean()), { minLength: COLUMNS.length, maxLength: COLUMNS.length });
  const written = (text: string, isQuoted: boolean) =>
    isQuoted || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 6 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      async (rows, end, ends, size) => {
        const lines = rows.map((cells) => cells.map(([text, isQuoted]) => written(text, isQuoted)).join(","));
        const text = [HEADER.trim(), ...lines].join(end) + (ends ? end : "");
        const parsed = (await read(text, size)).map(({ fields }) => COLUMNS.map((column) => fields[column]));
        expect(parsed).toEqual(rows.map((cells) => cells.map(([cell]) => cell)));
      },
    ),
  );
});

/** What another parser reads, with the number of each row's last line; undefined when it refuses the text. */
function readElsewhere(text: string): EnrollmentRecord[] | undefined {
  const options = { info: true, trim: true, skip_empty_lines: true, relax_column_count: true } as const;
  try {
    const rows = parse(text, { ...options, record_delimiter: ["\r\n", "\n"] }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    return rows
      .slice(1)
      .map(({ record, info: { lines: line } }) =>
        record.length === COLUMNS.length
          ? { line, fields: Object.fromEntries(COLUMNS.map((name, i) => [name, record[i]?.trim()])) }
          : { line, fields: {}, problem: `${record.length} columns, the header has ${COLUMNS.length}` },
      );
  } catch {
    return undefined;
  }
}

test("any text reads as another parser reads it, or is refused like there", async () => {
  const blanks = ["\u00a0", "\u2003", "\u2028", "\u180e", "\u200b", "\ufeff"];
  const quotes = ['"', '"x"', '""', ',"a,b"', '"\n"'];
  const letters = ["a", "7", " ", ",", ",", "\t", "\v", "\f", "\n", "é"];
  const row = (others: string[]) =>
    fc
      .array(fc.constantFrom(...letters, ...others), { maxLength: 40 })
      .chain((all) => fc.constantFrom(all.join(""), [...all, ...COLUMNS.slice(2).map(() => ","), ...all].join("")));
  const text = fc.oneof(row(quotes), row(blanks));
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom("\n", "\r\n"), fc.integer({ min: 1, max: 20 }), async (lines, end, size) => {
      // The other parser reads this as a single quoted value.
      fc.pre(!/""[ \t\v\f]+"/.test(lines));
      const withEnds = (written: string) => written.replaceAll("\n", end);
      const refused = (error: unknown) => void expect(error).toBeInstanceOf(UpstreamBadResponse);
      // The other parser counts CRLF inside quotes as two lines.
      const expected = readElsewhere(HEADER + lines)?.map(({ fields, ...row }) => ({
        ...row,
        fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withEnds(String(value))])),
      }));
      expect(await read(withEnds(HEADER + lines), size).catch(refused)).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});

describe("what is no comma-separated text", () => {
  test.each([
    ["a quote that is never closed", '"1,2\n3,4\n', "row 2 does not end"],
    ["more after a closing quote", '"1"x,2\n', "more after the closing quote of a value in line 2"],
    ["a quote inside a value", `1,2,3${REST}\n1,x"y\n`, "a quote inside a value in line 3"],
    ["a row without an end", `"1,${"x\n".repeat(1_000_000)}`, "row 2 does not end"],
  ])("%s", async (_what, rows, words) => {
    for (const size of rows.length > 1000 ? [65_536] : [1, 5, Infinity]) {
      const reading = read(HEADER + rows, size);
      await expect(reading).rejects.toThrow(UpstreamBadResponse);
      await expect(reading).rejects.toThrow(words);
    }
  });

  test.each([
    ["no text at all", "", "the file is empty"],
    ["blank lines", "\n  \n", "the file is empty"],
    ["no header", "year,quarter\n", "the file has no column sectionCode, date"],
    ["another encoding", Buffer.from(`${HEADER}\xfc`, "latin1"), "the file is not UTF-8"],
  ])("%s", async (_what, content, words) => {
    await expect(read(content)).rejects.toThrow(words);
  });
});

test("a line of NDJSON is an object, in whatever pieces the file comes", async () => {
  const text = '{"year":"2022","status":"é\u2028"}\n\n[1]\n{"year"\n{"year":"2023"}';
  for (const size of [1, 6, Infinity])
    expect(await read(text, size, "old.ndjson")).toEqual([
      { line: 1, fields: { year: "2022", status: "é\u2028" } },
      { line: 3, fields: {}, problem: "not a JSON object" },
      { line: 4, fields: {}, problem: "not a JSON object" },
      { line: 5, fields: { year: "2023" } },
    ]);
  await expect(read("\n", 1, "old.ndjson")).rejects.toThrow("the file is empty");
});
