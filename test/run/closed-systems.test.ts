/**
 * Systems that are gone (`NAME_URL=none`), and what `ALLOW_SHRINK=1` may not remove: the product of system × published
 * × acceptance.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADDRESS_VARIABLES, closedText, type System, SYSTEMS } from "../../pipeline/settings/pipeline.ts";
import { isWhole, someOf } from "../support/extent.ts";
import { openGuardedCampus } from "../support/upstream/guarded-campus.ts";
import { startUpstream } from "../support/upstream/upstream.ts";
import { openFolder, run } from "../support/whole-run.ts";
import { later, readSmallWorld } from "../support/worlds/small-world.ts";
import type { World } from "../support/worlds/world.ts";

/** The systems that are not asked when one is gone: requirements and people are asked for by the catalogue's lists. */
const NOT_ASKED: Partial<Record<System, readonly System[]>> = { catalogue: ["prerequisites", "directory"] };
const FIRST_PRODUCT: Record<System, string> = {
  schedule: "schedule",
  records: "grades",
  catalogue: "catalogue",
  prerequisites: "catalogue",
  directory: "instructors",
  calendar: "calendar",
  larc: "larc",
};
const closing = (...systems: readonly System[]) =>
  Object.fromEntries(systems.map((system) => [ADDRESS_VARIABLES[system], "none"]));
const textsOf = (systems: readonly System[]) =>
  Object.fromEntries(systems.map((system) => [system, closedText(system)]));
interface Gone {
  readonly gone: readonly System[];
  readonly accepts?: string;
}
const problems = (report: Awaited<ReturnType<typeof run>>) =>
  report.products.flatMap(({ product, damaged, error }) =>
    [...damaged, ...(error ? [error] : [])].map((why) => `${product}: ${why}`),
  );

describe("published data", () => {
  const { world, upstream, server, original, everything, publish, wait } = openGuardedCampus();

  const each = SYSTEMS.flatMap((system) => ["0", "1"].map((accepts): Gone => ({ gone: [system], accepts })));
  /** Two at once are two cases for the price of a build. */
  const pairs: Gone[] = [
    { gone: ["schedule", "larc"], accepts: "0" },
    { gone: ["catalogue", "calendar"], accepts: "1" },
  ];
  it.each(isWhole ? each : pairs)(
    "$gone gone, ALLOW_SHRINK=$accepts: it stays as it is, and nothing is asked",
    async ({ gone, accepts }) => {
      upstream().setFaults(gone.map((system) => ({ match: { system }, status: 404 })));
      const report = await publish("build", { ...closing(...gone), ALLOW_SHRINK: accepts ?? "" });
      expect([report.failed, problems(report)]).toEqual([false, []]);
      expect(report.closed).toEqual(textsOf(gone));
      const asked = new Set(upstream().requests.map((request) => request.system));
      const silent = gone.flatMap((system) => [system, ...(NOT_ASKED[system] ?? [])]);
      expect([...asked].sort()).toEqual(SYSTEMS.filter((system) => !silent.includes(system)).toSorted());
      expect(await everything()).toEqual(original());
      const closed = async () => ((await (await fetch(`${server().url}/status`)).json()) as { closed: object }).closed;
      await expect.poll(closed, { timeout: 30_000 }).toEqual(report.closed);
    },
  );

  it("all are gone: no request is sent", async () => {
    const report = await publish("build", { ...closing(...SYSTEMS), CAMPUS: "uci" });
    expect([report.failed, problems(report), upstream().requests]).toEqual([false, [], []]);
    expect(await everything()).toEqual(original());
  });

  /** The system has nothing any more. */
  const emptied = (system: System): World => {
    const lost = {
      schedule: "sections",
      records: "grades",
      catalogue: "courses",
      directory: "instructors",
      calendar: "calendar",
      larc: "larc",
    } as const;
    return system === "prerequisites" ? world() : { ...world(), [lost[system]]: [] };
  };
  const ends = SYSTEMS.flatMap((system) => [true, false].map((isRefused) => [system, isRefused] as const));
  it.each(someOf(ends, 2))(
    "%s has nothing any more (404 is %s), ALLOW_SHRINK=1: no term that is over is removed",
    async (system, isRefused) => {
      upstream().setFaults(isRefused ? [{ match: { system }, status: 404 }] : []);
      upstream().setWorld(isRefused ? world() : emptied(system));
      wait(24 * 600);
      await publish("build", { ALLOW_SHRINK: "1" });
      wait(-24 * 600);
      const answers = await everything();
      // Teaching history depends on the day; the recorded data of a term does not.
      for (const path of Object.keys(original()).filter((name) => !/^\/(?:week|courses|instructors)/.test(name)))
        expect(answers[path], path).toEqual(original()[path]);
    },
  );
});

describe("nothing published", () => {
  const each = SYSTEMS.map((system): Gone => ({ gone: [system] }));
  const pair: Gone = { gone: ["schedule", "larc"] };
  it.each(isWhole ? each : [pair])("$gone gone: no product, and no failure", async ({ gone }) => {
    const upstream = await startUpstream(readSmallWorld(), { records: "csv", recordsSplit: "year" });
    const folder = await openFolder();
    try {
      const report = await run({ ...folder.env, ...upstream.urls, ...closing(...gone) }, "build", later({}));
      expect([report.failed, problems(report)]).toEqual([false, []]);
      expect(report.closed).toEqual(textsOf(gone));
      const built = report.products.map(({ product }) => product as string);
      const text = await readFile(join(folder.artifacts, "report.txt"), "utf8");
      for (const system of gone) {
        if (system !== "prerequisites") expect(built).not.toContain(FIRST_PRODUCT[system]);
        expect(text).toContain(`  ${system}: ${closedText(system)}\n`);
      }
    } finally {
      await upstream.close();
      await folder.remove();
    }
  });
});

describe("other sources of a product whose system is gone, or has no address in this run", () => {
  it.each(["none", ""])(
    "addresses %j: files in data/grades/ are read beside the kept copies, data/calendar.csv is read",
    async (address) => {
      const world = readSmallWorld();
      const years = new Set(world.grades.map(({ year }) => year));
      const upstream = await startUpstream(world, { records: "csv", recordsSplit: "year" });
      const folder = await openFolder();
      const { CALENDAR_URL, RECORDS_URL, SCHEDULE_URL } = upstream.urls;
      const env = { ...folder.env, CALENDAR_URL, RECORDS_URL, SCHEDULE_URL };
      const rowsByYear = async () => {
        const { readCurrent } = await import("../../pipeline/store/published.ts");
        const files =
          (await readCurrent(folder.artifacts))?.manifest.files.filter(({ table }) => table === "grades") ?? [];
        return Object.fromEntries(files.map(({ partition, rows }) => [partition.year, rows]));
      };
      try {
        await run(env, "build", later({}));
        const before = await rowsByYear();
        expect(new Set(Object.keys(before))).toEqual(years);
        // A sheet of another year, in the office's layout.
        const index = await (await fetch(upstream.urls.RECORDS_URL)).text();
        const [, href = ""] = /href="([^"]+\.csv)"/.exec(index) ?? [];
        const sheet = await (await fetch(new URL(href, upstream.urls.RECORDS_URL))).text();
        await mkdir(join(folder.data, "grades"), { recursive: true });
        await writeFile(join(folder.data, "grades", "dropped.csv"), sheet);
        await writeFile(
          join(folder.data, "calendar.csv"),
          "year,quarter,instructionStart,instructionEnd,finalsStart,finalsEnd\n2031,Fall,2031-09-25,2031-12-05,2031-12-06,2031-12-12\n",
        );
        upstream.reset();
        const report = await run({ ...env, CALENDAR_URL: address, RECORDS_URL: address }, "build", later({ hours: 1 }));
        expect(problems(report)).toEqual([]);
        expect(await rowsByYear()).toEqual(before);
        expect(upstream.requests.filter(({ system }) => system === "records" || system === "calendar")).toEqual([]);
        const calendar = report.products.find(({ product }) => product === "calendar");
        expect(calendar).toMatchObject({ status: "published" });
      } finally {
        await upstream.close();
        await folder.remove();
      }
    },
  );
});
