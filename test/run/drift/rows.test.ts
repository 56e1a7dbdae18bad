/** How many rows a run may publish: a slow leak, a sudden growth, and the way back. */
import { describe, expect, it } from "vitest";
import { FALL_SCHEDULE, openGuardedCampus, product } from "../../support/upstream/guarded-campus.ts";
import { FALL } from "../../support/worlds/small-world.ts";
import { isOf, type World } from "../../support/worlds/world.ts";

const codesIn = (schedule: unknown) => JSON.stringify(schedule).match(/"sectionCode":"\d+"/g)?.length ?? 0;

describe("rows over several runs", () => {
  const { world, upstream, server, publish, recover, wait } = openGuardedCampus();

  /** Crawls only these systems. */
  const only = (...names: string[]) =>
    Object.fromEntries(Object.keys(upstream().urls).flatMap((name) => (names.includes(name) ? [] : [[name, ""]])));

  /** The world with this part of its Fall. */
  function leaking(part: number): World {
    const ofTerm = world().sections.filter(isOf(FALL));
    const kept = new Set(ofTerm.slice(0, Math.round(ofTerm.length * part)));
    return { ...world(), sections: world().sections.filter((row) => !isOf(FALL)(row) || kept.has(row)) };
  }

  it("a term that loses 4.5 % an hour stops at a tenth of the largest of seven days; ALLOW_SHRINK=1 accepts once", async () => {
    const before = codesIn(await server().json(FALL_SCHEDULE));
    const failed: boolean[] = [];
    for (let hour = 1; hour <= 3; hour++) {
      upstream().setWorld(leaking(0.955 ** hour));
      const report = await publish("refresh", only("SCHEDULE_URL"));
      failed.push(report.failed);
      if (report.failed)
        expect(product(report, "schedule")?.damaged).toEqual([
          expect.stringMatching(
            /^2019 Fall: 2019 Fall, in sections, would shrink from \d+ to \d+( within seven days)?: refused/,
          ),
        ]);
      expect(codesIn(await server().json(FALL_SCHEDULE))).toBeGreaterThan(before * 0.9);
    }
    expect(failed).toEqual([false, false, true]);

    expect((await publish("refresh", { ...only("SCHEDULE_URL"), ALLOW_SHRINK: "1" })).failed).toBe(false);
    // The next runs are compared with the accepted version, for a week and more.
    wait(72);
    upstream().setWorld(leaking(0.955 ** 3 - 0.003));
    expect((await publish("refresh", only("SCHEDULE_URL"))).failed).toBe(false);
    await recover();
  });

  it("a catalogue that grows by more than a third is refused; what a retained snapshot held comes back without ALLOW_SHRINK", async () => {
    const invented = world().courses.map((course) => ({
      ...course,
      courseNumber: `9${course.courseNumber}`,
    }));
    const half = invented.slice(0, Math.ceil(invented.length / 2));
    upstream().setWorld({ ...world(), courses: [...world().courses, ...half] });
    wait(24 * 8);
    const catalogue = only("CATALOGUE_URL", "PREREQUISITES_URL");
    const report = await publish("refresh", catalogue);
    const grown = world().courses.length + half.length;
    expect(product(report, "catalogue")?.error).toMatch(
      new RegExp(`the catalogue, in courses, would grow from ${world().courses.length} to ${grown}: refused`),
    );
    const all = async () => (await server().json<unknown[]>("/courses/all")).length;
    expect(await all()).toBe(world().courses.length);

    expect((await publish("refresh", { ...catalogue, ALLOW_SHRINK: "1" })).failed).toBe(false);
    expect(await all()).toBe(grown);
    upstream().setWorld(world());
    wait(24 * 8);
    const healed = await publish("refresh", catalogue);
    expect(healed.products.filter(({ status, damaged }) => status === "failed" || damaged.length > 0)).toEqual([]);
    expect(await all()).toBe(world().courses.length);
    expect(product(healed, "catalogue")?.noted).toContainEqual({
      reason: expect.stringMatching(/^a return to the content of snapshot [0-9a-f]{16}$/),
      count: 1,
      names: [`the catalogue, in courses, would shrink from ${grown} to ${world().courses.length}`],
    });
  });

  it("a form that lists many more departments is refused", async () => {
    const [department] = world().departments;
    const more = ["X1", "X2", "X3"].map((code) => ({
      ...(department as NonNullable<typeof department>),
      code,
      name: `Study of ${code}`,
    }));
    upstream().setWorld({ ...world(), departments: [...world().departments, ...more] });
    const report = await publish("refresh", only("SCHEDULE_URL"));
    expect(product(report, "schedule")?.damaged).toEqual([
      expect.stringMatching(/^the form's list of departments would grow from \d+ to \d+: refused/),
    ]);
  });
});
