/**
 * Ended departments, diacritics, entities, GE lines, titles, blank years and averages: through a whole run and the
 * server, field by field.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSql } from "../support/run-sql.ts";
import { ODD_GRADES, type OddUniversity, startOddUniversity } from "../support/worlds/odd-university.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";
import type { Row } from "../support/worlds/world.ts";

describe("an odd university", () => {
  let upstream: OddUniversity;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  let crawled: readonly string[];

  beforeAll(async () => {
    upstream = await startOddUniversity();
    folder = await openFolder();
    await mkdir(join(folder.data, "grades"), { recursive: true });
    await writeFile(join(folder.data, "grades/odd.csv"), ODD_GRADES);
    const report = await run({ ...folder.env, ...upstream.env });
    expect(report.products.flatMap(({ damaged }) => damaged)).toEqual([]);
    expect(report.failed).toBe(false);
    crawled = upstream.searches.splice(0);
    server = await serve({ ...folder.env, SCHEDULE_URL: upstream.env["SCHEDULE_URL"] ?? "" });
  });
  afterAll(async () => {
    await server?.close();
    await upstream?.close();
    await folder?.remove();
  });

  interface Tree {
    schools: { schoolName: string; departments: { deptCode: string; deptName: string; courses: Course[] }[] }[];
  }
  type Course = Row & { courseTitle: string; sections: (Row & { sectionCode: string; instructors: string[] })[] };
  const tree = (query: string) => server.json<Tree>(`/schedule?${query}`);
  const departmentsOf = ({ schools }: Tree) => schools.flatMap(({ departments }) => departments);
  const codesOf = (tree: Tree) =>
    departmentsOf(tree).flatMap(({ courses }) => courses.flatMap(({ sections }) => sections.map((s) => s.sectionCode)));

  it("crawls an ended department up to its end, and no further", () => {
    const asked = (department: string) =>
      [...new Set(crawled)].filter((search) => search.endsWith(` ${department}`)).sort();
    expect(asked("GERMAN")).toEqual(["2019-14 GERMAN", "2019-92 GERMAN"]);
    expect(asked("HUM ART")).toEqual(["2019-14 HUM ART"]);
    expect(asked("WOM STD")).toEqual(["2019-14 WOM STD", "2019-92 WOM STD"]);
    expect(asked("OLD")).toEqual([]);
  });

  it("lists every department under its plain name", async () => {
    expect(await server.json("/schedule/depts")).toEqual([
      { deptLabel: "ALL: Include All Departments", deptValue: "ALL" },
      { deptLabel: "GERMAN: German", deptValue: "GERMAN" },
      { deptLabel: "HUM ART: Humanities & Arts", deptValue: "HUM ART" },
      { deptLabel: "OLD: Old Things", deptValue: "OLD" },
      { deptLabel: "WOM STD: Women’s Studies", deptValue: "WOM STD" },
    ]);
  });

  it("publishes every section as it is meant", async () => {
    const spring = await tree("year=2019&quarter=Spring&cacheOnly=true");
    const fall = await tree("year=2019&quarter=Fall&cacheOnly=true");
    expect(spring.schools.map(({ schoolName }) => schoolName)).toEqual(["School of Café Arts"]);
    const shown = (schedule: Tree) =>
      departmentsOf(schedule).map(({ deptCode, deptName, courses: [course] }) => {
        const [section] = course?.sections ?? [];
        return [
          deptCode,
          deptName,
          course?.courseTitle,
          section?.sectionCode,
          section?.instructors,
          section?.["sectionComment"],
        ];
      });
    expect(shown(spring)).toEqual([
      ["GERMAN", "German", "GERMAN I – ALLTÄG", "25600", ["MÜLLER, E."], "<p>Caf&eacute;\u00a0½</p>"],
      ["HUM ART", "Humanities & Arts", "ART & SOCIETY", "27000", ["ØRSTED, H."], ""],
    ]);
    expect(shown(fall)).toEqual([
      ["GERMAN", "German", "GERMAN I", "25600", ["MULLER, E.", "O'NEILL-GARCI\u0301A, A."], "<p>&nbsp;&copy;</p>"],
      ["WOM STD", "Women’s Studies", "TOPICS", "27100", ["MÜLLERSCHÖNHÄU, J."], ""],
    ]);
    expect(departmentsOf(spring)[0]?.courses[0]?.sections[0]?.["meetings"]).toEqual([
      {
        timeIsTBA: false,
        bldg: ["ALP 2300"],
        days: "MWF",
        startTime: { hour: 9, minute: 0 },
        endTime: { hour: 9, minute: 50 },
      },
    ]);
    expect(codesOf(await tree("year=2019&quarter=Spring&ge=GE-4"))).toEqual(["27000"]);
  });

  it("publishes every grade row: an academic year beside no exact one, blank averages as 0 in JSON and NULL in SQL", async () => {
    const rows = await server.json<Row[]>("/grades/raw");
    expect(
      rows.map((row) => [row["year"], row["quarter"], row["department"], row["instructors"], row["averageGPA"]]),
    ).toEqual([
      ["2019", "Spring", "GERMAN", ["MÜLLER, E."], 3.54],
      ["2019", "Spring", "HUM ART", ["ØRSTED, H."], 0],
      ["2019", "Fall", "GERMAN", ["MULLER, E.", "O'NEILL-GARCI\u0301A, A."], 0],
      ["2019", "Fall", "WOM STD", ["MÜLLERSCHÖNHÄU, J."], 0],
    ]);
    let text = "";
    const statement = "SELECT sectionCode, averageGPA FROM grades ORDER BY year, quarter DESC, sectionCode";
    for await (const piece of runSql(folder.artifacts, statement, "csv", { tempFolder: join(folder.data, "sql") }))
      text += piece;
    expect(text.trim().split("\n").slice(1)).toEqual(["25600,3.54", "27000,", "25600,0.0", "27100,"]);
  });

  it("knows people by any spelling of their names: histories, shortened names and instructors of courses", async () => {
    const people = await server.json<(Row & { netid: string })[]>("/instructors/all");
    expect(
      people.map(({ netid, name, shortenedName, courseHistory }) => [netid, name, shortenedName, courseHistory]),
    ).toEqual([
      ["agarcia", "Ana O’Neill-García", "O'NEILL-GARCI\u0301A, A.", { "GERMAN 1A": ["2019 Fall"] }],
      ["emuller", "Erik Müller", "MULLER, E.", { "GERMAN 1A": ["2019 Fall", "2019 Spring"] }],
      ["hoersted", "Hans Ørsted", "ØRSTED, H.", { "HUM ART 10": ["2019 Spring"] }],
      ["jmueller", "Jürgen Müllerschönhäuser", "MÜLLERSCHÖNHÄU, J.", { "WOM STD 20": ["2019 Fall"] }],
      ["nobody", "Nadia Łoś", "LOS, N.", {}],
    ]);
    const courses = await server.json<Row[]>("/courses/all");
    expect(
      courses.map((course) => [
        course["id"],
        course["title"],
        course["geText"],
        course["geList"],
        course["instructorHistory"],
      ]),
    ).toEqual([
      ["GERMAN1A", "Everyday German", "(GE II or GE IV)", ["GE-2", "GE-4"], ["agarcia", "emuller"]],
      ["GERMAN1B", "More German", "(General Education III or IV )", ["GE-3", "GE-4"], []],
    ]);
  });

  it.each([
    "Muller",
    "müller",
    "MÜLLER,",
    "Mu\u0308ller, e.",
    "ORSTED",
    "ørsted, H",
    "o’neill-garcía",
    "Müllerschonhäu,",
  ])("finds %s in every filter, live as in what is published", async (name) => {
    const query = `instructorName=${encodeURIComponent(name)}`;
    for (const term of ["year=2019&quarter=Spring", "year=2019&quarter=Fall"]) {
      const cached = await tree(`${term}&${query}&cacheOnly=true`);
      expect(codesOf(await tree(`${term}&${query}&cache=false`))).toEqual(codesOf(cached));
      expect(await tree(`${term}&${query}&department=GERMAN&cache=false`)).toEqual(
        await tree(`${term}&${query}&department=GERMAN&cacheOnly=true`),
      );
    }
    const both = await Promise.all(
      ["Spring", "Fall"].map((quarter) => tree(`year=2019&quarter=${quarter}&${query}&cacheOnly=true`)),
    );
    expect(both.flatMap(codesOf).length).toBeGreaterThan(0);
  });

  it.each([
    ["Muller, E.", 2, ["emuller"]],
    ["mÜller, e.", 2, ["emuller"]],
    ["Orsted, H.", 1, ["hoersted"]],
    ["O’Neill-Garcia, A.", 1, ["agarcia"]],
    ["Müllerschonhau, J.", 1, ["jmueller"]],
  ])("finds %s in grades and instructors", async (name, rows, netids) => {
    const value = encodeURIComponent(name);
    const grades = await server.json<Row[]>(`/grades/raw?instructor=${value}`);
    expect(grades).toHaveLength(rows);
    const offerings = await server.json<Row[]>(`/grades/aggregateByOffering?instructor=${value}`);
    expect(offerings.length).toBeGreaterThan(0);
    const ids = async (filter: string) =>
      (await server.json<{ netid: string }[]>(`/instructors?${filter}`)).map(({ netid }) => netid);
    expect(await ids(`shortenedName=${value}`)).toEqual(netids);
    expect(await ids(`nameContains=${encodeURIComponent(name.split(",")[0] ?? "")}`)).toEqual(
      expect.arrayContaining(netids),
    );
  });

  it("requests an ended department live too", async () => {
    upstream.searches.splice(0);
    const schedule = await tree("year=2019&quarter=Spring&department=humart&cache=false");
    expect(codesOf(schedule)).toEqual(["27000"]);
    expect(upstream.searches).toEqual(["2019-14 HUM ART"]);
  });
});
