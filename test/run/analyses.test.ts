/**
 * The 25 analyses in `make sql` over the sample campus; the numbers of some of them are recomputed from the API's JSON.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAnalyses } from "../engines/analyses.ts";
import { openSample, rowsOf, SAMPLE_TERMS } from "../support/sample-build.ts";
import { serve } from "../support/whole-run.ts";

const analyses = await readAnalyses();

let folder: Awaited<ReturnType<typeof openSample>>;
let api: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  folder = await openSample();
  api = await serve(folder.env);
}, 600_000);
afterAll(() => api?.close());

type Row = Record<string, string | number | null>;
const answers = async (name: string): Promise<Row[]> =>
  rowsOf(folder, analyses.find((analysis) => analysis.name === name)?.sql ?? "");
/** The values of the rows, without names. */
const valuesOf = (rows: readonly Row[]) => rows.map((row) => Object.values(row));
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0);
const groupBy = <T>(rows: readonly T[], of: (row: T) => string): [string, T[]][] => {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(of(row), [...(groups.get(of(row)) ?? []), row]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
};

it("there are 25; each says its question in one line, is one statement, and is in order", () => {
  expect(analyses).toHaveLength(25);
  for (const { sql } of analyses) {
    expect(sql).toMatch(/^-- [A-Z][^\n]+\?[^\n]*\n(?:SELECT|WITH)\b/);
    expect(sql).not.toMatch(/;|\n--/);
    expect(sql).toMatch(/\nORDER BY [^\n]+\n(?:LIMIT \d+\n)?$/);
  }
});

it.each(analyses)("$name: $question", async ({ sql }) => {
  const rows = await rowsOf<Row>(folder, sql);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows)
    for (const [column, value] of Object.entries(row)) expect([column, value]).not.toEqual([column, null]);
  expect(await rowsOf(folder, sql)).toEqual(rows);
});

interface Graded {
  readonly year: string;
  readonly department: string;
  readonly averageGPA: number | null;
  readonly gradeACount: number;
  readonly gradeBCount: number;
  readonly gradeCCount: number;
  readonly gradeDCount: number;
  readonly gradeFCount: number;
  readonly gradeWCount: number;
}
const letters = (row: Graded) =>
  row.gradeACount + row.gradeBCount + row.gradeCCount + row.gradeDCount + row.gradeFCount;

describe("grades", () => {
  let grades: Graded[];
  beforeAll(async () => {
    grades = await api.json("/grades/raw");
  });

  it("grade_trend", async () => {
    const expected = groupBy(grades, (row) => row.year).map(([year, rows]) => {
      const known = rows.filter((row) => letters(row) > 0 && row.averageGPA !== null);
      const gpa = (row: Graded) => row.averageGPA ?? 0;
      const students = sum(known, letters);
      const ofStudents = sum(known, (row) => Math.round(100 * gpa(row)) * letters(row)) / 100 / students;
      return [year, known.length, students, sum(known, gpa) / known.length, ofStudents];
    });
    const trend = valuesOf(await answers("grade_trend"));
    expect(trend).toHaveLength(expected.length);
    for (const [at, [year, sections, students, ofSections, ofStudents]] of expected.entries()) {
      expect(trend[at]?.slice(0, 3)).toEqual([year, sections, students]);
      expect(trend[at]?.[3]).toBeCloseTo(Number(ofSections), 2);
      expect(trend[at]?.[4]).toBeCloseTo(Number(ofStudents), 2);
    }
  });

  it("dfw_rates", async () => {
    const rates = new Map((await answers("dfw_rates")).map((row) => [row["department"], row]));
    for (const [department, rows] of groupBy(grades, (row) => row.department)) {
      const students = sum(rows, (row) => letters(row) + row.gradeWCount);
      if (students === 0) continue;
      const dfw = sum(rows, (row) => row.gradeDCount + row.gradeFCount + row.gradeWCount);
      expect(rates.get(department)?.["students"]).toBe(students);
      expect(rates.get(department)?.["dfwPercent"]).toBeCloseTo((100 * dfw) / students, 1);
    }
  });
});

interface Scheduled {
  readonly sectionCode: string;
  readonly maxCapacity: string;
  readonly numCurrentlyEnrolled: { readonly totalEnrolled: string; readonly sectionEnrolled: string };
  readonly instructors: readonly string[];
  readonly finalExam: { readonly examStatus: string; readonly month: number; readonly day: number };
}
type Tree = { schools: { departments: { courses: { sections: Scheduled[] }[] }[] }[] };

describe("the schedule", () => {
  const terms = SAMPLE_TERMS.map((name) => name.split(" "));
  async function sectionsOf([year, quarter]: readonly string[], cancelled: string): Promise<Scheduled[]> {
    const query = `year=${year}&quarter=${quarter}&cacheOnly=true&cancelledCourses=${cancelled}`;
    const { schools } = await api.json<Tree>(`/schedule?${query}`);
    return schools.flatMap((school) =>
      school.departments.flatMap(({ courses }) => courses.flatMap((course) => course.sections)),
    );
  }
  const enrolled = (section: Scheduled) => Number(section.numCurrentlyEnrolled.totalEnrolled);

  /** Students of a cross-listed section who enrolled under its own code. */
  const students = ({ numCurrentlyEnrolled: { sectionEnrolled, totalEnrolled } }: Scheduled) =>
    Number(sectionEnrolled === "" ? totalEnrolled : sectionEnrolled);

  it("fill_rate_by_term", async () => {
    const expected: unknown[] = [];
    for (const term of terms) {
      const rows = (await sectionsOf(term, "Exclude")).filter(({ maxCapacity }) => Number(maxCapacity) > 0);
      const [seats, taken] = [sum(rows, ({ maxCapacity }) => Number(maxCapacity)), sum(rows, enrolled)];
      expected.push([...term, rows.length, seats, taken, expect.closeTo((100 * taken) / seats, 1)]);
    }
    expect(valuesOf(await answers("fill_rate_by_term"))).toEqual(expected);
  });

  it("cancelled_share", async () => {
    const expected: unknown[] = [];
    for (const term of terms) {
      const [all, cancelled] = [await sectionsOf(term, "Include"), await sectionsOf(term, "Only")];
      const share = (100 * cancelled.length) / all.length;
      expected.push([...term, all.length, cancelled.length, expect.closeTo(share, 1)]);
    }
    expect(valuesOf(await answers("cancelled_share"))).toEqual(expected);
  });

  it("co_taught_sections", async () => {
    const taught: { year: string; people: number }[] = [];
    for (const term of terms)
      for (const { instructors } of await sectionsOf(term, "Exclude")) {
        const people = instructors.filter((name) => name !== "STAFF").length;
        if (people > 0) taught.push({ year: term[0] ?? "", people });
      }
    const expected = groupBy(taught, ({ year }) => year).map(([year, rows]) => {
      const shared = rows.filter(({ people }) => people > 1).length;
      return [year, rows.length, shared, expect.closeTo((100 * shared) / rows.length, 1)];
    });
    expect(valuesOf(await answers("co_taught_sections"))).toEqual(expected);
  });

  it("finals_by_day", async () => {
    const finals = (await sectionsOf(["2026", "Fall"], "Exclude")).filter(
      ({ finalExam }) => finalExam.examStatus === "SCHEDULED_FINAL",
    );
    const days = groupBy(finals, ({ finalExam: { month, day } }) =>
      new Date(Date.UTC(2026, month, day)).toISOString().slice(0, 10),
    );
    const rows = await answers("finals_by_day");
    expect(rows.map(({ date, finals, students }) => [date, finals, students])).toEqual(
      days.map(([date, rows]) => [date, rows.length, sum(rows, students)]),
    );
  });
});

describe("courses", () => {
  interface Course {
    readonly id: string;
    readonly department: string;
    readonly courseNumber: string;
    readonly prerequisiteList: readonly string[];
  }
  let courses: Course[];
  beforeAll(async () => {
    courses = await api.json("/courses/all");
  });
  const nameOf = ({ department, courseNumber }: Course) => `${department} ${courseNumber}`;

  it("prerequisite_depth", async () => {
    const byName = new Map(courses.map((course) => [nameOf(course), course]));
    const depths = new Map<string, number>();
    const depthOf = (name: string): number => {
      const known = depths.get(name);
      if (known !== undefined) return known;
      // A course behind itself would never end.
      depths.set(name, Infinity);
      const before = (byName.get(name)?.prerequisiteList ?? []).filter((name) => byName.has(name));
      const depth = before.length === 0 ? 0 : 1 + Math.max(...before.map(depthOf));
      depths.set(name, depth);
      return depth;
    };
    const expected = groupBy([...byName.keys()], (name) => String(depthOf(name)).padStart(3, "0"));
    expect(valuesOf(await answers("prerequisite_depth"))).toEqual(
      expected.map(([depth, names]) => [Number(depth), names.length, names.toSorted()[0]]),
    );
    expect(expected.length).toBeGreaterThan(3);
  });

  it("gateway_courses", async () => {
    const named = courses.flatMap(({ department, prerequisiteList }) =>
      [...new Set(prerequisiteList)].map((prerequisite) => ({ prerequisite, department })),
    );
    const expected = groupBy(named, ({ prerequisite }) => prerequisite)
      .map(([name, rows]) => [name, rows.length, new Set(rows.map(({ department }) => department)).size] as const)
      .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    expect(valuesOf(await answers("gateway_courses"))).toEqual(expected.slice(0, 20));
  });
});

it("first_week_velocity", async () => {
  interface History {
    readonly dates: readonly string[];
    readonly totalEnrolledHistory: readonly string[];
  }
  const velocity = new Map(
    (await answers("first_week_velocity")).map(({ year, quarter, ...row }) => [`${year} ${quarter}`, row]),
  );
  for (const name of ["2026 Spring", "2026 Fall"]) {
    const [year = "", quarter = ""] = name.split(" ");
    const histories = await api.json<History[]>(`/enrollmentHistory?year=${year}&quarter=${quarter}`);
    const totals = new Map<string, number>();
    for (const { dates, totalEnrolledHistory } of histories)
      for (const [at, date] of dates.entries())
        totals.set(date, (totals.get(date) ?? 0) + Number(totalEnrolledHistory[at]));
    const opened = [...totals.keys()].toSorted()[0] ?? "";
    const later = new Date(Date.parse(opened) + 7 * 86_400_000).toISOString().slice(0, 10);
    const [first = 0, last = 0] = [totals.get(opened), totals.get(later)];
    const seatsADay = rounded((last - first) / 7, 2);
    expect([name, velocity.get(name)]).toEqual([name, { opened, onFirstDay: first, aWeekLater: last, seatsADay }]);
    expect(last).toBeGreaterThan(first);
  }
});
