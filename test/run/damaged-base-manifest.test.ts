/**
 * "A run starts from the newest readable generation … If no generation can be read, or none exists, `refresh` behaves like `build-data`" (pipeline/RULES.md, Runs); and
 * no damage loses what our own runs recorded (§6).
 */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isWhole } from "../support/extent.ts";
import { FETCHED, HARMS, later, openDamagedBase, rowsOf, SYSTEMS_DOWN } from "../support/published/damaged-base.ts";
import { run } from "../support/whole-run.ts";

const { campus, copy } = await openDamagedBase();
type Place = Awaited<ReturnType<typeof copy>>;

const manifestOf = (folder: string) => join(folder, "manifest.json");
/** What makes the newest generation unreadable though its files are there. */
const UNREADABLE: Readonly<Record<string, (place: Place) => void>> = {
  "no JSON": ({ base }) => writeFileSync(manifestOf(base.folder), '{"contract":'),
  missing: ({ base }) => rmSync(manifestOf(base.folder)),
  "of no contract version": ({ base }) =>
    writeFileSync(manifestOf(base.folder), JSON.stringify({ ...base.manifest, contract: "?" })),
};

/** `current` leads to a generation that is not there. */
function dangle({ folder, base }: Place): void {
  const current = join(folder.artifacts, "current");
  rmSync(base.folder, { recursive: true });
  expect(() => readFileSync(current)).toThrow();
}
const productsOf = ({ products }: { products: { product: string }[] }) => products.map(({ product }) => product).sort();
const EVERY_PRODUCT = ["calendar", "catalogue", "enrollment", "grades", "history", "instructors", "larc", "schedule"];

describe("one generation, its manifest cannot be used", () => {
  it("everything answers: everything is built, and the recorded history is what it was, as the backup knows", async () => {
    const place = await copy("one");
    await place.backUp();
    UNREADABLE["missing"]?.(place);
    const { report, text } = await place.refresh();
    expect(report).toMatchObject({ failed: false, changed: true, base: { generation: null } });
    expect(text).toMatch(/^ {2}base: 3-\w+.manifest.json:? .*; everything is built$/m);
    expect(productsOf(report)).toEqual(EVERY_PRODUCT);
    await place.expectWhole();
    // The term that is over was crawled as well.
    expect(report.products.find(({ product }) => product === "schedule")?.kept).toBe(
      rowsOf(place.base.manifest.files)["sections"],
    );
  });

  it("nothing answers: its files are what they were, as the backup knows, and are published again; the exit status is 1", async () => {
    const place = await copy("one");
    await place.backUp();
    UNREADABLE["of no contract version"]?.(place);
    const { report, text } = await place.refresh({ down: SYSTEMS_DOWN });
    expect([report.failed, report.changed, report.snapshot]).toEqual([true, true, place.base.manifest.id]);
    expect(text).toContain(`restored from generation ${basename(place.base.folder)}`);
    await place.expectWhole();
  });
});

it("one generation without its manifest, nothing answers, and one of its files is damaged as well: nothing is published without it", async () => {
  const place = await copy("one");
  await place.backUp();
  UNREADABLE["missing"]?.(place);
  HARMS["flipped"]?.(place.at(place.file("sections")));
  const { report, text } = await place.refresh({ down: SYSTEMS_DOWN });
  expect([report.failed, report.changed]).toEqual([true, false]);
  expect(text).toMatch(/damaged: sections.*another SHA-256; lost: there is no copy/);
  place.expectUntouched();
  // Partly down is enough for a refusal: Winter is what is missing.
  campus().fail(["2019 Winter"]);
  expect((await place.refresh({ hours: 3 })).report.changed).toBe(false);
  campus().fail([]);
  expect((await place.refresh({ hours: 4 })).report).toMatchObject({ failed: false, changed: true });
  await place.expectWhole();
});

describe("several generations, the newest one's manifest is no JSON", () => {
  it("the one before is the base, and nothing of the newest is lost", async () => {
    const place = await copy("linked");
    UNREADABLE["no JSON"]?.(place);
    const { report, text } = await place.refresh();
    expect([report.failed, report.changed]).toEqual([false, true]);
    expect(text).toMatch(/^ {2}base: 3-\w+.manifest.json:? .*; started from 2-\w+$/m);
    expect(text).toMatch(
      /damaged: enrollment_periods\S+: the manifest of 3-\w+ cannot be read; restored from generation 3-\w+$/m,
    );
    // Not a build: the term that is over was not asked for. What was looked at since the base is looked at again.
    expect(report.products.find(({ product }) => product === "schedule")?.kept).toBeLessThan(
      rowsOf(place.base.manifest.files)["sections"] ?? 0,
    );
    expect(productsOf(report)).toEqual(EVERY_PRODUCT);
    await place.expectWhole();
  });

  it.runIf(isWhole)("nothing answers: the same, with exit status 1", async () => {
    const place = await copy("linked");
    UNREADABLE["no JSON"]?.(place);
    const { report } = await place.refresh({ down: SYSTEMS_DOWN });
    expect([report.failed, report.changed, report.snapshot]).toEqual([true, true, place.base.manifest.id]);
    await place.expectWhole();
  });
});

describe("`current` leads nowhere", () => {
  it("several generations: the newest that is left is the base; what a backup has of the lost days comes back", async () => {
    const place = await copy("apart");
    await place.backUp();
    dangle(place);
    const { report, text } = await place.refresh({ only: ["larc"] });
    expect([report.failed, report.changed, report.base?.generation]).toEqual([
      false,
      true,
      expect.stringMatching(/^2-/),
    ]);
    expect(text).toMatch(/base: 3-\w+\/manifest.json is missing; started from 2-\w+/);
    expect(text).toMatch(
      /damaged: enrollment_periods\S+: it is in no generation that can be read; restored from the backup of \d{4}-\d\d-\d\d$/m,
    );
    await place.expectWhole();
  });

  it("several generations: every product is looked at again, and a term that was crawled since the base", async () => {
    const place = await copy("apart");
    dangle(place);
    const freshness = join(place.folder.artifacts, "freshness.json");
    const known = JSON.parse(readFileSync(freshness, "utf8")) as { terms: Record<string, string> };
    known.terms["2019 Winter"] = later(0)().toISOString();
    writeFileSync(freshness, JSON.stringify(known));
    const { report } = await place.refresh();
    expect([report.failed, productsOf(report)]).toEqual([false, EVERY_PRODUCT]);
    expect(report.products.find(({ product }) => product === "schedule")?.kept).toBe(
      rowsOf(place.base.manifest.files)["sections"],
    );
    await place.expectWhole();
  });

  // As above, where the folder is there and its manifest is not.
  it.runIf(isWhole)("the only generation: everything is built, the history comes from the backup", async () => {
    const place = await copy("one");
    await place.backUp();
    dangle(place);
    const { report } = await place.refresh();
    expect([report.failed, productsOf(report), report.base?.generation]).toEqual([false, EVERY_PRODUCT, null]);
    await place.expectWhole();
  });

  it("the only generation, and nothing answers: nothing is published, and the report says so", async () => {
    const place = await copy("one");
    dangle(place);
    const { report, text } = await place.refresh({ down: SYSTEMS_DOWN });
    expect([report.failed, report.changed]).toEqual([true, false]);
    expect(text).toMatch(/Nothing is published, what is in service stays: no product has anything/);
    // Nor is a part of it published when the configuration has a part.
    expect((await place.refresh({ only: ["larc"], hours: 4 })).report.withheld).toMatch(/no schedule/);
    campus().fail(["2019 Winter"]);
    expect((await place.refresh({ hours: 5 })).report.withheld).toMatch(/there is no 2019 Winter$/);
  });

  it.runIf(isWhole)("is missing: the newest generation is the base", async () => {
    const place = await copy("linked");
    rmSync(join(place.folder.artifacts, "current"));
    expect((await place.refresh()).report).toMatchObject({ failed: false, changed: true });
    await place.expectWhole();
  });

  it("leads to the folder of something else: the newest generation is the base", async () => {
    const place = await copy("linked");
    const current = join(place.folder.artifacts, "current");
    rmSync(current);
    symlinkSync("/etc", current);
    expect((await place.refresh()).report).toMatchObject({ failed: false, changed: true });
    await place.expectWhole();
  });
});

describe("an empty folder", () => {
  it("`refresh` does what a build does; a term whose crawl failed is due until it is published, unless TERMS leaves it out", async () => {
    const place = await copy("one");
    rmSync(place.folder.artifacts, { recursive: true });
    rmSync(join(place.folder.data, "landing"), { recursive: true });
    campus().fail(["2019 Winter"]);
    const first = await place.refresh();
    expect([first.report.failed, first.report.changed, productsOf(first.report)]).toEqual([true, true, EVERY_PRODUCT]);
    const second = await place.refresh({ hours: 3 });
    expect(second.report.failed).toBe(true);
    expect(second.text).toMatch(/failed: 2019 Winter/);
    // TERMS says what this installation is about.
    expect((await place.refresh({ hours: 4, env: { TERMS: "2019 Fall,2020 Winter" } })).report.failed).toBe(false);
    campus().fail([]);
    const last = await place.refresh({ hours: 5 });
    expect(last.report.products.filter(({ damaged, error }) => damaged.length > 0 || error)).toEqual([]);
    await place.expectWhole(FETCHED);
  });
});

describe("the artifacts are gone, the backup is there", () => {
  it("that of another campus stays where it is", async () => {
    const place = await copy("one");
    const source = { schedule: "sample campus (standard)" };
    await place.backUp({ ...place.base, manifest: { ...place.base.manifest, source } });
    rmSync(place.folder.artifacts, { recursive: true });
    rmSync(join(place.folder.data, "enrollment"), { recursive: true });
    const { report } = await place.refresh();
    expect([report.failed, report.base?.files]).toEqual([false, []]);
  });
});

describe("invented data does not come over real in place of what cannot be read", () => {
  it("no address is configured, and what cannot be read came from addresses: usage", async () => {
    const place = await copy("one");
    writeFileSync(manifestOf(place.base.folder), "");
    await expect(run(place.folder.env, "refresh", later(2))).rejects.toThrow(/no address is configured/);
    place.expectUntouched();
  });
});
