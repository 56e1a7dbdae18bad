/**
 * The requests of an hourly run, and the data that it leaves unchanged (pipeline/RULES.md, Runs: "terms that are not
 * over, and new or changed grade exports").
 */
import { describe, expect, it } from "vitest";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { isWhole } from "../support/extent.ts";
import { formTerm, openHourlyCampus } from "../support/upstream/hourly-campus.ts";
import { FALL, later, NEXT_FALL, WINTER } from "../support/worlds/small-world.ts";
import { isOf, type World, type WorldSection } from "../support/worlds/world.ts";
import { run, serve } from "../support/whole-run.ts";

describe("the hourly run", () => {
  const { world, upstream, folder, urls, refresh, askedSystems, askedTerms, freshness, files } = openHourlyCampus();

  it("requests the current and the announced term, and nothing of the past", async () => {
    const report = await refresh({ hours: 1 });
    expect(report.failed).toBe(false);
    expect(askedTerms()).toEqual([formTerm(FALL), formTerm(NEXT_FALL)]);
    // The catalogue, the directory and the calendar are younger than a week, tutorials younger than a day.
    expect(askedSystems()).toEqual(["records", "schedule"]);
  });

  it("an unchanged upstream: nothing is published, the snapshot and every ETag stay, times move on", async () => {
    const server = await serve(folder().env);
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
      const modified = (headers?: Record<string, string>) => Date.parse(headers?.["last-modified"] ?? "");
      const fallModified = async () =>
        modified(Object.fromEntries((await server.get(questions[0] as string)).headers.entries()));
      await expect.poll(fallModified, { timeout: 30_000 }).toBe(modified(before[0]) + 7_200_000);
      const after = await look();
      for (const [i, headers] of before.entries()) {
        expect(headers["etag"]).toMatch(/^"/);
        expect([after[i]?.["etag"], after[i]?.["x-data-snapshot"]]).toEqual([headers["etag"], report.snapshot]);
      }
      expect(modified(after[1])).toBe(modified(before[1]));
    } finally {
      await server.close();
    }
  });

  it("a day later tutorials are requested, once, and a week later everything; what did not change keeps its files", async () => {
    const before = await files();
    await refresh({ days: 6, hours: 23 });
    expect(askedSystems()).toEqual(["larc", "records", "schedule"]);
    const isKept = (path: string) => !path.startsWith("enrollment");
    expect((await files()).filter(isKept)).toEqual(before.filter(isKept));
    const report = await refresh({ days: 7 });
    expect(report.failed).toBe(false);
    expect(askedSystems()).toEqual(["calendar", "catalogue", "directory", "prerequisites", "records", "schedule"]);
    await refresh({ days: 7, hours: 1 });
    expect(askedSystems()).toEqual(["records", "schedule"]);
  });

  describe("who taught what", () => {
    const published = async (table: string) => (await files()).filter((path) => path.startsWith(table));
    const changed = (change: Partial<WorldSection>): World => ({
      ...world(),
      sections: world().sections.map((section) =>
        isOf(FALL)(section) && section.deptCode === "STATS" ? { ...section, ...change } : section,
      ),
    });

    const tables = async () => [await published("courses"), await published("instructors")];

    it("is the same for seats that were taken, and another for another instructor", async () => {
      const before = await tables();
      upstream().setWorld(changed({ totalEnrolled: "1" }));
      expect((await refresh({ hours: 1 })).changed).toBe(true);
      expect(await tables()).toEqual(before);

      const [person] = world().instructors;
      upstream().setWorld(changed({ instructors: [person?.shortenedName ?? ""] }));
      await refresh({ hours: 2 });
      const after = await tables();
      expect(after[0]).not.toEqual(before[0]);
      expect((await refresh({ hours: 3 })).changed).toBe(false);
    });

    it.runIf(isWhole)("is what a build tells", async () => {
      const [person] = world().instructors;
      upstream().setWorld(changed({ instructors: [person?.shortenedName ?? ""] }));
      await refresh({ hours: 2 });
      const after = await tables();
      await run({ ...folder().env, ...urls() }, "build", later({ hours: 3 }));
      expect(await tables()).toEqual(after);
    });

    it("counts a term from its first day of instruction on", async () => {
      const { SCHEDULE_URL = "", CALENDAR_URL = "" } = urls();
      const where = { ...folder().env, SCHEDULE_URL, CALENDAR_URL };
      const until = (iso: string) => run(where, "refresh", () => new Date(iso));
      const termsOf = async () => {
        const server = await serve(folder().env);
        const courses = await server.json<{ terms: string[] }[]>("/courses/all");
        await server.close();
        return new Set(courses.flatMap(({ terms }) => terms));
      };
      const first = world().calendar.find(isOf(NEXT_FALL))?.instructionStart as string;
      const midnight = Date.parse(`${first}T07:00:00Z`);
      await until(new Date(midnight - 60_000).toISOString());
      expect(await termsOf()).not.toContain("2020 Fall");
      await until(new Date(midnight + 60_000).toISOString());
      expect(await termsOf()).toContain("2020 Fall");
    });
  });

  it("a term is requested until the last day of its finals ends on the campus", async () => {
    // 2019 Fall ends on 15 December; the campus is eight hours behind.
    const { SCHEDULE_URL = "" } = urls();
    const until = (iso: string) => run({ ...folder().env, SCHEDULE_URL }, "refresh", () => new Date(iso));
    await until("2019-12-16T07:59:00Z");
    expect(askedTerms()).toContain(formTerm(FALL));
    upstream().reset();
    await until("2019-12-16T08:01:00Z");
    expect(askedTerms()).toEqual([formTerm(NEXT_FALL)]);
  });

  it("a new term is published as soon as the form lists it", async () => {
    const term: Term = { year: "2020", quarter: "Winter" };
    const sections = world()
      .sections.filter(isOf(WINTER))
      .map((row) => ({ ...row, ...term }));
    upstream().setWorld({
      ...world(),
      terms: [...world().terms, { ...term }],
      sections: [...world().sections, ...sections],
    });
    const report = await refresh({ hours: 1 });
    expect([report.changed, report.failed]).toEqual([true, false]);
    expect(askedTerms()).toContain(formTerm(term));
    const server = await serve(folder().env);
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
});
