/** The guard's rules by their bounds: what is a cause, what is a loss, which dates of terms cannot be meant. */
import { expect, it } from "vitest";
import type { TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import { sections } from "../../../../pipeline/contract/rows/section.ts";
import type { UnknownField } from "../../../../pipeline/contract/source-fields.ts";
import type { RunContext } from "../../../../pipeline/products/context.ts";
import { outOfOrder } from "../../../../pipeline/products/guard/calendar-order.ts";
import { newFields } from "../../../../pipeline/products/guard/causes.ts";
import { columnBreaches } from "../../../../pipeline/products/guard/column-rules.ts";

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

const profile = (rows: number, filled: number) => ({
  rows,
  columns: new Map([["sectionComment", { filled, distinct: filled, written: 0, formed: 0 }]]),
});
const told = (held: number, lost: number, { common = 1000, added = 0, cause = 0 } = {}) =>
  columnBreaches({
    what: "it",
    table: sections,
    key: ["sectionCode"],
    before: profile(common, held),
    now: profile(common + added, held - lost),
    losses: {
      keysBefore: common,
      keysNow: common + added,
      common,
      columns: new Map([["sectionComment", { held, lost, formed: 0, rewritten: 0 }]]),
    },
    causesOf: () => (cause === 0 ? [] : [field("sec_new", cause)]),
  }).length > 0;

it.each([
  [572, 46, {}, false],
  [572, 286, {}, false],
  [572, 287, {}, true],
  [19, 19, {}, false],
  [49, 49, {}, false],
  [50, 26, {}, true],
  [3, 3, { common: 5 }, true],
  [3, 2, { common: 5 }, false],
  [572, 46, { cause: 92 }, true],
  [572, 46, { cause: 93 }, false],
  [572, 28, { cause: 1 }, false],
  [12, 12, { cause: 900 }, true],
  [112, 0, { added: 280 }, false],
])("of %d values %d are lost (%o): refused is %s", (held, lost, circumstances, isTold) => {
  expect(told(held, lost, circumstances)).toBe(isTold);
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
  [
    "a Fall that begins before Spring",
    [WINTER, SPRING, dates("2027", "Fall", "2027-03-24", "2027-12-03", "2027-12-04", "2027-12-10")],
    ["2027 Spring", "2027 Fall"],
  ],
])("dates of terms: %s", (_what, terms, named) => {
  expect([...outOfOrder(terms).keys()]).toEqual(named);
});
