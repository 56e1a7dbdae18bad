/** The guard's rules by their bounds: what is a cause, which dates of terms cannot be meant. */
import { expect, it } from "vitest";
import type { TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import type { UnknownField } from "../../../../pipeline/contract/source-fields.ts";
import type { RunContext } from "../../../../pipeline/products/context.ts";
import { outOfOrder } from "../../../../pipeline/products/guard/calendar-order.ts";
import { createTally } from "../../../../pipeline/contract/documents/tally.ts";
import { causesOf, newFields, noteUnknown, remember } from "../../../../pipeline/products/guard/causes.ts";

const FALL = { table: "sections", partition: { year: "2026", quarter: "Fall" } } as const;
const field = (name: string, count: number, kind: UnknownField["kind"] = "element", place = "section") => ({
  kind,
  place,
  name,
  count,
});

it.each([
  ["one that was there, in nearly twice as many rows", [field("sec_old", 99)], [field("sec_old", 50)], 0],
  ["one in twice as many rows", [field("sec_old", 100)], [field("sec_old", 50)], 1],
  ["one of another place", [field("sec_old", 50, "element", "course")], [field("sec_old", 50)], 1],
  ["another unreadable text of the same element", [field("9h30", 5, "text")], [field("8h30", 5, "text")], 0],
  ["a heading of the next sheet", [field("Level", 9, "heading", "b.csv")], [field("Level", 9, "heading", "a.csv")], 0],
  ["one beside a part that nothing is remembered of", [field("sec_old", 50)], undefined, 1],
  ["one of several that were there", [field("sec_b", 50)], [field("sec_a", 50), field("sec_b", 50)], 0],
  ["one of another kind", [field("sec_old", 50, "attribute")], [field("sec_old", 50)], 1],
  ["another name in the same place", [field("sec_new", 50)], [field("sec_old", 50)], 1],
  ["an unreadable text of another element", [field("9h30", 5, "text", "sec_end")], [field("9h30", 5, "text")], 1],
])("an unknown field that is new: %s", (_what, unknown, remembered, count) => {
  const context = {
    freshness: { remembered: remembered ? { "sections 2026 Fall": remembered } : {} },
    staging: { files: () => [] },
  } as unknown as RunContext;
  expect(newFields(context, FALL, unknown)).toHaveLength(count);
});

it("a new term knows what stands beside the latest one like it", () => {
  const context = {
    freshness: { remembered: { "sections 2025 Fall": [field("sec_old", 1)] } },
    staging: { files: () => [{ table: "sections", rows: 9, partition: { year: "2025", quarter: "Fall" } }] },
  } as unknown as RunContext;
  expect(newFields(context, FALL, [field("sec_old", 900), field("sec_new", 1)]).map(({ name }) => name)).toEqual([
    "sec_new",
  ]);
});

it("a new term is compared with the latest term like it that has rows, and only with one before it", () => {
  const remembered = {
    "sections 2024 Fall": [field("sec_old", 1)],
    "sections 2025 Fall": [field("sec_newer", 1)],
    "sections 2027 Fall": [field("sec_old", 1), field("sec_newer", 1)],
  };
  const of = (year: string, quarter: string, rows = 9, table = "sections") => ({
    table,
    rows,
    partition: { year, quarter },
  });
  const newOnes = (files: readonly object[], part: typeof FALL | { table: "courses"; partition: object } = FALL) =>
    newFields({ freshness: { remembered }, staging: { files: () => files } } as unknown as RunContext, part, [
      field("sec_old", 1),
      field("sec_newer", 1),
    ]).map(({ name }) => name);
  expect(newOnes([of("2025", "Fall"), of("2024", "Fall")])).toEqual(["sec_old"]);
  expect(newOnes([of("2024", "Fall"), of("2025", "Fall", 0), of("2025", "Winter")])).toEqual(["sec_newer"]);
  expect(newOnes([of("2025", "Fall"), of("2026", "Fall")])).toEqual(["sec_old"]);
  expect(newOnes([of("2025", "Fall", 9, "headings"), of("2027", "Fall"), of("2026", "Fall")])).toHaveLength(2);
  expect(newOnes([{ table: "courses", rows: 9, partition: {} }], { table: "courses", partition: {} })).toHaveLength(2);
});

it("the causes of what a column lost are new fields in the place of those that fill it, and unreadable texts of these", () => {
  const known = [
    { kind: "element" as const, place: "section", name: "sec_units", fills: ["units"] },
    { kind: "element" as const, place: "course", name: "title", fills: ["courseTitle", "units"] },
    { kind: "element" as const, place: "final", name: "final_date", fills: ["finalExam.day"] },
  ];
  const fresh = [
    field("sec_new", 1),
    field("co_new", 1, "element", "course"),
    field("final_new", 1, "element", "final"),
    field("four", 1, "text", "sec_units"),
    field("June", 1, "text", "final_date"),
    field("sec_units", 1, "text", "section"),
  ];
  const causes = (column: string) => causesOf(fresh, known, column).map(({ name }) => name);
  expect(causes("units")).toEqual(["sec_new", "co_new", "four"]);
  expect(causes("finalExam.day")).toEqual(["final_new", "June"]);
  expect(causes("status")).toEqual([]);
});

it("new fields are named in the report, others counted, and all of them are remembered", () => {
  const context = {
    freshness: { remembered: { "sections 2026 Fall": [field("sec_a", 5), field("sec_b", 5)] } },
    remembered: new Map(),
  } as unknown as RunContext;
  const noted = (unknown: UnknownField[]) => {
    const tally = createTally("schedule");
    noteUnknown(context, { part: FALL, what: "2026 Fall", unknown }, tally);
    return tally.report("published", 0).noted.map(({ reason, names }) => [reason, ...names]);
  };
  const unknown = [field("sec_a", 5), field("sec_b", 5), field("sec_c", 1)];
  expect(noted(unknown)).toEqual([
    ["a field that the parser does not know", "2026 Fall: the element `sec_c` of `section` is new, in 1 row"],
    ["fields that nobody reads, as in the published version", "2026 Fall: 2"],
  ]);
  expect(noted([field("sec_c", 1)])).toHaveLength(1);
  expect(noted([])).toEqual([]);
  remember(context, FALL, unknown);
  expect([...context.remembered]).toEqual([["sections 2026 Fall", unknown]]);
});

const dates = (year: string, quarter: TermDates["quarter"], ...days: [string, string, string, string]): TermDates => ({
  year,
  quarter,
  instructionStart: days[0],
  instructionEnd: days[1],
  finalsStart: days[2],
  finalsEnd: days[3],
});
const WINTER = dates("2027", "Winter", "2027-01-04", "2027-03-12", "2027-03-13", "2027-03-19");
const SPRING = dates("2027", "Spring", "2027-03-29", "2027-06-04", "2027-06-05", "2027-06-10");
const LATE = dates("2027", "Fall", "2027-09-23", "2027-12-03", "2027-12-04", "2027-12-10");

it.each([
  ["as they should be, on one day in both too", [WINTER, SPRING, { ...LATE, finalsStart: LATE.instructionEnd }], []],
  ["finals before the end of instruction", [WINTER, { ...SPRING, finalsStart: "2027-06-03" }], ["2027 Spring"]],
  ["instruction that ends before it begins", [{ ...WINTER, instructionEnd: "2027-01-03" }], ["2027 Winter"]],
  ["finals that end before they begin", [{ ...LATE, finalsEnd: "2027-12-03" }], ["2027 Fall"]],
  ["a term of one day", [dates("2027", "Fall", "2027-09-23", "2027-09-23", "2027-09-23", "2027-09-23")], []],
  ["two that begin together", [WINTER, { ...SPRING, instructionStart: WINTER.instructionStart }], []],
  ["an earlier year that begins later", [{ ...LATE, year: "2026" }, WINTER], []],
  [
    "a Fall that begins before Spring",
    [WINTER, SPRING, dates("2027", "Fall", "2027-03-24", "2027-12-03", "2027-12-04", "2027-12-10")],
    ["2027 Spring", "2027 Fall"],
  ],
])("dates of terms: %s", (_what, terms, named) => {
  for (const order of [terms, terms.toReversed()]) expect([...outOfOrder(order).keys()]).toEqual(named);
});

it("says what is wrong with dates: the term's own before what follows from its neighbour's", () => {
  const early = dates("2027", "Fall", "2027-03-24", "2027-12-03", "2027-12-04", "2027-12-01");
  expect(Object.fromEntries(outOfOrder([SPRING, early]))).toEqual({
    "2027 Spring": "2027 Fall would begin on 2027-03-24, before 2027 Spring on 2027-03-29",
    "2027 Fall":
      "2027 Fall has dates out of order: instruction 2027-03-24 to 2027-12-03, finals 2027-12-04 to 2027-12-01",
  });
});
