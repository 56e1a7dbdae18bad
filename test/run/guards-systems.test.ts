/**
 * The parts that a run refuses when systems are damaged, empty or down: "its published data stays" (pipeline/RULES.md,
 * Runs).
 */
import { describe, expect, it } from "vitest";
import { isWhole } from "../support/extent.ts";
import { openGuardedCampus, product, thinned } from "../support/upstream/guarded-campus.ts";
import { SUMMER, WINTER } from "../support/worlds/small-world.ts";
import { isOf } from "../support/worlds/world.ts";

describe("guards of every system", () => {
  const { world, upstream, original, everything, publish, recover, wait } = openGuardedCampus();

  it("one page of each system is cut off, one export too", async () => {
    upstream().setFaults([
      { match: { system: "records", path: "/Summer/i" }, truncate: 0.5 },
      { match: { system: "catalogue", path: "/allcourses/stats/i" }, truncate: 0.5 },
      { match: { system: "catalogue", path: "/schoolsandprograms/[^/]+/i", nth: 1 }, times: 1000, truncate: 0.5 },
      { match: { system: "prerequisites", params: { dept: "STATS" } }, truncate: 0.5 },
      { match: { system: "calendar", path: "/2019-2020/i" }, truncate: 0.5 },
      { match: { system: "larc", path: "/larc/201992/i" }, truncate: 0.5 },
      { match: { system: "directory", nth: 5 }, times: 1000, truncate: 0.5 },
    ]);
    const report = await publish("build");
    expect(report.failed).toBe(true);
    const damaged = Object.fromEntries(report.products.map((product) => [product.product, product.damaged.length > 0]));
    expect(damaged).toMatchObject({ grades: true, catalogue: true, instructors: true, calendar: true, larc: true });
    expect(product(report, "schedule")).toMatchObject({ status: "published", damaged: [] });
    expect(await everything()).toEqual(original());

    // A damaged part is checked again the next day, not the next week.
    upstream().setFaults([]);
    wait(24);
    expect((await publish("refresh")).failed).toBe(false);
    const asked = new Set(upstream().requests.map(({ system }) => system));
    expect(["calendar", "catalogue", "directory", "larc"].filter((system) => !asked.has(system))).toEqual([]);
    wait(24);
    await publish("refresh");
    expect(upstream().requests.filter(({ system }) => system === "catalogue")).toEqual([]);
    expect(await everything()).toEqual(original());
  });

  it("every system answers, and offers nothing", async () => {
    const page = (text: string) =>
      `<!doctype html><html><head><title>${text}</title></head><body>${text}</body></html>`;
    upstream().setFaults([
      { match: { system: "schedule" }, body: page("WebSOC"), type: "text/html" },
      { match: { system: "records" }, body: page("no exports"), type: "text/html" },
      { match: { system: "catalogue" }, body: page("no courses"), type: "text/html" },
      { match: { system: "prerequisites" }, body: page("no departments"), type: "text/html" },
      { match: { system: "directory" }, body: "[]", type: "application/json" },
      { match: { system: "calendar" }, body: page("no calendar"), type: "text/html" },
      { match: { system: "larc" }, body: page("LARC tutorials: none"), type: "text/html" },
    ]);
    const report = await publish("build");
    expect([report.failed, report.changed]).toEqual([true, false]);
    const failed = report.products.filter(({ status }) => status === "failed").map((product) => product.product);
    expect(failed.sort()).toEqual(["calendar", "catalogue", "grades", "instructors", "larc", "schedule"]);
    expect(await everything()).toEqual(original());
    upstream().setFaults([]);
  });

  it("lists that came out shorter: a department of the catalogue, prerequisites, people, tutorials, an export", async () => {
    upstream().setWorld({
      ...world(),
      courses: world()
        .courses.filter(({ department }) => department !== "CRM/LAW")
        .map((course) => ({ ...course, prerequisiteTree: null })),
      instructors: world().instructors.slice(0, 40),
      larc: world().larc.filter((row) => row.year !== "2020" || row.quarter !== "Winter"),
      grades: thinned(world().grades, isOf(SUMMER)).filter((row) => !isOf(WINTER)(row)),
    });
    const report = await publish("build", { SCHEDULE_URL: "" });
    expect(report.failed).toBe(true);
    expect(product(report, "catalogue")?.damaged).toEqual([
      expect.stringContaining("the catalogue no longer has CRM/LAW"),
      expect.stringContaining("in courses with prerequisites, would shrink"),
    ]);
    expect(product(report, "instructors")?.error).toContain("in people, would shrink");
    expect(product(report, "larc")?.damaged).toEqual([expect.stringContaining("tutorials of 2020 Winter")]);
    expect(product(report, "grades")?.noted).toContainEqual(
      expect.objectContaining({ reason: "no longer in the office's index: its rows stay" }),
    );
    const answers = await everything();
    for (const path of ["/courses/all", "/instructors/all", "/larc?year=2020&quarter=Winter"])
      expect(answers[path]).toEqual(original()[path]);
  });

  it.runIf(isWhole)("every system is down: nothing changes, and the exit status says so", async () => {
    await recover("build");
    upstream().setFaults([{ status: 404 }]);
    const report = await publish("build");
    expect([report.failed, report.changed]).toEqual([true, false]);
    expect(report.products.filter(({ status }) => status === "failed")).toHaveLength(6);
    expect(await everything()).toEqual(original());
    await recover();
  });
});
