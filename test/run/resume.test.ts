/**
 * A run that was killed, and the next one: "a crawl of years is resumable" (pipeline/RULES.md, Runs); a stale lock of a
 * dead process is taken over.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LockedError } from "../../pipeline/errors.ts";
import { RETIRED_DEPARTMENTS } from "../../pipeline/campus/facts/schools.ts";
import { GE_CATEGORIES } from "../../pipeline/contract/vocabulary.ts";
import { startRun } from "./run-process.ts";
import { FALL, NEXT_FALL, OCTOBER, readSmallWorld } from "../support/worlds/small-world.ts";
import { isOf, type World, type WorldTerm } from "../support/worlds/world.ts";
import { startUpstream, type Upstream } from "../support/upstream/upstream.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";

describe("a run after a killed one", () => {
  let world: World;
  let upstream: Upstream;
  let folder: Awaited<ReturnType<typeof openFolder>>;

  beforeAll(async () => {
    const whole = readSmallWorld();
    const ofFall = <T extends WorldTerm>(rows: readonly T[]) => rows.filter(isOf(FALL, NEXT_FALL));
    world = {
      ...whole,
      terms: ofFall(whole.terms),
      sections: ofFall(whole.sections),
      grades: ofFall(whole.grades),
    };
    upstream = await startUpstream(world, { latency: 10 });
  });
  beforeEach(async () => {
    await folder?.remove();
    folder = await openFolder();
    upstream.setFaults([]);
    upstream.reset();
  });
  afterAll(async () => {
    await upstream?.close();
    await folder?.remove();
  });

  const env = () => {
    const { CALENDAR_URL, LARC_URL, RECORDS_URL, SCHEDULE_URL } = upstream.urls;
    return { ...folder.env, CALENDAR_URL, LARC_URL, RECORDS_URL, SCHEDULE_URL };
  };
  /** Starts a build and kills it when the upstream has been asked `count` matching questions. */
  async function killWhen(
    count: number,
    matches: (request: Upstream["requests"][number]) => boolean,
    before: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const child = startRun(env(), "build", OCTOBER);
    await child.ready;
    child.begin();
    while (upstream.requests.filter(matches).length < count) await new Promise((resolve) => setTimeout(resolve, 2));
    await before();
    await child.kill();
  }
  /** The requests of the next run, as `term unit`: units are departments and GE categories. */
  const unitsAsked = () => {
    const units = upstream.requests
      .filter(({ system, params }) => system === "schedule" && params["YearTerm"])
      .map(({ params }) =>
        [params["YearTerm"], params["Breadth"] === "ANY" ? params["Dept"] : params["Breadth"]].join(" "),
      );
    return new Set(units);
  };
  /** A build asks for departments that ended long ago in the two terms that are not over. */
  const unitsOfBuild = () =>
    world.terms.length * (world.departments.length + GE_CATEGORIES.length) + 2 * RETIRED_DEPARTMENTS.length;
  const completes = async () => {
    const report = await run(env(), "build", () => new Date(OCTOBER.getTime() + 60_000));
    expect(report.products.filter(({ status, damaged }) => status === "failed" || damaged.length > 0)).toEqual([]);
    const server = await serve(folder.env);
    try {
      for (const term of world.terms) {
        const query = `year=${term.year}&quarter=${term.quarter}&cacheOnly=true&cancelledCourses=Include`;
        const codes = JSON.stringify(await server.json(`/schedule?${query}`)).match(/"sectionCode"/g);
        const expected = world.sections.filter(isOf(term));
        expect(codes).toHaveLength(expected.length);
      }
      expect(await server.json("/grades/raw")).toHaveLength(world.grades.length);
    } finally {
      await server.close();
    }
    expect(await readdir(join(folder.artifacts, "staging"))).toEqual([]);
    const landed = await readdir(join(folder.data, "landing/schedule"));
    expect(landed.filter((name) => !name.endsWith(".published"))).toEqual([]);
    return report;
  };

  it("killed in the middle of the crawl: only what it lacked is fetched", async () => {
    await killWhen(12, ({ system }) => system === "schedule");
    const landed = join(folder.data, "landing/schedule");
    const sealed = new Map<string, string[]>();
    for (const term of await readdir(landed)) sealed.set(term, await readdir(join(landed, term)));
    const count = [...sealed.values()].flat().filter((name) => name.endsWith(".memo")).length;
    const all = unitsOfBuild();
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(all);
    upstream.reset();
    await completes();
    expect(unitsAsked().size).toBe(all - count);
  });

  it("killed between the crawl and the flip: published without fetching the schedule or the exports again", async () => {
    upstream.setFaults([{ match: { system: "larc" }, hang: 60_000 }]);
    await killWhen(
      1,
      ({ system }) => system === "larc",
      // While it lives nobody else runs; dead, it is in nobody's way.
      () => expect(run(env())).rejects.toBeInstanceOf(LockedError),
    );
    const asked = unitsAsked();
    upstream.setFaults([]);
    upstream.reset();
    const report = await completes();
    expect(report.changed).toBe(true);
    expect(asked.size).toBe(unitsOfBuild());
    expect(unitsAsked()).toEqual(new Set());
    const exports = upstream.requests.filter(({ system, path }) => system === "records" && path !== "/records/");
    expect(exports.map(({ status }) => status)).toEqual(exports.map(() => 304));
    expect(exports.length).toBeGreaterThan(0);
  });
});
