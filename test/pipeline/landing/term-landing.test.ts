import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import {
  openTermLanding,
  removeOtherLandings,
  type TermLandingOptions,
} from "../../../pipeline/landing/term-landing.ts";

const FALL: Term = { year: "2024", quarter: "Fall" };
const HOUR = 3_600_000;
const BEGIN = new Date("2024-10-01T08:00:00.000Z");
const memo = {
  codes: ["34160"],
  read: 2,
  dropped: [{ reason: "odd", name: "x" }],
  noted: [],
  unknown: [],
  received: "r",
  isClear: true,
};

describe("openTermLanding", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "term-landing-"));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const open = (more: Partial<TermLandingOptions> = {}) =>
    openTermLanding({
      root,
      term: FALL,
      source: "campus 1",
      departments: [{ deptCode: "I&C SCI", deptName: "Informatics" }],
      maxAgeMs: HOUR,
      now: () => BEGIN,
      ...more,
    });

  it("goes on with a crawl of the same source that is young enough", async () => {
    const first = await open();
    await first.sealDepartment("I&C SCI", [], [], memo);
    await first.sealGe("GE-2", { ...memo, codes: ["34160", "34161"] });
    const again = await open({ now: () => new Date(BEGIN.getTime() + HOUR - 1) });
    expect(again.startedAt).toBe("2024-10-01T08:00:00.000Z");
    expect(await again.sealed({ department: "I&C SCI" })).toEqual(memo);
    expect(await again.sealed({ category: "GE-2" })).toMatchObject({ codes: ["34160", "34161"] });
    expect(await again.sealed({ department: "COMPSCI" })).toBeUndefined();
    expect(await again.sealed({ category: "GE-3" })).toBeUndefined();
  });

  it.each<[string, Partial<TermLandingOptions>]>([
    ["is too old", { now: () => new Date(BEGIN.getTime() + HOUR) }],
    ["began in the future, by a clock that was wrong", { now: () => new Date(BEGIN.getTime() - 1) }],
    ["is of another source", { source: "campus 2" }],
    ["had other departments", { departments: [{ deptCode: "COMPSCI", deptName: "Computer Science" }] }],
  ])("begins anew when the crawl that is there %s", async (_, more) => {
    await (await open()).sealDepartment("I&C SCI", [], [], memo);
    const again = await open(more);
    expect(await again.sealed({ department: "I&C SCI" })).toBeUndefined();
    expect(await readdir(join(root, "2024-Fall"))).toEqual(["crawl.json"]);
  });

  it("begins anew when the record of the crawl is damaged, missing, of another contract or form", async () => {
    const record = join(root, "2024-Fall", "crawl.json");
    const whole = async () => JSON.parse(await readFile(record, "utf8")) as object;
    const damages = [
      () => truncate(record, 20),
      () => rm(record),
      async () => writeFile(record, JSON.stringify({ ...(await whole()), contract: 0 })),
      async () => writeFile(record, JSON.stringify({ ...(await whole()), rows: undefined })),
    ];
    for (const damage of damages) {
      await (await open()).sealGe("GE-2", memo);
      await damage();
      expect(await (await open()).sealed({ category: "GE-2" })).toBeUndefined();
    }
  });

  it("never takes a torn file for sealed", async () => {
    const first = await open();
    await first.sealDepartment("I&C SCI", [], [], memo);
    await first.sealGe("GE-2", memo);
    await writeFile(join(root, "2024-Fall", ".unsealed-1-abc"), "{");
    await truncate(first.pathOf({ category: "GE-2" }), 50);
    await truncate(first.pathOf({ department: "I&C SCI" }), 200);
    const again = await open();
    expect(await again.sealed({ category: "GE-2" })).toBeUndefined();
    expect(await again.sealed({ department: "I&C SCI" })).toBeUndefined();
    expect((await readdir(join(root, "2024-Fall"))).some((name) => name.startsWith(".unsealed"))).toBe(false);
  });

  it("gives every department a file of its own, whatever its code holds", async () => {
    const landing = await open();
    const codes = ["I&C SCI", "I&C_SCI", "I&CSCI", "CRM/LAW", "../X", "A*", "a_20_b", "a b"];
    const paths = codes.map((department) => landing.pathOf({ department }));
    expect(new Set(paths).size).toBe(codes.length);
    for (const path of paths) expect(path.split("/").at(-1)).toMatch(/^department-[\w]+\.parquet$/);
    await landing.discard();
    expect(await readdir(root)).toEqual([]);
  });

  const FILES = { sections: "s", headings: "h" };

  it("keeps the published crawl for the next one, which takes its units or leaves them", async () => {
    const first = await open();
    await first.sealDepartment("I&C SCI", [], [], memo);
    await first.sealGe("GE-2", memo);
    await first.keep(FILES);
    expect(await readdir(root)).toEqual(["2024-Fall.published"]);
    const next = await open({ now: () => new Date(BEGIN.getTime() + 1) });
    expect(next).toMatchObject({ startedAt: "2024-10-01T08:00:00.001Z", published: FILES });
    expect(await next.sealed({ category: "GE-2" })).toBeUndefined();
    expect(await next.earlier({ category: "GE-2" })).toEqual(memo);
    expect(await next.earlier({ category: "GE-3" })).toBeUndefined();
    await next.reuse({ category: "GE-2" });
    const resumed = await open({ now: () => new Date(BEGIN.getTime() + 2) });
    expect(await resumed.sealed({ category: "GE-2" })).toEqual(memo);
    expect(await resumed.earlier({ department: "I&C SCI" })).toEqual(memo);
    await resumed.keep(FILES);
    expect(await readdir(root)).toEqual(["2024-Fall.published"]);
    expect(await (await open()).earlier({ department: "I&C SCI" })).toBeUndefined();
  });

  it.each<[string, Partial<TermLandingOptions>]>([
    ["of another source", { source: "campus 2" }],
    ["of other departments", { departments: [{ deptCode: "I&C SCI", deptName: "Computing" }] }],
    ["when everything is parsed again", { isReused: false }],
  ])("takes nothing of a published crawl %s", async (_, more) => {
    const first = await open();
    await first.sealGe("GE-2", memo);
    await first.keep(FILES);
    const next = await open(more);
    expect(next.published).toBeUndefined();
    expect(await next.earlier({ category: "GE-2" })).toBeUndefined();
  });

  it("a damaged unit of a published crawl is parsed again, and a discarded term as a whole", async () => {
    const first = await open();
    await first.sealGe("GE-2", memo);
    await first.keep(FILES);
    await truncate(join(root, "2024-Fall.published", "ge-GE_2d_2.parquet"), 50);
    const next = await open();
    expect(await next.earlier({ category: "GE-2" })).toBeUndefined();
    await next.discard();
    expect(await readdir(root)).toEqual([]);
  });

  it("removes published crawls of other terms, and nothing else", async () => {
    await (await open()).keep(FILES);
    await (await open({ term: { year: "2024", quarter: "Winter" } })).keep(FILES);
    await open({ term: { year: "2024", quarter: "Spring" } });
    await removeOtherLandings(root, [FALL]);
    expect((await readdir(root)).sort()).toEqual(["2024-Fall.published", "2024-Spring"]);
    await removeOtherLandings(join(root, "none"), []);
  });
});
