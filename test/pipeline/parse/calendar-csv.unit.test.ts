import { expect, test } from "vitest";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { mergeCalendars, toCalendarRows } from "../../../pipeline/normalize/calendar.ts";
import { parseCalendarCsv } from "../../../pipeline/parse/calendar-csv.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";

const HEADER = "year,quarter,instructionStart,instructionEnd,finalsStart,finalsEnd";

test("columns in any order, further ones ignored, quoted or not, with or without a byte order mark", () => {
  const text =
    '\ufeffQuarter, year,note,Instruction end,instructionStart,finals_end,finalsStart\r\n"Fall",2030,"a, b",2030-12-06,2030-09-26,2030-12-13,2030-12-07\r\n\r\n';
  expect(parseCalendarCsv(text)).toEqual([
    {
      year: "2030",
      quarter: "Fall",
      instructionStart: "2030-09-26",
      instructionEnd: "2030-12-06",
      finalsStart: "2030-12-07",
      finalsEnd: "2030-12-13",
    },
  ]);
});

test("a missing column, one that comes twice, or no CSV", () => {
  expect(() => parseCalendarCsv(`${HEADER},finals end\n`)).toThrow("more than one column finalsEnd");
  expect(() => parseCalendarCsv("year,quarter\n2030,Fall\n")).toThrow(UpstreamBadResponse);
  expect(() => parseCalendarCsv('"year\n')).toThrow(UpstreamBadResponse);
  expect(() => parseCalendarCsv("")).toThrow(UpstreamBadResponse);
});

test("a wrong row is named by its number and does not stop the others", () => {
  const tally = createTally("calendar");
  const rows = toCalendarRows(
    parseCalendarCsv(
      [
        HEADER,
        "2030,Fall,2030-09-26,2030-12-06,2030-12-07,2030-12-13",
        "2030,Autumn,2030-09-26,2030-12-06,2030-12-07,2030-12-13",
        "2031,Winter,2031-02-31,2031-03-14,2031-03-15,2031-03-21",
        "2031,Spring,2031-06-06,2031-03-31,2031-06-07,2031-06-12",
        "2031,Summer1,2031-06-23",
      ].join("\n"),
    ),
    tally,
  );
  expect(rows.map(({ year, quarter }) => `${year} ${quarter}`)).toEqual(["2030 Fall", "2031 Spring"]);
  const { read, kept, dropped } = tally.report("published", 0);
  expect([read, kept]).toEqual([5, 2]);
  expect(dropped.flatMap(({ names }) => names).map((name) => /row \d+/.exec(name)?.[0])).toEqual([
    "row 3",
    "row 4",
    "row 6",
  ]);
});

test("the file goes before the pages, term by term", () => {
  const term = (year: string, quarter: "Fall" | "Winter", instructionStart: string) => ({
    year,
    quarter,
    instructionStart,
    instructionEnd: `${year}-12-01`,
    finalsStart: `${year}-12-02`,
    finalsEnd: `${year}-12-03`,
  });
  const merged = mergeCalendars(
    [term("2030", "Fall", "2030-09-26"), term("2030", "Winter", "2030-01-07")],
    [term("2031", "Winter", "2031-01-06"), term("2030", "Fall", "2030-09-25")],
  );
  expect(merged.map(({ instructionStart }) => instructionStart)).toEqual(["2030-01-07", "2030-09-25", "2031-01-06"]);
});
