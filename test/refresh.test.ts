/** What an hourly run asks for, and what it leaves as it is (behaviour §7: "current and announced terms that are not over, then grades exports that are new or changed"). */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Freshness } from "../pipeline/contract/manifest.ts";
import { QUARTER_CODES, type Term } from "../pipeline/contract/vocabulary.ts";
import { isOver } from "../pipeline/products/term-scope.ts";
import { shared } from "./shared.ts";
import { FALL, isOf, later, NEXT_FALL, readSmallWorld, SUMMER, WINTER } from "./small-world.ts";
import { openFolder, type Row, run, serve, startUpstream, type Upstream, type World } from "./world.ts";

const formTerm = ({ year, quarter }: Term) => `${year}-${QUARTER_CODES[quarter]}`;

describe.runIf(shared)("the hourly run", () => {
  let world: World;
  let upstream: Upstream;
  /** Built once; every test goes on from a copy. */
  let built: Awaited<ReturnType<typeof openFolder>>;
  let folder: Awaited<ReturnType<typeof openFolder>>;

  beforeAll(async () => {
    world = await readSmallWorld();
    upstream = await startUpstream(world, { recordsSplit: "term" });
    built = await openFolder();
    const report = await run({ ...built.env, ...upstream.urls }, "build", later({}));
    expect(report.failed).toBe(false);
  });
  beforeEach(async () => {
    folder = await openFolder();
    await cp(built.data, folder.data, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await cp(built.artifacts, folder.artifacts, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    upstream.setWorld(world);
    upstream.setFaults([]);
    upstream.reset();
  });
  afterEach(() => folder.remove());
  afterAll(async () => {
    await upstream?.close();
    await built?.remove();
  });

  const refresh = (when: { days?: number; hours?: number }, env: Record<string, string> = {}) => {
    upstream.reset();
    return run({ ...folder.env, ...upstream.urls, ...env }, "refresh", later(when));
  };
  const askedSystems = () => [...new Set(upstream.requests.map(({ system }) => system))].sort();
  const askedTerms = () => [...new Set(upstream.requests.flatMap(({ params }) => params["YearTerm"] ?? []))].sort();
  const exportsAsked = (status: number) =>
    upstream.requests
      .filter((request) => request.system === "records" && request.path !== "/records/" && request.status === status)
      .map(({ path }) => path.replace("/records/", ""));
  const freshness = async () =>
    JSON.parse(await readFile(join(folder.artifacts, "freshness.json"), "utf8")) as Freshness;
  const files = async () => {
    const text = await readFile(join(folder.artifacts, "current/manifest.json"), "utf8");
    const manifest = JSON.parse(text) as { files: { table: string; path: string }[] };
    return manifest.files.map(({ path }) => path);
  };

  it("asks for the current and the announced term, and for nothing of the past", async () => {
    const report = await refresh({ hours: 1 });
    expect(report.failed).toBe(false);
    expect(askedTerms()).toEqual([formTerm(FALL), formTerm(NEXT_FALL)]);
    // The catalogue, the directory and the calendar are younger than a week, tutorials younger than a day.
    expect(askedSystems()).toEqual(["records", "schedule"]);
  });

  it("an unchanged upstream: nothing is published, the snapshot and every ETag stay, times move on", async () => {
    const server = await serve(folder.env);
    try {
      const questions = [
        "/schedule?year=2019&quarter=Fall&department=STATS",
        "/schedule?year=2019&quarter=Winter&department=STATS",
        "/schedule/terms",
        "/schedule/depts",
        "/grades/raw",
        "/courses/all",
        "/instructors/all",
        "/larc?year=2019&quarter=Fall",
      ];
      const look = async () =>
        Promise.all(questions.map(async (path) => Object.fromEntries((await server.get(path)).headers.entries())));
      const before = await look();
      const filesBefore = await files();
      const freshBefore = await freshness();
      expect((await refresh({ hours: 1 })).changed).toBe(false);
      const report = await refresh({ hours: 2 });
      expect([report.changed, report.failed]).toEqual([false, false]);
      expect(await files()).toEqual(filesBefore);
      const freshAfter = await freshness();
      expect(Date.parse(freshAfter.nextRefresh ?? "") - Date.parse(freshBefore.nextRefresh ?? "")).toBe(7_200_000);
      expect(freshAfter.terms["2019 Fall"]).toBe(later({ hours: 2 })().toISOString());
      expect(freshAfter.terms["2019 Winter"]).toBe(freshBefore.terms["2019 Winter"]);
      expect(freshAfter.products["grades"]).toBe(later({ hours: 2 })().toISOString());
      expect(freshAfter.products["catalogue"]).toBe(freshBefore.products["catalogue"]);
      const fallAge = async () => Number((await server.get(questions[0] as string)).headers.get("age"));
      const ageBefore = Number(before[0]?.["age"]);
      await expect.poll(fallAge, { timeout: 10_000 }).toBeLessThan(ageBefore - 7_000);
      const after = await look();
      for (const [i, headers] of before.entries()) {
        expect(headers["etag"]).toMatch(/^"/);
        expect([after[i]?.["etag"], after[i]?.["x-data-snapshot"]]).toEqual([headers["etag"], report.snapshot]);
      }
      const modified = (headers?: Record<string, string>) => Date.parse(headers?.["last-modified"] ?? "");
      expect(modified(after[0]) - modified(before[0])).toBe(7_200_000);
      expect(modified(after[1])).toBe(modified(before[1]));
    } finally {
      await server.close();
    }
  });

  it("a day later tutorials are asked for, once; what did not change keeps its files", async () => {
    const before = await files();
    await refresh({ days: 1 });
    expect(askedSystems()).toEqual(["larc", "records", "schedule"]);
    const isKept = (path: string) => !path.startsWith("enrollment");
    expect((await files()).filter(isKept)).toEqual(before.filter(isKept));
    await refresh({ days: 1, hours: 1 });
    expect(askedSystems()).toEqual(["records", "schedule"]);
  });

  it("a week later everything is looked at, once", async () => {
    await refresh({ days: 6, hours: 23 });
    expect(askedSystems()).toEqual(["larc", "records", "schedule"]);
    const report = await refresh({ days: 7 });
    expect(report.failed).toBe(false);
    expect(askedSystems()).toEqual(["calendar", "catalogue", "directory", "prerequisites", "records", "schedule"]);
    await refresh({ days: 7, hours: 1 });
    expect(askedSystems()).toEqual(["records", "schedule"]);
  });

  describe("who taught what", () => {
    const published = async (table: string) => (await files()).filter((path) => path.startsWith(table));
    const told = ({ products }: Awaited<ReturnType<typeof refresh>>) =>
      products.find(({ product }) => product === "history")?.kept ?? 0;
    const changed = (change: Row): World => ({
      ...world,
      sections: world.sections.map((section) =>
        isOf(FALL)(section) && section["deptCode"] === "STATS" ? { ...section, ...change } : section,
      ),
    });

    it("is not told anew for seats that were taken, but for another instructor; then it is what a build tells", async () => {
      const before = await published("courses");
      upstream.setWorld(changed({ totalEnrolled: "1" }));
      const seats = await refresh({ hours: 1 });
      expect([seats.changed, told(seats)]).toEqual([true, 0]);
      expect(await published("courses")).toEqual(before);

      const [person] = world.instructors;
      upstream.setWorld(changed({ instructors: [person?.["shortenedName"]] }));
      const taught = await refresh({ hours: 2 });
      expect(told(taught)).toBeGreaterThan(0);
      const people = await published("instructors");
      // Once told, it is told.
      expect(told(await refresh({ hours: 3 }))).toBe(0);
      await run({ ...folder.env, ...upstream.urls }, "build", later({ hours: 3 }));
      expect(await published("instructors")).toEqual(people);
    });

    it("counts a term from its first day of instruction on", async () => {
      const until = (iso: string) => run({ ...folder.env, ...upstream.urls }, "refresh", () => new Date(iso));
      const termsOf = async () => {
        const server = await serve(folder.env);
        const courses = await server.json<{ terms: string[] }[]>("/courses/all");
        await server.close();
        return new Set(courses.flatMap(({ terms }) => terms));
      };
      const first = world.calendar.find(isOf(NEXT_FALL))?.["instructionStart"] as string;
      const midnight = Date.parse(`${first}T07:00:00Z`);
      await until(new Date(midnight - 60_000).toISOString());
      expect(await termsOf()).not.toContain("2020 Fall");
      await until(new Date(midnight + 60_000).toISOString());
      expect(await termsOf()).toContain("2020 Fall");
    });
  });

  it("a term is asked for until the last day of its finals ends on the campus", async () => {
    // 2019 Fall ends on 15 December; the campus is eight hours behind.
    const until = (iso: string) => run({ ...folder.env, ...upstream.urls }, "refresh", () => new Date(iso));
    await until("2019-12-16T07:59:00Z");
    expect(askedTerms()).toContain(formTerm(FALL));
    upstream.reset();
    await until("2019-12-16T08:01:00Z");
    expect(askedTerms()).toEqual([formTerm(NEXT_FALL)]);
  });

  it("a new term is published as soon as the form lists it", async () => {
    const term: Term = { year: "2020", quarter: "Winter" };
    const sections = world.sections.filter(isOf(WINTER)).map((row) => ({ ...row, ...term }));
    upstream.setWorld({ ...world, terms: [...world.terms, { ...term }], sections: [...world.sections, ...sections] });
    const report = await refresh({ hours: 1 });
    expect([report.changed, report.failed]).toEqual([true, false]);
    expect(askedTerms()).toContain(formTerm(term));
    const server = await serve(folder.env);
    try {
      const [first] = await server.json<{ shortName: string }[]>("/schedule/terms");
      expect(first?.shortName).toBe("2020 Fall");
      const tree = await server.json<object>(
        "/schedule?year=2020&quarter=Winter&cacheOnly=true&cancelledCourses=Include",
      );
      expect(JSON.stringify(tree).match(/"sectionCode"/g)).toHaveLength(sections.length);
    } finally {
      await server.close();
    }
  });

  describe("grade exports", () => {
    const gradesOf = (report: Awaited<ReturnType<typeof run>>) =>
      report.products.find(({ product }) => product === "grades");

    it("unchanged ones are asked for by their tags and not read again, also when the schedule moved on", async () => {
      const sections = world.sections.map((row) => (isOf(NEXT_FALL)(row) ? { ...row, totalEnrolled: "7" } : row));
      upstream.setWorld({ ...world, sections });
      const report = await refresh({ hours: 1 });
      expect(report.changed).toBe(true);
      expect(exportsAsked(304)).toHaveLength(3);
      expect(exportsAsked(200)).toEqual([]);
      expect(gradesOf(report)).toMatchObject({ read: 0, kept: 0, status: "published" });
    });

    it("one that changed is fetched, alone, and its rows are published", async () => {
      const change = (row: Row) => (isOf(SUMMER)(row) ? { ...row, gradeACount: 321 } : row);
      upstream.setWorld({ ...world, grades: world.grades.map(change) });
      const report = await refresh({ hours: 1 });
      expect(report.changed).toBe(true);
      expect(exportsAsked(200)).toEqual([expect.stringMatching(/Summer/)]);
      expect(exportsAsked(304)).toHaveLength(2);
      const server = await serve(folder.env);
      try {
        const rows = await server.json<Row[]>("/grades/raw?quarter=Summer1");
        expect(rows.map((row) => row["gradeACount"])).toEqual(world.grades.filter(isOf(SUMMER)).map(() => 321));
        expect(await server.json<Row[]>("/grades/raw")).toHaveLength(world.grades.length);
      } finally {
        await server.close();
      }
      await refresh({ hours: 2 });
      expect(exportsAsked(304)).toHaveLength(3);
    });

    it("a new one is published beside the others", async () => {
      const known = world.grades.filter((row) => !isOf(WINTER)(row));
      const own = await openFolder();
      try {
        upstream.setWorld({ ...world, grades: known });
        await run({ ...own.env, ...upstream.urls }, "build", later({}));
        upstream.setWorld(world);
        upstream.reset();
        const report = await run({ ...own.env, ...upstream.urls }, "refresh", later({ hours: 1 }));
        expect([report.changed, report.failed]).toEqual([true, false]);
        expect(exportsAsked(200)).toEqual([expect.stringMatching(/Winter/)]);
        expect(exportsAsked(304)).toHaveLength(2);
        expect(gradesOf(report)?.kept).toBe(world.grades.length);
      } finally {
        await own.remove();
      }
    });

    it("the sections of a graded term changed: its rows are joined anew, without fetching", async () => {
      const instructors = ["NEWCOMER, N."];
      const sections = world.sections.map((row) => (isOf(FALL)(row) ? { ...row, instructors } : row));
      upstream.setWorld({ ...world, sections });
      await refresh({ hours: 1 });
      expect(exportsAsked(200)).toEqual([]);
      const server = await serve(folder.env);
      try {
        const rows = await server.json<Row[]>("/grades/raw?year=2019&quarter=Fall");
        expect(rows.map((row) => row["instructors"])).toEqual(rows.map(() => instructors));
      } finally {
        await server.close();
      }
    });

    it("without tags, from a folder, the hash tells; a dropped file is read as soon as it is there", async () => {
      const office = join(folder.data, "office");
      await mkdir(office, { recursive: true });
      const index = upstream.urls["RECORDS_URL"] as string;
      const names = [
        ...(await (await fetch(index)).text()).matchAll(/href="(?:\/records\/)?([^"]+\.(?:csv|xlsx))"/g),
      ].map(([, name]) => decodeURIComponent(name as string));
      const bytesOf = async (name: string) => Buffer.from(await (await fetch(new URL(name, index))).arrayBuffer());
      for (const name of names.slice(1)) await writeFile(join(office, name), await bytesOf(name));
      const env = { RECORDS_URL: office, ALLOW_SHRINK: "1" };
      await rm(join(folder.data, "landing/records"), { recursive: true });
      expect(gradesOf(await refresh({ hours: 1 }, env))?.read).toBeGreaterThan(0);
      expect(gradesOf(await refresh({ hours: 2 }, env))?.read).toBe(0);
      await mkdir(join(folder.data, "grades"), { recursive: true });
      await writeFile(join(folder.data, "grades", names[0] as string), await bytesOf(names[0] as string));
      const report = await refresh({ hours: 3 }, env);
      expect([report.failed, gradesOf(report)?.kept]).toEqual([false, world.grades.length]);
    });
  });
});

describe("when a term is over", () => {
  const calendar = [
    {
      ...FALL,
      instructionStart: "2019-09-26",
      instructionEnd: "2019-12-06",
      finalsStart: "2019-12-07",
      finalsEnd: "2019-12-13",
    },
  ];

  it("by the calendar: the day after its finals", () => {
    expect(isOver(FALL, calendar, "2019-12-13")).toBe(false);
    expect(isOver(FALL, calendar, "2019-12-14")).toBe(true);
  });

  it("by the latest end of twelve years, where the calendar does not have it", () => {
    expect(isOver(NEXT_FALL, calendar, "2020-12-20")).toBe(false);
    expect(isOver(NEXT_FALL, calendar, "2020-12-21")).toBe(true);
    expect(isOver({ year: "2019", quarter: "Spring" }, calendar, "2019-06-20")).toBe(false);
    expect(isOver({ year: "2019", quarter: "Summer1" }, calendar, "2019-08-06")).toBe(true);
  });
});
