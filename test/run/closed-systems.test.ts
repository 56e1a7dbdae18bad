/** Systems that are gone (`NAME_URL=none`), and what `ALLOW_SHRINK=1` may not remove: the product of system × published × acceptance. */
import { readFile } from "node:fs/promises";
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
const problems = (report: Awaited<ReturnType<typeof run>>) =>
  report.products.flatMap(({ product, damaged, error }) =>
    [...damaged, ...(error ? [error] : [])].map((why) => `${product}: ${why}`),
  );

describe("published data", () => {
  const { world, upstream, server, original, everything, publish, wait } = openGuardedCampus();

  const cases = SYSTEMS.flatMap((system) => ["0", "1"].map((accepts) => [system, accepts] as const));
  it.each(isWhole ? cases : cases.filter((_, i) => i % 4 === 0 || i % 4 === 3))(
    "%s is gone, ALLOW_SHRINK=%s: it stays as it is, and nothing is asked",
    async (system, accepts) => {
      upstream().setFaults([{ match: { system }, status: 404 }]);
      const report = await publish("build", { ...closing(system), ALLOW_SHRINK: accepts });
      expect([report.failed, problems(report)]).toEqual([false, []]);
      expect(report.closed).toEqual({ [system]: closedText(system) });
      const asked = new Set(upstream().requests.map((request) => request.system));
      expect([...asked].sort()).toEqual(
        SYSTEMS.filter((other) => other !== system && !NOT_ASKED[system]?.includes(other)).toSorted(),
      );
      expect(await everything()).toEqual(original());
      const status = (await (await fetch(`${server().url}/status`)).json()) as { closed: object };
      expect(status.closed).toEqual(report.closed);
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
  it.each(someOf(ends, 5))(
    "%s has nothing any more (404 is %s), ALLOW_SHRINK=1: no term that is over is removed",
    async (system, isRefused) => {
      upstream().setFaults(isRefused ? [{ match: { system }, status: 404 }] : []);
      upstream().setWorld(isRefused ? world() : emptied(system));
      wait(24 * 600);
      await publish("build", { ALLOW_SHRINK: "1" });
      wait(-24 * 600);
      const answers = await everything();
      // Who taught what depends on the day; what was recorded of a term does not.
      for (const path of Object.keys(original()).filter((name) => !/^\/(?:week|courses|instructors)/.test(name)))
        expect(answers[path], path).toEqual(original()[path]);
    },
  );
});

describe("nothing published", () => {
  it.each(someOf(SYSTEMS, 2))("%s is gone: its product is absent, and that is no failure", async (system) => {
    const upstream = await startUpstream(readSmallWorld(), { records: "csv", recordsSplit: "year" });
    const folder = await openFolder();
    try {
      const report = await run({ ...folder.env, ...upstream.urls, ...closing(system) }, "build", later({}));
      expect([report.failed, problems(report)]).toEqual([false, []]);
      expect(report.closed).toEqual({ [system]: closedText(system) });
      const built = report.products.map(({ product }) => product as string);
      if (system !== "prerequisites") expect(built).not.toContain(FIRST_PRODUCT[system]);
      expect(await readFile(join(folder.artifacts, "report.txt"), "utf8")).toContain(
        `  ${system}: ${closedText(system)}\n`,
      );
    } finally {
      await upstream.close();
      await folder.remove();
    }
  });
});
