/**
 * The parts of the schedule that a run refuses, and that nothing published is lost: "if an upstream suddenly offers
 * nothing, its product fails and its published data stays" (pipeline/RULES.md, Runs); "a term that shrinks by more than
 * 5 % is refused (override ALLOW_SHRINK=1)".
 */
import { describe, expect, it } from "vitest";
import { isWhole } from "../support/extent.ts";
import {
  FALL_SCHEDULE,
  NEXT_SCHEDULE,
  openGuardedCampus,
  product,
  thinned,
} from "../support/upstream/guarded-campus.ts";
import { FALL, NEXT_FALL } from "../support/worlds/small-world.ts";
import { isOf, type WorldSection } from "../support/worlds/world.ts";

describe("guards of the schedule", () => {
  const { world, upstream, server, original, everything, publish, recover } = openGuardedCampus();

  const renamed = (row: WorldSection): WorldSection =>
    isOf(NEXT_FALL)(row) ? { ...row, courseTitle: `ANOTHER ${row.courseTitle}`.slice(0, 19) } : row;

  it("a term that shrinks by more than 5 % is refused; the others are published, also one that shrinks by less; ALLOW_SHRINK=1 overrides", async () => {
    let dropped = 0;
    // Four of about a hundred.
    const isLost = (row: WorldSection) => isOf(NEXT_FALL)(row) && dropped++ < 4;
    const sections = thinned(world().sections, isOf(FALL))
      .filter((row) => !isLost(row))
      .map(renamed);
    const [before, after] = [world().sections, sections].map((rows) => rows.filter(isOf(FALL)).length);
    const announced = world().sections.filter(isOf(NEXT_FALL)).length;
    upstream().setWorld({ ...world(), sections });
    const report = await publish("refresh");
    expect([report.failed, report.changed]).toEqual([true, true]);
    expect(product(report, "schedule")).toMatchObject({
      status: "failed",
      damaged: [
        expect.stringMatching(
          `^2019 Fall: 2019 Fall, in sections, would shrink from ${before} to ${after}: refused, what is published stays \\(ALLOW_SHRINK=[0-9a-f]{6} accepts it\\)$`,
        ),
      ],
    });
    const answers = await everything();
    expect(answers[FALL_SCHEDULE]).toEqual(original()[FALL_SCHEDULE]);
    const next = JSON.stringify(answers[NEXT_SCHEDULE]);
    expect(next).toContain('"courseTitle":"ANOTHER ');
    expect(next.match(/"sectionCode"/g)).toHaveLength(announced - 4);
    // Readers of the withheld term are warned, and nobody else; the operator reads what to type.
    const warningOf = async (path: string) => (await server().get(path)).headers.get("warning") ?? "";
    // The time of a check is written after its snapshot, so that it is never newer.
    await expect
      .poll(() => warningOf(FALL_SCHEDULE))
      .toMatch(/^110 - "sections 2019 Fall: stale since 2019-10-10T18:00:00\.000Z, a newer version was refused"$/);
    expect([await warningOf(NEXT_SCHEDULE), await warningOf("/grades/raw")]).toEqual(["", ""]);
    const accept = /ALLOW_SHRINK=[0-9a-f]{6}/.exec(product(report, "schedule")?.damaged[0] ?? "")?.[0];
    const get = async (path: string) =>
      (await fetch(server().url + path, { headers: { accept: "application/json" } })).text();
    expect(JSON.parse(await get("/status")).withheld).toEqual([
      {
        part: "sections 2019 Fall",
        since: "2019-10-10T18:00:00.000Z",
        reasons: [`2019 Fall, in sections, would shrink from ${before} to ${after}`],
        accept: `${accept} make refresh`,
      },
    ]);
    expect(await get("/metrics")).toContain(
      'academic_data_withheld_since_timestamp_seconds{part="sections 2019 Fall"}',
    );
    // The refused term is crawled again, because the upstream may have recovered.
    await publish("refresh");
    expect(upstream().requests.filter(({ params }) => params["YearTerm"] === "2019-92").length).toBeGreaterThan(4);

    // A system that is gone sends nothing newer.
    await publish("refresh", { SCHEDULE_URL: "none" });
    await expect.poll(() => warningOf(FALL_SCHEDULE)).toBe("");

    expect((await publish("refresh", { ALLOW_SHRINK: "1" })).failed).toBe(false);
    expect(await warningOf(FALL_SCHEDULE)).toBe("");
    const shrunk = await server().json<object>(FALL_SCHEDULE);
    expect(JSON.stringify(shrunk).match(/"sectionCode"/g)).toHaveLength(after as number);
    await recover();
  });

  it("a department that vanished, small as it is in its term, is refused; a tiny one is noted", async () => {
    const isOfFall = (code: string) => (row: WorldSection) => isOf(FALL)(row) && row.deptCode === code;
    // Four sections of STATS, which are less than 5 % of the term, and two of DANCE in a term of their own.
    let seen = 0;
    const few = world().sections.filter((row) => !isOfFall("STATS")(row) || seen++ < 4);
    const tiny = world().sections.filter(isOfFall("DANCE")).slice(0, 2);
    const small = [...few, ...tiny.map((row) => ({ ...row, ...NEXT_FALL }))];
    upstream().setWorld({ ...world(), sections: small });
    await publish("refresh", { ALLOW_SHRINK: "1" });
    const before = await server().json(FALL_SCHEDULE);
    upstream().setWorld({ ...world(), sections: world().sections.filter((row) => !isOfFall("STATS")(row)) });
    const schedule = product(await publish("refresh"), "schedule");
    expect(schedule?.damaged).toEqual([expect.stringContaining("2019 Fall would lose the department STATS")]);
    expect(await server().json(FALL_SCHEDULE)).toEqual(before);
    expect(schedule?.noted.filter(({ reason }) => reason.startsWith("a department"))).toEqual([
      { reason: "a department no longer has sections", count: 1, names: ["2020 Fall: DANCE, which had 2"] },
    ]);
    expect(JSON.stringify(await server().json(NEXT_SCHEDULE))).not.toContain('"DANCE"');
    await recover();
  });

  it("the form lost a department and a term that is not over", async () => {
    upstream().setWorld({
      ...world(),
      departments: world().departments.filter(({ code }) => code !== "STATS"),
      sections: world().sections.filter(({ deptCode }) => deptCode !== "STATS"),
      terms: world().terms.filter((row) => !isOf(NEXT_FALL)(row)),
    });
    const report = await publish("refresh");
    expect(report.failed).toBe(true);
    expect(product(report, "schedule")?.damaged).toEqual([
      expect.stringContaining("the form's list of departments would shrink from 7 to 6: refused"),
      expect.stringContaining("the form's list of terms would shrink from 4 to 3: refused"),
      expect.stringContaining("2020 Fall: the search form no longer offers it: refused"),
      expect.stringContaining("2019 Fall, in sections, would shrink"),
    ]);
    expect(await everything()).toEqual(original());
  });

  it("a term without any section that had some", async () => {
    upstream().setWorld({ ...world(), sections: world().sections.filter((row) => !isOf(NEXT_FALL)(row)) });
    const report = await publish("refresh");
    expect(product(report, "schedule")).toMatchObject({
      status: "failed",
      damaged: ["2020 Fall: 2020 Fall has no section in any of its departments"],
    });
    expect(await everything()).toEqual(original());
    expect((await publish("refresh", { ALLOW_SHRINK: "1" })).failed).toBe(false);
    expect(await server().json(NEXT_SCHEDULE)).toEqual({ schools: [] });
    await recover();
  });

  // For a single term, see test/pipeline/crawl/crawl-term.test.ts.
  it.runIf(isWhole)(
    "two sections with one code: the term is refused, or one of them is named and left out",
    async () => {
      const [section] = world().sections.filter((row) => isOf(FALL)(row) && row.deptCode === "DANCE");
      const twin = { ...(section as WorldSection), courseTitle: "THE TWIN", courseComment: "" };
      upstream().setWorld({ ...world(), sections: [...world().sections, twin] });
      const report = await publish("refresh");
      expect(JSON.stringify(product(report, "schedule"))).toContain(section?.sectionCode);
      const codes = JSON.stringify(await server().json(FALL_SCHEDULE)).match(/"sectionCode":"\d+"/g) ?? [];
      expect(codes).toHaveLength(world().sections.filter(isOf(FALL)).length);
      expect(new Set(codes).size).toBe(codes.length);
    },
  );
});
