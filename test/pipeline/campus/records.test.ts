import { createHash } from "node:crypto";
import { load } from "cheerio";
import { parse } from "csv-parse/sync";
import readXlsxFile from "read-excel-file/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCampus } from "../../../pipeline/campus/listening/server.ts";
import { parseTermName } from "../../../pipeline/contract/vocabulary.ts";

let campus: Awaited<ReturnType<typeof startCampus>>;
interface Export {
  name: string;
  url: URL;
  header: string[];
  rows: Record<string, string>[];
  blankRows: number;
  body: Buffer;
}
const exports: Export[] = [];

beforeAll(async () => {
  campus = await startCampus({ size: "standard", clock: () => new Date("2026-11-21T20:00:00Z") });
  const $ = load(await (await fetch(campus.urls.RECORDS_URL)).text());
  const links = $("a")
    .toArray()
    .map((a) => $(a).attr("href") ?? "")
    .filter((href) => /\.(csv|xlsx)$/.test(href));
  for (const href of links) {
    const url = new URL(href, campus.urls.RECORDS_URL);
    const body = Buffer.from(await (await fetch(url)).arrayBuffer());
    const table = await readTable(url.pathname, body);
    const [header = [], ...rest] = table;
    const rows = rest.filter((row) => row.some((cell) => cell !== ""));
    exports.push({
      name: decodeURIComponent(url.pathname.split("/").at(-1) as string),
      url,
      header,
      rows: rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""]))),
      blankRows: rest.length - rows.length,
      body,
    });
  }
});
afterAll(() => campus.close());

async function readTable(name: string, body: Buffer): Promise<string[][]> {
  if (name.endsWith(".csv")) return parse(body, { bom: true }) as string[][];
  const sheets = await readXlsxFile(body);
  const [first] = sheets as unknown as { data: unknown[][] }[];
  return (first?.data ?? []).map((row) => row.map((cell) => (cell === null || cell === undefined ? "" : String(cell))));
}

const count = (text: string | undefined): number => Number((text ?? "").replaceAll(",", ""));
const LETTERS = ["A", "B", "C", "D", "F", "P", "NP", "W"];
const codesIn = (part: string) => file(part).rows.map((row) => row.CourseCode ?? "");
const rowKey = (row: { code: string; counts: readonly number[]; gpa: number }) =>
  `${row.code} ${row.counts.join()} ${row.gpa}`;
const file = (part: string): Export => exports.find(({ name }) => name.includes(part)) as Export;

describe("grade exports", () => {
  test("one for each academic year at first, one for each term since 2023, csv and xlsx by turns", () => {
    const names = exports.map(({ name }) => name);
    expect(names.at(-1)).toBe("UG_Grades_2014-15.xlsx");
    expect(names).toContain("UG_Grades_2022-23.xlsx");
    expect(names[0]).toBe("UG_Grades_2026_Summer.csv");
    expect(new Set(names.map((name) => name.split(".").at(-1)))).toEqual(new Set(["csv", "xlsx"]));
  });

  test("hold every row that the campus has, whatever the format", () => {
    const expected = campus.world.gradedTerms().flatMap((term) => campus.world.grades(term));
    expect(exports.flatMap(({ rows }) => rows)).toHaveLength(expected.length);
    const read = exports
      .flatMap(({ rows }) => rows)
      .map((row) =>
        rowKey({
          code: (row.CourseCode ?? "").padStart(5, "0"),
          counts: LETTERS.map((letter) => count(row[`Grade${letter}Count`])),
          gpa: Number(row["Avg. GradedGPAAvg"] || -1),
        }),
      );
    expect(read.toSorted()).toEqual(
      expected.map((row) => rowKey({ code: row.sectionCode, counts: row.counts, gpa: row.gpa ?? -1 })).toSorted(),
    );
    expect(expected.length).toBeGreaterThan(6000);
    expect(expected.length).toBeLessThan(8000);
  });

  test("come in three layouts", () => {
    const headers = new Set(exports.map(({ header }) => header.join()));
    expect(headers.size).toBe(3);
    expect([...headers].some((header) => header.startsWith("CalYr,AcadTerm,CourseCode"))).toBe(true);
    expect([...headers].some((header) => header.includes("CTOLevel1Desc"))).toBe(true);
    for (const { header } of exports)
      expect(header).toEqual(
        expect.arrayContaining([
          "AcadTerm",
          "DepartmentNameByCourseCode",
          "CourseCode",
          "Instructor1Name",
          "GradeNPCount",
          "Avg. GradedGPAAvg",
        ]),
      );
  });

  test("lost leading zeros in numeric files, thousands separators, blank rows, encoded ampersands, missing names", () => {
    const rows = exports.flatMap((exported) => exported.rows);
    expect(codesIn("2014-15").some((code) => code.length === 4)).toBe(true);
    expect(codesIn("2016-17").every((code) => code.length === 5)).toBe(true);
    expect(rows.some((row) => /^\d,\d{3}$/.test(row.GradeACount ?? ""))).toBe(true);
    expect(exports.filter(({ name }) => name.endsWith("csv")).every(({ blankRows }) => blankRows === 3)).toBe(true);
    expect(rows.some((row) => row.CourseTitle?.includes("&amp;"))).toBe(true);
    expect(rows.some((row) => /&(?!amp;)/.test(row.CourseTitle ?? ""))).toBe(true);
    for (const filler of ["UNKNOWN INSTRUCTOR", "REDACTED"])
      expect(rows.some((row) => row.Instructor1Name === filler)).toBe(true);
    expect(
      rows.some((row) => row["Avg. GradedGPAAvg"] === "" && row.GradeACount === "0" && Number(row.GradePCount) > 0),
    ).toBe(true);
    expect(new Set(rows.map((row) => row.AcadTerm))).toEqual(new Set(["Summer", "Fall", "Winter", "Spring"]));
  });

  test("name sections that the schedule has, with their department's name, but for a handful", () => {
    let strays = 0;
    let shared = 0;
    const wrong: string[] = [];
    for (const term of campus.world.gradedTerms()) {
      const generated = campus.world.term(term.year, term.quarter);
      for (const row of campus.world.grades(term)) {
        const section = generated.byCode.get(Number(row.sectionCode));
        if (!row.matched) strays++;
        const fits =
          section?.offering.department.name === row.departmentName &&
          section.offering.course.number === row.courseNumber &&
          section.type === row.sectionType;
        if (row.matched ? !fits : section !== undefined) wrong.push(`${term.code} ${row.sectionCode}`);
        if (row.instructors.length > 1) shared++;
      }
    }
    expect(wrong).toEqual([]);
    expect(strays).toBeGreaterThan(5);
    expect(strays).toBeLessThan(20);
    expect(shared).toBeGreaterThan(500);
  });

  test("a summer row's code and course name one session", () => {
    let ambiguousCodes = 0;
    for (const year of ["2015", "2018", "2022", "2025"]) {
      const sessions = (["Summer1", "Summer10wk", "Summer2"] as const).map((quarter) =>
        campus.world.term(year, quarter),
      );
      for (const { term } of sessions) {
        for (const row of campus.world.grades(term)) {
          const having = sessions.filter((session) => session.byCode.has(Number(row.sectionCode)));
          if (having.length > 1) ambiguousCodes++;
          const same = having.filter((session) => {
            const { department, course } = session.byCode.get(Number(row.sectionCode))?.offering ?? {};
            return department?.code === row.departmentCode && course?.number === row.courseNumber;
          });
          expect(same.map((session) => session.term.quarter)).toEqual([term.quarter]);
        }
      }
    }
    expect(ambiguousCodes).toBeGreaterThan(0);
  });

  test("the reported GPA is near the counts' own, and blank exactly without letter grades", () => {
    for (const name of ["2014 Fall", "2019 Spring", "2025 Summer2"]) {
      for (const { counts, gpa } of campus.world.grades(
        parseTermName(name) as NonNullable<ReturnType<typeof parseTermName>>,
      )) {
        const [a, b, c, d, f] = counts;
        const letters = a + b + c + d + f;
        expect(gpa === undefined).toBe(letters === 0);
        expect(Math.abs(letters === 0 ? 0 : (4 * a + 3 * b + 2 * c + d) / letters - (gpa ?? -1))).toBeLessThanOrEqual(
          0.23,
        );
        expect(counts.every((n) => Number.isInteger(n) && n >= 0)).toBe(true);
      }
    }
  });
});

describe("conditional requests", () => {
  test("an unchanged file or index is 304 by entity tag and by date, a year later too", async () => {
    let now = new Date("2026-11-21T20:00:00Z");
    const other = await startCampus({ size: "standard", clock: () => now });
    try {
      const url = `${other.urls.RECORDS_URL}UG_Grades_2015-16.csv`;
      const response = await fetch(url);
      const [etag, modified] = [
        response.headers.get("etag") as string,
        response.headers.get("last-modified") as string,
      ];
      expect(etag).toMatch(/^"\w+"$/);
      expect(new Date(modified) < now).toBe(true);
      expect((await fetch(file("2015-16").url, { headers: { "If-None-Match": etag } })).status).toBe(304);
      now = new Date("2027-11-21T20:00:00Z");
      expect((await fetch(url, { headers: { "If-None-Match": `"x", ${etag}` } })).status).toBe(304);
      expect((await fetch(url, { headers: { "If-Modified-Since": modified } })).status).toBe(304);
      expect((await fetch(url, { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
      const index = (await fetch(campus.urls.RECORDS_URL)).headers.get("etag") as string;
      expect((await fetch(campus.urls.RECORDS_URL, { headers: { "If-None-Match": index } })).status).toBe(304);
      expect((await fetch(other.urls.RECORDS_URL, { headers: { "If-None-Match": index } })).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  test("HEAD tells length and tag without a body", async () => {
    const response = await fetch(file("2014-15").url, { method: "HEAD" });
    expect(Number(response.headers.get("content-length"))).toBe(file("2014-15").body.length);
    expect(await response.text()).toBe("");
  });

  test("the tags stand for these bytes: when this fails, raise EXPORT_REVISION and write the new sum here", () => {
    expect(createHash("sha256").update(file("2015-16").body).digest("hex").slice(0, 16)).toBe("4de9e1513dcd0245");
  });
});
