/**
 * "If a file of the base is damaged or missing, its partition is due in this run regardless of freshness"
 * (pipeline/RULES.md, Runs), table by table.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PRODUCT_OF } from "../../pipeline/contract/tables.ts";
import { isWhole, someOf } from "../support/extent.ts";
import { FETCHED, HARMS, lineOf, openDamagedBase, SYSTEMS_DOWN } from "../support/published/damaged-base.ts";

const { copy } = await openDamagedBase();

/** One of the tables is derived from the others. */
const AGAIN = /; (?:fetched|made) again$/;
const PROBLEM: Readonly<Record<string, RegExp>> = {
  deleted: /: missing; /,
  truncated: /: 100 bytes, not \d+; /,
  flipped: /: the content has another SHA-256; /,
};
const HARM_NAMES = Object.keys(HARMS);
/** Another harm for each of neighbouring tables; with the three turns each table meets each harm. */
const harmOf = (i: number, turn = 0) => HARM_NAMES[(i + turn) % HARM_NAMES.length] ?? "";

describe("one copy, and everything answers: it is fetched again", () => {
  it.runIf(isWhole).each(["every second table, and the others are sound", "the others"])("%s", async (which) => {
    const place = await copy("one");
    const harmed = FETCHED.map((table, i) => ({ table, harm: harmOf(i) })).filter(
      (_, i) => (i % 2 === 0) === (which !== "the others"),
    );
    for (const { table, harm } of harmed) HARMS[harm]?.(place.at(place.file(table)));
    const { report, text } = await place.refresh();
    expect([report.failed, report.changed]).toEqual([false, true]);
    for (const { table, harm } of harmed) {
      const line = lineOf(text, place.file(table).path);
      expect(line, table).toMatch(PROBLEM[harm] as RegExp);
      expect(line, table).toMatch(AGAIN);
    }
    expect(report.base?.files).toHaveLength(harmed.length);
    expect(text).toMatch(/All products are published or unchanged/);
    await place.expectWhole();
  });

  it.each(someOf([1, 2], 1))("all of them, with the harms of turn %i; once mended, they are mended", async (turn) => {
    const place = await copy("one");
    for (const [i, table] of FETCHED.entries()) HARMS[harmOf(i, turn)]?.(place.at(place.file(table)));
    expect((await place.refresh({ down: SYSTEMS_DOWN })).report.failed).toBe(true);
    await place.expectUntouched();
    const { report, text } = await place.refresh();
    expect([report.failed, report.changed]).toEqual([false, true]);
    for (const [i, table] of FETCHED.entries()) {
      const line = lineOf(text, place.file(table).path);
      expect(line).toMatch(PROBLEM[harmOf(i, turn)] as RegExp);
      expect(line).toMatch(AGAIN);
    }
    await place.expectWhole();
    const again = await place.refresh({ hours: 3 });
    expect([again.report.failed, again.report.changed, again.report.base?.files]).toEqual([false, false, []]);
  });
});

describe("one copy, and nothing answers: what is published stays", () => {
  it("files of views are made again, and that is no failure", async () => {
    const place = await copy("one");
    const made = [place.file("views/seats"), place.file("views/prerequisites")];
    for (const [i, file] of made.entries()) HARMS[harmOf(i * 2)]?.(place.at(file));
    const { report, text } = await place.refresh({ down: SYSTEMS_DOWN });
    expect([report.changed, report.snapshot, report.base?.files]).toEqual([true, place.base.manifest.id, []]);
    expect(report.products.flatMap(({ damaged }) => damaged)).toEqual([]);
    expect(made.filter(({ path }) => text.includes(path))).toEqual([]);
    await place.expectWhole();
    expect((await place.refresh({ hours: 3 })).report.changed).toBe(false);
  });

  it("what is derived is made again", async () => {
    const place = await copy("one");
    const file = place.file("section_instructors");
    HARMS["flipped"]?.(place.at(file));
    const { report, text } = await place.refresh({ down: SYSTEMS_DOWN });
    expect(report.changed).toBe(true);
    expect(lineOf(text, file.path)).toMatch(/; made again$/);
    await place.expectWhole();
  });

  it.each(
    someOf(
      FETCHED.filter((table) => table !== "section_instructors"),
      2,
    ),
  )("%s", async (table) => {
    const place = await copy("one");
    const file = place.file(table);
    HARMS["deleted"]?.(place.at(file));
    const { report, text } = await place.refresh({ down: SYSTEMS_DOWN });
    expect([report.failed, report.changed, report.snapshot]).toEqual([true, false, place.base.manifest.id]);
    expect(report.withheld).toMatch(/damaged and could not be repaired/);
    const product = report.products.find((product) => product.product === PRODUCT_OF[table]);
    expect([product?.status, product?.damaged.join()]).toEqual(["failed", expect.stringContaining(table)]);
    expect(lineOf(text, file.path)).toMatch(/lost: there is no copy, and it was not fetched again$/);
    expect(text).toMatch(/Nothing is published, what is in service stays/);
    await place.expectUntouched();
  });
});

it("a checkout with files of its own: every table is restored, without a request", async () => {
  const place = await copy("apart");
  for (const [i, table] of FETCHED.entries()) HARMS[harmOf(i)]?.(place.at(place.file(table)));
  const { report, text } = await place.refresh({ only: ["larc"] });
  expect([report.failed, report.changed]).toEqual([false, false]);
  for (const table of FETCHED)
    expect(lineOf(text, place.file(table).path)).toMatch(/; restored from what is published$/);
  await place.expectWhole();
});

describe("hard links: one bad block damages the checkout too", () => {
  it.runIf(isWhole)("what can be fetched is fetched", async () => {
    const place = await copy("linked");
    const file = place.file("sections");
    HARMS["flipped"]?.(place.at(file));
    const { report, text } = await place.refresh();
    expect([report.failed, lineOf(text, file.path)]).toEqual([false, expect.stringMatching(/; fetched again$/)]);
    await place.expectWhole();
  });

  it("an object whose name is gone is restored from the checkout", async () => {
    const place = await copy("linked");
    const file = place.file("sections");
    HARMS["deleted"]?.(place.at(file));
    const { report, text } = await place.refresh({ only: ["larc"] });
    expect([report.failed, lineOf(text, file.path)]).toEqual([
      false,
      expect.stringMatching(/restored from what is published$/),
    ]);
    await place.expectWhole();
  });
});

describe("recorded history cannot be fetched again", () => {
  it("only an older state is left: it is restored, and what is lost is said; then the exit status is 1, once", async () => {
    const place = await copy("linked");
    const file = place.file("enrollment_periods", "2019 Fall");
    HARMS["flipped"]?.(place.at(file));
    const { report, text } = await place.refresh({ only: ["larc"] });
    expect([report.failed, report.changed]).toEqual([true, true]);
    expect(lineOf(text, file.path)).toMatch(
      /restored as it was on 2019-10-10T06:00:00.000Z from snapshot 2-\w+, \d+ rows where there were \d+: what was recorded after that is lost$/,
    );
    expect(report.products.find(({ product }) => product === "enrollment")?.damaged).toEqual([
      expect.stringMatching(/^enrollment_periods 2019 Fall 2019-10: .*lost$/),
    ]);
    await place.expectWhole(FETCHED);
    expect((await place.refresh({ only: ["larc"], hours: 3 })).report.failed).toBe(false);
  });

  it("an older state, and what came after it is recorded again in this run: nothing is lost", async () => {
    const place = await copy("linked");
    const file = place.file("enrollment_periods", "2019 Fall");
    HARMS["flipped"]?.(place.at(file));
    const { report, text } = await place.refresh();
    expect([report.failed, lineOf(text, file.path)]).toEqual([
      false,
      expect.stringMatching(/, and recorded again as it was$/),
    ]);
    await place.expectWhole();
  });

  it("an operator can give it up: that is said, and the exit status is 1", async () => {
    const place = await copy("one");
    const file = place.file("enrollment_periods", "2019 Fall");
    HARMS["deleted"]?.(place.at(file));
    const { report, text } = await place.refresh({}, { allowShrink: true });
    expect([report.failed, report.changed]).toEqual([true, true]);
    expect(lineOf(text, file.path)).toMatch(/lost: there is no copy, and recording starts again \(ALLOW_SHRINK=1\)$/);
    expect((await place.refresh({ hours: 3 })).report.failed).toBe(false);
  });

  it("the list of imported files is made again from the files, and fails where they are gone", async () => {
    const place = await copy("one");
    const file = place.file("enrollment_imports");
    HARMS["truncated"]?.(place.at(file));
    rmSync(join(place.folder.data, "enrollment"), { recursive: true });
    expect((await place.refresh()).report).toMatchObject({ failed: true, changed: false });
    await place.expectUntouched();
    const other = await copy("one");
    HARMS["truncated"]?.(other.at(file));
    expect((await other.refresh()).report).toMatchObject({ failed: false, changed: true });
    await other.expectWhole();
  });
});
