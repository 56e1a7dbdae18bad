/**
 * "A run starts from the newest snapshot that can be read … If none can be read, or none exists, `refresh` behaves like
 * `build-data`" (pipeline/RULES.md, Runs); and no damage loses recorded data (§6).
 */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FETCHED, later, openDamagedBase, rowsOf, SYSTEMS_DOWN } from "../support/published/damaged-base.ts";
import { run } from "../support/whole-run.ts";

const { campus, copy } = await openDamagedBase();
type Place = Awaited<ReturnType<typeof copy>>;

const productsOf = ({ products }: { products: { product: string }[] }) => products.map(({ product }) => product).sort();
const EVERY_PRODUCT = ["calendar", "catalogue", "enrollment", "grades", "history", "instructors", "larc", "schedule"];

describe("the pointer is damaged: the newest snapshot is the base, and nothing is lost", () => {
  it.each<[what: string, harm: (place: Place) => void]>([
    ["is no JSON", ({ pointer }) => writeFileSync(pointer, '{"snapshot":')],
    ["is missing though snapshots are there", ({ pointer }) => rmSync(pointer)],
    [
      ": ",
      ({ base: { manifest, retained }, pointer }) =>
        writeFileSync(pointer, JSON.stringify({ snapshot: { ...manifest, contract: "?" }, retained })),
    ],
  ])("current.json %s", async (what, harm) => {
    const place = await copy("linked");
    harm(place);
    const { report, text } = await place.refresh({ only: ["larc"] });
    expect(report).toMatchObject({ changed: true, failed: false, snapshot: place.base.manifest.id });
    expect(text).toMatch(new RegExp(`^  base: current\\.json ?${what}.*; started from 3-\\w+$`, "m"));
    expect(report.disk.generations).toBe(3);
    await place.expectWhole();
  });
});

it("the manifest alone is damaged: it is written again, as the pointer has it", async () => {
  const place = await copy("linked");
  const before = readFileSync(place.manifestPath);
  for (const harm of [() => writeFileSync(place.manifestPath, "{"), () => rmSync(place.manifestPath)]) {
    harm();
    expect((await place.refresh({ only: ["larc"] })).report).toMatchObject({ changed: false, failed: false });
    expect(readFileSync(place.manifestPath)).toEqual(before);
    await place.expectWhole();
  }
});

it("`current` is missing, or leads elsewhere: the checkout is made again", async () => {
  const place = await copy("linked");
  const current = join(place.folder.artifacts, "current");
  for (const elsewhere of [undefined, "/etc"]) {
    rmSync(current);
    if (elsewhere !== undefined) symlinkSync(elsewhere, current);
    expect((await place.refresh({ only: ["larc"] })).report).toMatchObject({ changed: false, failed: false });
    await place.expectWhole();
  }
});

describe("the pointer and the newest manifest are damaged", () => {
  it("several snapshots: the one before is the base; what a backup has of the lost days comes back", async () => {
    const place = await copy("apart");
    await place.backUp();
    place.loseDocuments();
    const { report, text } = await place.refresh({ only: ["larc"] });
    expect([report.failed, report.changed, report.base?.generation]).toEqual([
      false,
      true,
      expect.stringMatching(/^2-/),
    ]);
    expect(text).toMatch(/base: current.json is no JSON; started from 2-\w+/);
    expect(text).toMatch(/damaged: enrollment_periods\S+: it is in no snapshot that can be read; restored from .*$/m);
    await place.expectWhole();
  });

  it("several snapshots: every product is looked at again, and a term that was crawled since the base", async () => {
    const place = await copy("apart");
    await place.backUp();
    place.loseDocuments();
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

  it("the only snapshot: everything is built, the history comes from the backup", async () => {
    const place = await copy("one");
    await place.backUp();
    place.loseDocuments();
    const { report, text } = await place.refresh();
    expect([report.failed, productsOf(report), report.base?.generation]).toEqual([false, EVERY_PRODUCT, null]);
    expect(text).toMatch(/^ {2}base: current.json is no JSON; everything is built$/m);
    await place.expectWhole();
  });

  it("the only snapshot, and nothing answers: nothing is published, and the report says so", async () => {
    const place = await copy("one");
    place.loseDocuments();
    const { report, text } = await place.refresh({ down: SYSTEMS_DOWN });
    expect([report.failed, report.changed]).toEqual([true, false]);
    expect(text).toMatch(/Nothing is published, what is in service stays: no product has anything/);
    // Nor is a part of it published when the configuration has a part.
    expect((await place.refresh({ only: ["larc"], hours: 4 })).report.withheld).toMatch(/no schedule/);
    campus().fail(["2019 Winter"]);
    expect((await place.refresh({ hours: 5 })).report.withheld).toMatch(/there is no 2019 Winter$/);
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
    const { report } = await place.refresh({ only: ["schedule"] });
    expect([report.failed, report.base?.files]).toEqual([false, []]);
  });
});

describe("invented data does not come over real in place of what cannot be read", () => {
  it("no address is configured, and what cannot be read came from addresses: usage", async () => {
    const place = await copy("one");
    place.loseDocuments();
    await expect(run(place.folder.env, "refresh", later(2))).rejects.toThrow(/no address is configured/);
    await place.expectUntouched();
  });
});
