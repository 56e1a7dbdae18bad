/** The comparison of staged rows, and why they are refused: over versions of which only counts are known. */
import { describe, expect, it } from "vitest";
import type { KnownField, UnknownField } from "../../../../pipeline/contract/source-fields.ts";
import { TABLES } from "../../../../pipeline/contract/tables.ts";
import { filePath } from "../../../../pipeline/store/layout.ts";
import { reasonsFor, type StagedRows } from "../../../../pipeline/products/guard/field-guard.ts";
import { FALL, openVersions } from "./counted-versions.ts";
import { comment, refused, texts, version, type World } from "./refused-versions.ts";

it("the very file that is published is not compared again", async () => {
  const world = { staged: { rows: 94 }, versions: [version("published", 100)] };
  expect(await texts(world, { rows: {}, sha256: "another" })).toHaveLength(1);
  expect(await texts(world, { rows: {}, sha256: "published" })).toEqual([]);
});

describe("the number of rows", () => {
  const rows = {};
  const published = version("published", 100);
  const days = (ago: number, count: number) =>
    version("older", count, { at: new Date(Date.UTC(2026, 10, 20 - ago, 20)).toISOString() });
  it.each<[string, World, Partial<StagedRows>, string[]]>([
    ["of a part that is not published", { staged: { rows: 5 } }, { rows }, []],
    ["95 % of it", { staged: { rows: 95 }, versions: [published] }, { rows }, []],
    [
      "less",
      { staged: { rows: 94 }, versions: [published] },
      { rows },
      ["rows: 2026 Fall would shrink from 100 to 94"],
    ],
    ["less, where it is not compared", { staged: { rows: 94 }, versions: [published] }, {}, []],
    [
      "nothing",
      { staged: { rows: 0 }, versions: [published] },
      { rows },
      ["rows: 2026 Fall would shrink from 100 to 0"],
    ],
    ["90 % of the days before", { staged: { rows: 99 }, versions: [published, days(7, 110)] }, { rows }, []],
    [
      "less than 90 % of a day within seven",
      { staged: { rows: 99 }, versions: [published, days(7, 111)] },
      { rows },
      ["rows: 2026 Fall would shrink from 111 to 99 within seven days"],
    ],
    ["less than of an earlier day", { staged: { rows: 99 }, versions: [published, days(8, 200)] }, { rows }, []],
    [
      "less than before it was accepted",
      { staged: { rows: 99 }, versions: [published, days(3, 200)], acceptedAt: { "sections 2026 Fall": "2026-11-18" } },
      { rows },
      [],
    ],
    ["a third more", { staged: { rows: 133 }, versions: [published] }, { rows: { isGrowthGuarded: true } }, []],
    [
      "more than that",
      { staged: { rows: 134 }, versions: [published] },
      { rows: { isGrowthGuarded: true } },
      ["rows: 2026 Fall would grow from 100 to 134"],
    ],
    [
      "a third more of three",
      { staged: { rows: 4 }, versions: [version("published", 3)] },
      { rows: { isGrowthGuarded: true } },
      [],
    ],
    ["more, where growth is not guarded", { staged: { rows: 900 }, versions: [published] }, { rows }, []],
    [
      "against another count than the file's",
      { staged: { rows: 94 }, versions: [published, days(1, 900)] },
      { rows: { before: 99 } },
      ["rows: 2026 Fall would shrink from 99 to 94"],
    ],
    [
      "against a smaller one",
      { staged: { rows: 94 }, versions: [published, days(1, 900)] },
      { rows: { before: 90 } },
      [],
    ],
  ])("%s", async (_what, world, staged, expected) => expect(await texts(world, staged)).toEqual(expected));
});

describe("keys", () => {
  const keys = (from: number) => Array.from({ length: 100 }, (_, n) => n + from);
  const world = (from: number): World => ({
    staged: { rows: 100, keys: keys(from) },
    versions: [version("published", 100, { keys: keys(0) })],
  });
  it("half of them may be new, where links name them", async () => {
    const text = "keys: 2026 Fall would have new keys in 51 of 100 rows: links and filters by them would find nothing";
    expect(await texts(world(50), { hasLastingKeys: true })).toEqual([]);
    expect(await texts(world(51), { hasLastingKeys: true })).toEqual([text]);
    expect(await texts(world(100))).toEqual([]);
    expect(await texts({ staged: { rows: 100 } }, { hasLastingKeys: true })).toEqual([]);
  });
});

describe("columns", () => {
  const full = version("published", 100, { columns: comment(80) });
  const EMPTY = "sectionComment: `sectionComment` of 2026 Fall is empty (80 before)";

  it("that emptied are refused, and those that did not stay", async () => {
    expect(await texts({ staged: { rows: 100 }, versions: [full] })).toEqual([EMPTY]);
    expect(await texts({ staged: { rows: 100, columns: comment(80) }, versions: [full] })).toEqual([]);
    expect(await texts({ staged: { rows: 0 }, versions: [full] })).toEqual([]);
  });

  it("are compared with the last seven days too, so that they cannot empty little by little", async () => {
    const older = (at: string) => version("older", 100, { columns: comment(90), at });
    const eroded = version("published", 100, { columns: comment(44) });
    const staged = { rows: 100, columns: comment(40) };
    expect(await texts({ staged, versions: [eroded] })).toEqual([]);
    expect(await texts({ staged, versions: [eroded, older("2026-11-15T00:00:00Z")] })).toEqual([
      "sectionComment: `sectionComment` of 2026 Fall lost 50 of 90 values (40 of 100 rows have one)",
    ]);
    expect(await texts({ staged, versions: [eroded, older("2026-11-10T00:00:00Z")] })).toEqual([]);
  });

  it("each is told once, by the newest version that tells", async () => {
    const older = version("older", 100, { columns: comment(90), at: "2026-11-15T00:00:00Z" });
    expect(await texts({ staged: { rows: 100 }, versions: [full, older] })).toEqual([EMPTY]);
  });

  it("that empty by their nature are noted", async () => {
    const { noted, reasons } = await refused({
      staged: { rows: 100 },
      versions: [version("published", 100, { columns: { restrictions: { filled: 80 } } })],
    });
    expect(reasons).toEqual([]);
    expect(noted()).toEqual([
      { reason: "a column that emptied", count: 1, names: ["`restrictions` of 2026 Fall is empty (80 before)"] },
    ]);
  });

  it("with values of another form are noted with an example", async () => {
    const { noted } = await refused({ staged: { rows: 9, columns: { units: { filled: 5, written: 5, formed: 3 } } } });
    expect(noted()).toEqual([
      {
        reason: "values without the form of their column",
        count: 1,
        names: ["`units` of 2026 Fall in 2 of 9 rows, such as an example"],
      },
    ]);
  });

  it("without a key in common, shares of rows are compared", async () => {
    const other = { rows: 1000, keys: [900], columns: comment(300) };
    expect(await texts({ staged: other, versions: [full] })).toEqual([
      "sectionComment: `sectionComment` of 2026 Fall lost 50 of 80 values (300 of 1000 rows have one)",
    ]);
  });

  it("with keys in common, only rows of these are: added ones may lack a value", async () => {
    const grown = { rows: 900, columns: comment(80) };
    expect(await texts({ staged: grown, versions: [full] })).toEqual([]);
    const quarters = { Fall: grown };
    const versions = [{ ...full, quarters: { Fall: full } }];
    expect(await texts({ staged: { ...grown, quarters }, versions }, { byQuarter: "must stay" })).toEqual([]);
  });

  it("of each quarter are compared by themselves", async () => {
    const quarters = (fall: number) => ({
      Fall: { rows: 40, columns: comment(fall) },
      Winter: { rows: 60, columns: comment(30) },
    });
    const world = (fall: number): World => ({
      staged: { rows: 100, columns: comment(fall + 30), quarters: quarters(fall) },
      versions: [version("published", 100, { columns: comment(70), quarters: quarters(40) })],
    });
    const text = "Fall sectionComment: `sectionComment` of 2026 Fall, Fall, is empty (40 before)";
    expect(await texts(world(0), { byQuarter: "must stay" })).toEqual([text]);
    expect(await texts(world(40), { byQuarter: "must stay" })).toEqual([]);
    const added = { ...world(40), versions: [version("published", 9, { quarters: { Spring: { rows: 9 } } })] };
    expect(await texts(added, { byQuarter: "must stay" })).toEqual([]);
  });

  it("that lost little are refused beside a new field in their place", async () => {
    const known: KnownField[] = [{ kind: "element", place: "section", name: "sec_comment", fills: ["sectionComment"] }];
    const unknown: UnknownField[] = [{ kind: "element", place: "section", name: "sec_note", count: 8 }];
    const world = { staged: { rows: 100, columns: comment(72) }, versions: [full] };
    expect(await texts(world, { known })).toEqual([]);
    expect(await texts(world, { known, unknown })).toEqual([
      "sectionComment: `sectionComment` of 2026 Fall lost 8 of 80 values (72 of 100 rows have one): the element `sec_note` of `section` is new, in 8 rows",
    ]);
    expect(await texts({ ...world, remembered: { "sections 2026 Fall": unknown } }, { known, unknown })).toEqual([]);
  });

  it("of a new term are compared with the latest one like it", async () => {
    const known: KnownField[] = [{ kind: "element", place: "section", name: "sec_comment", fills: ["sectionComment"] }];
    const unknown: UnknownField[] = [{ kind: "element", place: "section", name: "sec_note", count: 9 }];
    const other = version("other", 100, {
      columns: comment(80),
      part: { table: "sections", partition: { year: "2025", quarter: "Fall" } },
    });
    const world: World = { staged: { rows: 100 }, others: [other] };
    expect(await texts(world, { known })).toEqual([]);
    expect(await texts(world, { known, unknown })).toHaveLength(1);
    expect(await texts({ ...world, others: [{ ...other, rows: 0 }] }, { known, unknown })).toEqual([]);
    const before = version("published", 100, { columns: comment(0) });
    expect(await texts({ ...world, versions: [before] }, { known, unknown })).toEqual([]);
  });
});

it("a part that was taken away is compared with nothing when it comes back", async () => {
  const elsewhere = { table: "sections", partition: { year: "2026", quarter: "Winter" } } as const;
  const before = version("before", 100, { columns: comment(80) });
  const versions = [version("published", 1, { part: elsewhere }), before];
  expect(await texts({ staged: { rows: 9 }, versions }, { rows: {} })).toEqual([]);
});

describe("a damaged version", () => {
  const damaged = version("published", 100, { columns: comment(80) });
  const older = version("older", 100, { columns: comment(80), at: "2026-10-01T00:00:00Z" });

  it("gives its place to the newest sound one that is retained", async () => {
    expect(await texts({ staged: { rows: 100 }, versions: [damaged, older], isDamaged: true })).toHaveLength(1);
  });

  it("without any such one, nothing takes its place", async () => {
    const text = "2026 Fall is damaged, and no sound version is retained to compare 5 rows with (100 before)";
    for (const versions of [[damaged], [damaged, { ...older, isBroken: true }]]) {
      const { reasons } = await refused({ staged: { rows: 5 }, versions, isDamaged: true });
      expect(reasons).toEqual([{ part: FALL, column: "copy", text }]);
    }
  });

  it("that comes back as it was is no change", async () => {
    const { context, tally } = openVersions({ staged: { rows: 5 }, versions: [damaged], isDamaged: true });
    const [file] = context.staging.lost();
    const asked = { what: "2026 Fall", table: TABLES.sections, published: FALL, from: "staged", rows: {} };
    const sha256 = "ab".repeat(32);
    Object.assign(file as object, { path: filePath("sections", FALL.partition, sha256) });
    expect(await reasonsFor(context, { ...asked, sha256 }, tally)).toEqual([]);
    expect(await reasonsFor(context, { ...asked, sha256: "cd".repeat(32) }, tally)).toHaveLength(1);
    expect(await reasonsFor(context, asked, tally)).toHaveLength(1);
  });

  it("among those of the last days says nothing", async () => {
    const broken = { ...older, at: "2026-11-19T00:00:00Z", isBroken: true };
    const staged = { rows: 100, columns: comment(80) };
    expect(await texts({ staged, versions: [{ ...damaged, columns: comment(70) }, broken] })).toEqual([]);
    expect(await texts({ staged: { rows: 100 }, versions: [damaged, broken] })).toHaveLength(1);
  });
});
