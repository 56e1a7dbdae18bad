/** When a column has lost its values, has one value only or writes them otherwise, by the bounds of each rule. */
import { describe, expect, it } from "vitest";
import { sections } from "../../../../pipeline/contract/rows/section.ts";
import type { UnknownField } from "../../../../pipeline/contract/source-fields.ts";
import {
  columnBreaches,
  type Compared,
  formShare,
  newTermBreaches,
  share,
} from "../../../../pipeline/products/guard/column-rules.ts";
import type { Column, Loss, Profile } from "../../../../pipeline/products/guard/profile.ts";

const NEW: UnknownField = { kind: "element", place: "section", name: "sec_new", count: 0 };
const TEXT: UnknownField = { kind: "text", place: "sec_units", name: "four", count: 7 };

const profile = (rows: number, columns: Record<string, Partial<Column>>): Profile => ({
  rows,
  columns: new Map(
    Object.entries(columns).map(([name, counts]) => [
      name,
      { filled: 0, distinct: 0, written: 0, formed: 0, ...counts },
    ]),
  ),
});

interface Case {
  /** Counts of the column, in so many rows. */
  readonly before: Partial<Column> & { rows: number };
  readonly now: Partial<Column> & { rows: number };
  /** The losses among the keys that both have. */
  readonly common?: Partial<Loss> & { count: number };
  readonly causes?: readonly UnknownField[];
}

const compared = (column: string, { before, now, common, causes = [] }: Case): Compared => ({
  what: "2026 Fall",
  table: sections,
  key: ["sectionCode"],
  before: profile(before.rows, { [column]: before }),
  now: profile(now.rows, { [column]: now }),
  losses: common && {
    keysBefore: before.rows,
    keysNow: now.rows,
    common: common.count,
    columns: new Map([[column, { held: 0, lost: 0, formed: 0, rewritten: 0, ...common }]]),
  },
  causesOf: (name) => (name === column ? causes : []),
});
const told = (column: string, example: Case) => columnBreaches(compared(column, example));
const texts = (column: string, example: Case): string[] => told(column, example).map(({ text }) => text);

/** Losses among the values in rows that both versions have. */
const lost = (held: number, gone: number, { common = 1000, added = 0, cause = 0 } = {}): Case => ({
  before: { rows: common, filled: held },
  now: { rows: common + added, filled: held - gone },
  common: { count: common, held, lost: gone },
  causes: cause === 0 ? [] : [{ ...NEW, count: cause }],
});

it.each([
  [572, 46, {}, false],
  [572, 286, {}, false],
  [572, 287, {}, true],
  [19, 19, {}, false],
  [20, 20, { common: 400 }, true],
  [20, 20, { common: 401 }, false],
  [49, 49, {}, false],
  [50, 26, {}, true],
  [3, 3, { common: 5 }, true],
  [3, 3, { common: 6 }, false],
  [2, 2, { common: 3 }, false],
  [3, 2, { common: 5 }, false],
  [572, 46, { cause: 92 }, true],
  [572, 46, { cause: 93 }, false],
  [572, 28, { cause: 1 }, false],
  [560, 28, { cause: 1 }, true],
  [12, 12, { cause: 900 }, true],
  [0, 0, { cause: 900 }, false],
  [112, 0, { added: 280 }, false],
])("of %d values %d are lost (%o): refused is %s", (held, gone, circumstances, isTold) => {
  expect(told("sectionComment", lost(held, gone, circumstances)).length > 0).toBe(isTold);
});

describe("what is said", () => {
  it.each([
    [lost(50, 26), "lost 26 of 50 values (24 of 1000 rows have one)"],
    [lost(50, 50), "is empty (50 before)"],
    [
      { ...lost(50, 50), causes: [{ ...NEW, count: 95 }, TEXT] },
      'is empty (50 before): the element `sec_new` of `section` is new, in 95 rows, 7 texts of `sec_units` cannot be read, such as "four"',
    ],
  ])("%o", (example, text) => {
    expect(told("sectionComment", example)).toEqual([
      {
        column: "sectionComment",
        text: `\`sectionComment\` of 2026 Fall ${text}`,
        isSerious: true,
        isFormBreach: false,
      },
    ]);
  });

  it("a column that empties by its nature is serious only beside a cause", () => {
    const seriousness = (example: Case) => told("restrictions", example).map(({ isSerious }) => isSerious);
    expect(seriousness(lost(50, 50))).toEqual([false]);
    expect(seriousness(lost(50, 50, { cause: 10 }))).toEqual([true]);
  });
});

describe("without keys in common, shares of rows are compared", () => {
  const shares = (before: [number, number], now: [number, number]): Case => ({
    before: { rows: before[1], filled: before[0] },
    now: { rows: now[1], filled: now[0] },
  });
  it.each([
    ["half of the share", shares([100, 200], [50, 200]), []],
    ["less than half of it", shares([100, 200], [48, 200]), ["lost 52 of 100 values (48 of 200 rows have one)"]],
    ["the same share of more rows", shares([100, 200], [500, 1000]), []],
    ["more", shares([100, 200], [200, 200]), []],
    ["none of no rows", shares([100, 200], [0, 0]), ["is empty (100 before)"]],
    ["some where there was none", shares([0, 200], [9, 200]), []],
  ])("%s", (_what, example, expected) => {
    expect(texts("sectionComment", example)).toEqual(expected.map((text) => `\`sectionComment\` of 2026 Fall ${text}`));
  });

  it("a column that was not counted is none of it", () => {
    const none = { ...compared("courseTitle", shares([100, 200], [100, 200])), now: profile(200, {}) };
    expect(columnBreaches(none).map(({ text }) => text)).toEqual(["`courseTitle` of 2026 Fall is empty (100 before)"]);
    expect([share(profile(0, { a: { filled: 1 } }), "a"), share(profile(4, { a: { filled: 1 } }), "a")]).toEqual([
      0, 0.25,
    ]);
    expect([share(profile(4, {}), "a"), formShare(profile(4, {}), "a")]).toEqual([0, 0]);
    expect(formShare(profile(4, { a: { written: 4, formed: 3 } }), "a")).toBe(0.75);
  });
});

describe("one value in all rows", () => {
  const varied = (rows: number, before: number, now: number, causes: readonly UnknownField[] = []): Case => ({
    before: { rows, filled: rows, distinct: before },
    now: { rows, filled: rows, distinct: now },
    common: { count: rows, held: rows },
    causes,
  });
  it.each([
    [varied(50, 3, 1), true],
    [varied(49, 3, 1), false],
    [varied(50, 2, 1), false],
    [varied(50, 3, 2), false],
  ])("%o: refused is %s", (example, isTold) => {
    const text = "`sectionType` of 2026 Fall has one value in all rows (3 values before)";
    const breach = { column: "sectionType", text, isSerious: true, isFormBreach: false };
    expect(told("sectionType", example)).toEqual(isTold ? [breach] : []);
  });

  it("is serious beside a cause where it is a season's doing", () => {
    const seriousness = (causes: readonly UnknownField[]) =>
      told("restrictions", varied(50, 3, 1, causes)).map(({ isSerious }) => isSerious);
    expect([seriousness([]), seriousness([{ ...NEW, count: 1 }])]).toEqual([[false], [true]]);
  });

  it("an emptied column is told as that", () => {
    expect(texts("sectionType", { ...lost(50, 50), before: { rows: 50, filled: 50, distinct: 9 } })).toEqual([
      "`sectionType` of 2026 Fall is empty (50 before)",
    ]);
  });
});

describe("written otherwise", () => {
  const written = (formed: number, now: number, more: Partial<Case> = {}): Case => ({
    before: { rows: 100, filled: 100, written: 100, formed },
    now: { rows: 100, filled: 100, written: 100, formed: now },
    ...more,
  });
  it.each([
    ["half of them", written(100, 50), undefined],
    ["more than half", written(100, 49), "51 of 100"],
    ["a few beside a cause", written(100, 94, { causes: [{ ...TEXT, count: 6 }] }), "6 of 100"],
    [
      "some of common keys",
      written(100, 49, { common: { count: 100, held: 100, formed: 100, rewritten: 0 } }),
      undefined,
    ],
    [
      "most of common keys",
      written(100, 99, { common: { count: 100, held: 100, formed: 100, rewritten: 60 } }),
      "60 of 100",
    ],
    ["nothing is written any more", { ...written(100, 0), now: { rows: 100, filled: 100 } }, undefined],
    ["more than before", written(50, 100), undefined],
    ["none had the form before", written(0, 0), undefined],
  ])("%s", (_what, example, amount) => {
    const causes = example.causes ? ': 6 texts of `sec_units` cannot be read, such as "four"' : "";
    const text = `\`units\` of 2026 Fall is written differently in ${amount} rows${causes}`;
    expect(told("units", example)).toEqual(
      amount ? [{ column: "units", text, isSerious: true, isFormBreach: true }] : [],
    );
  });

  it("a few rows, when none has the form any more", () => {
    const few = (now: number): Case => ({
      before: { rows: 5, filled: 5, written: 5, formed: 5 },
      now: { rows: 5, filled: 5, written: 5, formed: now },
      common: { count: 5, held: 5, formed: 5, rewritten: 5 },
    });
    expect([texts("units", few(0)).length, texts("units", few(1)).length]).toEqual([1, 0]);
  });

  it("is told beside a column that emptied by its nature, not beside one that is refused already", () => {
    const example: Case = {
      ...lost(50, 50),
      before: { rows: 60, filled: 60, written: 60, formed: 60 },
      now: { rows: 60, written: 60 },
    };
    const both = { ...example, common: { count: 60, held: 60, lost: 60, formed: 60, rewritten: 60 } };
    const kinds = (column: string) => told(column, both).map(({ isFormBreach }) => isFormBreach);
    expect([kinds("restrictions"), kinds("units")]).toEqual([[false, true], [false]]);
  });

  it("a column without a declared form is never", () => {
    expect(told("sectionComment", written(100, 0))).toEqual([]);
  });
});

describe("a term that was never published", () => {
  const gone = (held: number, left: number, causes: readonly UnknownField[]): Case => ({
    before: { rows: 100, filled: held },
    now: { rows: 100, filled: left },
    causes,
  });
  const CAUSE = [{ ...NEW, count: 100 }];
  const columns = (column: string, example: Case) =>
    newTermBreaches(compared(column, example)).map((breach) => breach.column);
  it.each([
    ["what was in most rows and is in none, beside a cause", "sectionComment", gone(51, 0, CAUSE), true],
    ["without a cause", "sectionComment", gone(51, 0, []), false],
    ["what was in half of the rows", "sectionComment", gone(50, 0, CAUSE), false],
    ["what is in one row", "sectionComment", gone(51, 1, CAUSE), false],
    ["what empties by its nature", "restrictions", gone(51, 0, CAUSE), false],
  ])("%s", (_what, column, example, isTold) => expect(columns(column, example)).toEqual(isTold ? [column] : []));

  it("what is written otherwise is refused there too", () => {
    const example = {
      before: { rows: 100, filled: 100, written: 100, formed: 100 },
      now: { rows: 100, filled: 100, written: 100 },
    };
    expect(columns("units", example)).toEqual(["units"]);
  });
});
