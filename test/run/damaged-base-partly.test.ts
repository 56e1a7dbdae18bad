/**
 * A damaged base, and systems some of which answer (pipeline/RULES.md, Runs): what is repaired, what is not, and the
 * exit status.
 */
import { describe, expect, it } from "vitest";
import { type PublishedSnapshot, readCurrent } from "../../pipeline/store/published.ts";
import { isWhole, someOf } from "../support/extent.ts";
import { HARMS, lineOf, openDamagedBase, rowsOf } from "../support/published/damaged-base.ts";
import { start } from "../support/program.ts";

const { campus, copy } = await openDamagedBase();
type Place = Awaited<ReturnType<typeof copy>>;

describe("some answer, some do not", () => {
  it("a term that is over and cannot be crawled fails by name; another one is not held up by it", async () => {
    campus().fail(["2019 Winter"]);
    const place = await copy("one");
    const file = place.file("sections");
    HARMS["deleted"]?.(place.at(file));
    const { report, text } = await place.refresh();
    expect([report.failed, report.changed]).toEqual([true, false]);
    expect(text).toMatch(/schedule: failed[^]*failed: 2019 Winter/);
    await place.expectUntouched();
    const other = await copy("one");
    HARMS["deleted"]?.(other.at(other.file("sections", "2019 Fall")));
    expect((await other.refresh()).report).toMatchObject({ failed: false, changed: true });
    await other.expectWhole();
  });

  it("a system that is down is none of what was damaged elsewhere", async () => {
    const place = await copy("one");
    HARMS["deleted"]?.(place.at(place.file("grades")));
    const { report } = await place.refresh({ down: ["larc", "catalogue", "calendar"] });
    expect([report.failed, report.changed]).toEqual([false, true]);
    await place.expectWhole();
  });

  it("courses do not come back without their prerequisites", async () => {
    const place = await copy("one");
    HARMS["flipped"]?.(place.at(place.file("courses")));
    const options = [{ down: ["prerequisites"] }, { only: ["schedule", "records", "catalogue", "directory"] }] as const;
    for (const option of someOf(options, 1)) {
      const { report } = await place.refresh(option);
      expect([report.failed, report.changed]).toEqual([true, false]);
      expect(report.products.find(({ product }) => product === "catalogue")?.error).toMatch(
        /not all of them could be read/,
      );
    }
    await place.expectUntouched();
  });

  it("what the configuration cannot fetch fails; what it can is fetched, and the rest stays as published", async () => {
    const place = await copy("one");
    const file = place.file("larc");
    HARMS["flipped"]?.(place.at(file));
    const { report, text } = await place.refresh({ only: ["schedule", "records"] });
    expect([report.failed, report.changed]).toEqual([true, false]);
    expect(text).toMatch(/larc: failed/);
    await place.expectUntouched();
    expect((await place.refresh({ only: ["larc"] })).report).toMatchObject({ failed: false, changed: true });
    await place.expectWhole();
  });

  it("TERMS does not keep a damaged term from coming back", async () => {
    const place = await copy("one");
    HARMS["flipped"]?.(place.at(place.file("headings")));
    const { report } = await place.refresh({ env: { TERMS: "2019 Fall" } });
    expect([report.failed, report.changed]).toEqual([false, true]);
    await place.expectWhole();
  });

  it("a damaged term is measured by the rows that it had, and an operator can give it up", async () => {
    const place = await copy("one");
    const file = place.file("sections");
    HARMS["deleted"]?.(place.at(file));
    campus().offer(["2019 Fall", "2020 Winter"]);
    const only = ["schedule"] as const;
    expect((await place.refresh({ only })).report).toMatchObject({ failed: true, changed: false });
    await place.expectUntouched();
    const { report, text } = await place.refresh({ only }, { allowShrink: true });
    expect([report.failed, report.changed]).toEqual([true, true]);
    expect(lineOf(text, file.path)).toMatch(/left out \(ALLOW_SHRINK=1\)$/);
    expect((await place.refresh({ only, hours: 3 })).report.failed).toBe(false);
  });
});

it("the documents cannot be read, and nothing is configured to fetch a table: nothing is published", async () => {
  const place = await copy("one");
  await place.backUp();
  place.loseDocuments();
  const only = ["schedule", "records", "catalogue", "prerequisites", "directory", "calendar"] as const;
  const { report, text } = await place.refresh({ only });
  expect([report.failed, report.changed]).toEqual([true, false]);
  expect(text).toMatch(/Nothing is published.*cannot be read, and of it there is no larc\.$/m);
  await place.expectUntouched();
});

describe("the program's exit status", () => {
  const status = async (place: Place, env: Record<string, string>) => {
    const { code, out } = await start("pipeline/main.ts", ["refresh"], {
      ...place.folder.env,
      ...env,
      LOG_LEVEL: "error",
    }).ended;
    return { code, out };
  };

  it.runIf(isWhole)(
    "1 for an unreadable manifest when one of its files is gone and nothing is configured to fetch it",
    async () => {
      const place = await copy("one");
      await place.backUp();
      place.loseDocuments();
      const withoutLarc = campus().urls({
        only: ["schedule", "records", "catalogue", "prerequisites", "directory", "calendar"],
      });
      expect(await status(place, withoutLarc)).toEqual({
        code: 1,
        out: expect.stringMatching(/Nothing is published.*cannot be read, and of it there is no larc\.$/m),
      });
      await place.expectUntouched();
      // Given up, it is published without; what is left of it stays.
      const { code } = await status(place, { ...withoutLarc, ALLOW_SHRINK: "1" });
      const now = (await readCurrent(place.folder.artifacts)) as PublishedSnapshot;
      expect([code, rowsOf(now.manifest.files)["sections"]]).toEqual([
        0,
        rowsOf(place.base.manifest.files)["sections"],
      ]);
      expect(rowsOf(now.manifest.files)["larc"]).toBeLessThan(rowsOf(place.base.manifest.files)["larc"] ?? 0);
    },
  );

  it.runIf(isWhole)("0 for an unreadable manifest when the file that is gone was fetched again", async () => {
    const place = await copy("one");
    await place.backUp();
    place.loseDocuments();
    expect((await status(place, campus().urls())).code).toBe(0);
    const now = (await readCurrent(place.folder.artifacts)) as PublishedSnapshot;
    expect(rowsOf(now.manifest.files)["larc"]).toBe(rowsOf(place.base.manifest.files)["larc"]);
  });
});
