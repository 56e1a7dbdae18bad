/**
 * What a run refuses, and that nothing published is lost by it: "An upstream that suddenly offers nothing … is a failure of that product; what is
 * published stays" (behaviour §8); "a term that shrinks by more than 5 % is refused (override ALLOW_SHRINK=1)".
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shared } from "./shared.ts";
import { FALL, isOf, later, NEXT_FALL, readSmallWorld, SUMMER, WINTER } from "./small-world.ts";
import { openFolder, type Row, run, serve, startUpstream, type Upstream, type World } from "./world.ts";

type Report = Awaited<ReturnType<typeof run>>;

const EVERYTHING = [
  ...[FALL, NEXT_FALL, WINTER, SUMMER].map(
    ({ year, quarter }) => `/schedule?year=${year}&quarter=${quarter}&cacheOnly=true&cancelledCourses=Include`,
  ),
  "/schedule/terms",
  "/schedule/depts",
  "/grades/raw",
  "/courses/all",
  "/instructors/all",
  "/larc?year=2019&quarter=Fall",
  "/larc?year=2020&quarter=Winter",
  "/week?year=2019&month=10&day=10",
];
const [FALL_SCHEDULE, NEXT_SCHEDULE] = EVERYTHING as [string, string];

describe.runIf(shared)("guards", () => {
  let world: World;
  let upstream: Upstream;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  let original: Record<string, unknown>;
  let hours = 0;

  beforeAll(async () => {
    world = await readSmallWorld();
    upstream = await startUpstream(world, { records: "csv", recordsSplit: "term" });
    folder = await openFolder();
    await run({ ...folder.env, ...upstream.urls }, "build", later({}));
    server = await serve(folder.env);
    original = await everything();
  });
  afterAll(async () => {
    await server?.close();
    await upstream?.close();
    await folder?.remove();
  });

  const everything = async () =>
    Object.fromEntries(await Promise.all(EVERYTHING.map(async (path) => [path, await server.json(path)])));

  /** Runs, and waits until its snapshot is served. */
  async function publish(mode: "build" | "refresh", env: Record<string, string> = {}): Promise<Report> {
    upstream.reset();
    // What fails here fails for good.
    const manners = { retries: 1 };
    const report = await run({ ...folder.env, ...upstream.urls, ...env }, mode, later({ hours: ++hours }), manners);
    const served = async () => (await server.get("/schedule/terms")).headers.get("x-data-snapshot");
    await expect.poll(served, { timeout: 10_000 }).toBe(report.snapshot);
    return report;
  }

  /** The upstream is as it was: after this run, so is everything that is served. */
  async function recover(mode: "build" | "refresh" = "refresh"): Promise<void> {
    upstream.setWorld(world);
    upstream.setFaults([]);
    const report = await publish(mode, { ALLOW_SHRINK: "1" });
    expect(report.products.filter(({ damaged, error }) => damaged.length > 0 || error)).toEqual([]);
    expect(await everything()).toEqual(original);
  }

  const product = (report: Report, name: string) => report.products.find((one) => one.product === name);
  /** Every tenth section but the first is gone. */
  const thinned = (rows: Row[], isThinned: (row: Row) => boolean) => {
    let seen = 0;
    return rows.filter((row) => !isThinned(row) || seen++ % 10 !== 9);
  };
  const renamed = (row: Row): Row => (isOf(NEXT_FALL)(row) ? { ...row, courseTitle: "ANOTHER TITLE" } : row);

  it("a term that shrinks by more than 5 % is refused; the others are published; ALLOW_SHRINK=1 overrides", async () => {
    const sections = thinned(world.sections, isOf(FALL)).map(renamed);
    const [before, after] = [world.sections, sections].map((rows) => rows.filter(isOf(FALL)).length);
    upstream.setWorld({ ...world, sections });
    const report = await publish("refresh");
    expect([report.failed, report.changed]).toEqual([true, true]);
    expect(product(report, "schedule")).toMatchObject({
      status: "failed",
      damaged: [
        `2019 Fall: 2019 Fall, in sections, would shrink from ${before} to ${after}: refused, what is published stays (ALLOW_SHRINK=1 overrides)`,
      ],
    });
    const answers = await everything();
    expect(answers[FALL_SCHEDULE]).toEqual(original[FALL_SCHEDULE]);
    expect(JSON.stringify(answers[NEXT_SCHEDULE])).toContain('"courseTitle":"ANOTHER TITLE"');
    // What was refused is crawled anew: the upstream may have come to itself.
    await publish("refresh");
    expect(upstream.requests.filter(({ params }) => params["YearTerm"] === "2019-92").length).toBeGreaterThan(4);

    expect((await publish("refresh", { ALLOW_SHRINK: "1" })).failed).toBe(false);
    const shrunk = await server.json<object>(FALL_SCHEDULE);
    expect(JSON.stringify(shrunk).match(/"sectionCode"/g)).toHaveLength(after as number);
    await recover();
  });

  it("a term that shrinks by less is published", async () => {
    let dropped = 0;
    // Four of 95.
    const sections = world.sections.filter((row) => !isOf(NEXT_FALL)(row) || dropped++ >= 4);
    upstream.setWorld({ ...world, sections });
    expect((await publish("refresh")).failed).toBe(false);
    const answer = JSON.stringify(await server.json(NEXT_SCHEDULE));
    expect(answer.match(/"sectionCode"/g)).toHaveLength(91);
    await recover();
  });

  it("a department that vanished, small as it is in its term, is refused; a tiny one is noted", async () => {
    const isSmall = (row: Row) => isOf(FALL)(row) && row["deptCode"] === "STATS";
    let seen = 0;
    // Four sections of STATS, which are less than 5 % of the term.
    const small = world.sections.filter((row) => !isSmall(row) || seen++ < 4);
    upstream.setWorld({ ...world, sections: small });
    await publish("refresh", { ALLOW_SHRINK: "1" });
    const before = await server.json(FALL_SCHEDULE);
    upstream.setWorld({ ...world, sections: small.filter((row) => !isSmall(row)) });
    const report = await publish("refresh");
    expect(product(report, "schedule")?.damaged).toEqual([expect.stringContaining("would lose the department STATS")]);
    expect(await server.json(FALL_SCHEDULE)).toEqual(before);

    seen = 0;
    upstream.setWorld({ ...world, sections: world.sections.filter((row) => !isSmall(row) || seen++ < 2) });
    await publish("refresh", { ALLOW_SHRINK: "1" });
    upstream.setWorld({ ...world, sections: small.filter((row) => !isSmall(row)) });
    const noted = await publish("refresh");
    expect(noted.failed).toBe(false);
    expect(product(noted, "schedule")?.noted).toEqual([
      { reason: "a department has nothing any more", count: 1, names: ["2019 Fall: STATS, which had 2"] },
    ]);
    await recover();
  });

  it("the form lost a department and a term that is not over", async () => {
    upstream.setWorld({
      ...world,
      departments: world.departments.filter(({ code }) => code !== "STATS"),
      sections: world.sections.filter(({ deptCode }) => deptCode !== "STATS"),
      terms: world.terms.filter((row) => !isOf(NEXT_FALL)(row)),
    });
    const report = await publish("refresh");
    expect(report.failed).toBe(true);
    expect(product(report, "schedule")?.damaged).toEqual([
      expect.stringContaining("the form's list of departments would shrink from 4 to 3: refused"),
      expect.stringContaining("the form's list of terms would shrink from 4 to 3: refused"),
      "2020 Fall: the search form no longer offers it: what is published stays",
      expect.stringContaining("2019 Fall, in sections, would shrink"),
    ]);
    expect(await everything()).toEqual(original);
    await recover();
  });

  it("a term without any section that had some", async () => {
    upstream.setWorld({ ...world, sections: world.sections.filter((row) => !isOf(NEXT_FALL)(row)) });
    const report = await publish("refresh");
    expect(product(report, "schedule")).toMatchObject({
      status: "failed",
      damaged: ["2020 Fall: 2020 Fall has no section in any of its departments"],
    });
    expect(await everything()).toEqual(original);
    expect((await publish("refresh", { ALLOW_SHRINK: "1" })).failed).toBe(false);
    expect(await server.json(NEXT_SCHEDULE)).toEqual({ schools: [] });
    await recover();
  });

  it("two sections with one code: the term is refused, or one of them is named and left out", async () => {
    const [one] = world.sections.filter((row) => isOf(FALL)(row) && row["deptCode"] === "DANCE");
    const twin = { ...one, courseTitle: "THE TWIN", courseComment: "" };
    upstream.setWorld({ ...world, sections: [...world.sections, twin] });
    const report = await publish("refresh");
    expect(JSON.stringify(product(report, "schedule"))).toContain(one?.["sectionCode"]);
    const codes = JSON.stringify(await server.json(FALL_SCHEDULE)).match(/"sectionCode":"\d+"/g) ?? [];
    expect(codes).toHaveLength(world.sections.filter(isOf(FALL)).length);
    expect(new Set(codes).size).toBe(codes.length);
    await recover();
  });

  it("one page of each system is cut off, one export too", async () => {
    upstream.setFaults([
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
    const damaged = Object.fromEntries(report.products.map((one) => [one.product, one.damaged.length > 0]));
    expect(damaged).toMatchObject({ grades: true, catalogue: true, instructors: true, calendar: true, larc: true });
    expect(product(report, "schedule")).toMatchObject({ status: "published", damaged: [] });
    expect(await everything()).toEqual(original);

    // What was damaged is looked at again the next day, not the next week.
    upstream.setFaults([]);
    hours += 24;
    expect((await publish("refresh")).failed).toBe(false);
    const asked = new Set(upstream.requests.map(({ system }) => system));
    expect(["calendar", "catalogue", "directory", "larc"].filter((system) => !asked.has(system))).toEqual([]);
    hours += 24;
    await publish("refresh");
    expect(upstream.requests.filter(({ system }) => system === "catalogue")).toEqual([]);
    expect(await everything()).toEqual(original);
  });

  it("every system answers, and offers nothing", async () => {
    const page = (text: string) =>
      `<!doctype html><html><head><title>${text}</title></head><body>${text}</body></html>`;
    upstream.setFaults([
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
    const failed = report.products.filter(({ status }) => status === "failed").map((one) => one.product);
    expect(failed.sort()).toEqual(["calendar", "catalogue", "grades", "instructors", "larc", "schedule"]);
    expect(await everything()).toEqual(original);
    await recover();
  });

  it("lists that came out shorter: a department of the catalogue, prerequisites, people, tutorials, an export", async () => {
    upstream.setWorld({
      ...world,
      courses: world.courses
        .filter(({ department }) => department !== "CRM/LAW")
        .map((course) => ({ ...course, prerequisiteTree: null })),
      instructors: world.instructors.slice(0, 40),
      larc: world.larc.filter((row) => row["year"] !== "2020" || row["quarter"] !== "Winter"),
      grades: thinned(world.grades, isOf(SUMMER)).filter((row) => !isOf(WINTER)(row)),
    });
    const report = await publish("build");
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
      expect(answers[path]).toEqual(original[path]);
    await recover("build");
  });

  it("every system is down: nothing changes, and the exit status says so", async () => {
    upstream.setFaults([{ status: 404 }]);
    const report = await publish("build");
    expect([report.failed, report.changed]).toEqual([true, false]);
    expect(report.products.filter(({ status }) => status === "failed")).toHaveLength(6);
    expect(await everything()).toEqual(original);
    await recover();
  });
});
