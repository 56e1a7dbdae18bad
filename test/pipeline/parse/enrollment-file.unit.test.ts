import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { type EnrollmentRecord, parseEnrollmentFile } from "../../../pipeline/parse/enrollment-file.ts";

const COLUMNS = ["year", "quarter", "sectionCode", "date", ...SNAPSHOT_VALUES];
const HEADER = `${COLUMNS.join(",")}\n`;
/** A row's cells behind the first three. */
const REST = ",".repeat(COLUMNS.length - 3);

/** The records of a file that comes in pieces of so many bytes. */
async function read(content: string | Buffer, size = Infinity, name = "old.csv"): Promise<EnrollmentRecord[]> {
  const bytes = Buffer.from(content);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const records: EnrollmentRecord[] = [];
  for await (const record of parseEnrollmentFile(name, pieces())) records.push(record);
  return records;
}

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

test("text without quotes reads as the parser of quoted text reads it, whatever it holds", async () => {
  const outcome = (text: string, size?: number) =>
    read(text, size).catch((error: unknown) => (error instanceof UpstreamBadResponse ? error.message : error));
  const letters = fc.constantFrom(
    "a",
    "7",
    " ",
    ",",
    ",",
    "\t",
    "\v",
    "\f",
    "\r",
    "\n",
    "\n",
    "\r\n",
    "é",
    "\u00a0",
    "\u2003",
    "\u2028",
    "\u180e",
    "\u200b",
    "\ufeff",
  );
  const plainText = fc.array(letters, { maxLength: 60 }).map((all) => all.join(""));
  const quoted = fc.constantFrom('"', '"x"', '""', '\n"a,b"', '"\n"', "");
  await fc.assert(
    fc.asyncProperty(
      plainText,
      quoted,
      plainText,
      fc.integer({ min: 1, max: 20 }),
      async (plain, quote, more, size) => {
        // A quote in the first piece leaves all of it to the parser.
        const whole = await outcome(`${HEADER}${plain}\n"end"`);
        expect(await outcome(`${HEADER}${plain}\n`)).toEqual((whole as EnrollmentRecord[]).slice(0, -1));
        const mixed = `${HEADER}${plain}${quote}${more}"end"`;
        expect(await outcome(mixed, size)).toEqual(await outcome(mixed));
      },
    ),
    { numRuns: 500 },
  );
});

describe("what is no comma-separated text", () => {
  test.each([
    ["a quote that is never closed", '"1,2\n3,4\n', "row 2 does not end"],
    ["more after a closing quote", '"1"x,2\n', /closing quote.*line 2/i],
    ["a quote inside a value", `1,2,3${REST}\n1,x"y\n`, /quote.*line 3/i],
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
  const text = '{"year":"2022","note":"é\u2028"}\n\n[1]\n{"year"\n{"year":"2023"}';
  for (const size of [1, 6, Infinity])
    expect(await read(text, size, "old.ndjson")).toEqual([
      { line: 1, fields: { year: "2022", note: "é\u2028" } },
      { line: 3, fields: {}, problem: "not a JSON object" },
      { line: 4, fields: {}, problem: "not a JSON object" },
      { line: 5, fields: { year: "2023" } },
    ]);
  await expect(read("\n", 1, "old.ndjson")).rejects.toThrow("the file is empty");
});
