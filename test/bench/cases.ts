/** The measured questions. `repeated` is asked over and over; each of `distinct` once, so that no finished answer of it exists. */
import { GE_CATEGORIES } from "../../pipeline/contract/vocabulary.ts";
import type { Words } from "./words.ts";

export interface Case {
  readonly name: string;
  readonly repeated?: string | readonly string[];
  readonly distinct?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Asks with the tag of the answer: what comes is a 304. */
  readonly knows?: boolean;
  /** Not compared with the statements alone: it runs none. */
  readonly noFloor?: boolean;
  readonly noNaive?: boolean;
}

const BASE = "/v1/rest";
const GZIP = { "Accept-Encoding": "gzip" };
const BROTLI = { "Accept-Encoding": "br" };
/** So many questions are more than any measurement asks. */
const MOST = 24_000;

/** The same numbers in every run. */
export function drawing(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], draw: () => number): T[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [all[i], all[j]] = [all[j] as T, all[i] as T];
  }
  return all;
}

const query = (path: string, params: Readonly<Record<string, string | undefined>>) => {
  const given = Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const text = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `${BASE}${path}${text === "" ? "" : `?${text}`}`;
};

/** A department's rows under filters that leave most of them, so that there are more questions than departments. */
function departmentGrades(path: string, { departments }: Words, draw: () => number): string[] {
  const questions = departments.flatMap((department) =>
    [undefined, "LowerDiv", "UpperDiv", "Graduate"].flatMap((division) =>
      [undefined, "true", "false"].flatMap((excludePNP) =>
        [undefined, "Fall", "Winter", "Spring", "Summer1", "Summer2"].map((quarter) =>
          query(path, { department, division, excludePNP, quarter }),
        ),
      ),
    ),
  );
  return shuffled(questions, draw).slice(0, MOST);
}

export function toCases(words: Words): readonly Case[] {
  const draw = drawing();
  const pick = (items: readonly string[]): string => items[Math.floor(draw() * items.length)] as string;
  const many = (make: (i: number) => string, count = MOST) => Array.from({ length: count }, (_, i) => make(i));
  const { departments, courses, graded, sectionCodes, sectionInstructors, sectionCourses, years, main } = words;
  const [latest = { year: "2024", quarter: "Fall" as const }] = main;
  const term = { year: latest.year, quarter: latest.quarter };
  const department = departments.includes("COMPSCI") ? "COMPSCI" : departments[0];
  const course = graded.find((one) => one.department === department);
  const codes = () => many(() => pick(sectionCodes), 40).join(",");
  // A range of course numbers that all of them are in: another question with the same answer.
  const wide = (i: number) => `0-${1000 + i}`;
  const byDepartment = (i: number) =>
    query("/schedule", { ...term, department: departments[i % departments.length], courseNumber: wide(i) });
  const byCourse = (i: number) => {
    const { department: code, courseNumber } = courses[i % courses.length] ?? {};
    // What is meant when nothing is said, said: another question with the same answer.
    const cancelledCourses = Math.floor(i / courses.length) % 2 === 0 ? undefined : "Exclude";
    return query("/schedule", { ...term, department: code, courseNumber, cancelledCourses });
  };
  const byCodes = () => query("/schedule", { ...term, sectionCodes: codes() });
  const byGe = (i: number) =>
    query("/schedule", {
      ...term,
      department: "ALL",
      ge: GE_CATEGORIES[i % GE_CATEGORIES.length],
      courseNumber: wide(i),
    });
  const byInstructor = (i: number) =>
    query("/schedule", {
      ...term,
      instructorName: sectionInstructors[i % sectionInstructors.length],
      courseNumber: wide(i),
    });
  const offering = departmentGrades("/grades/aggregateByOffering", words, draw);
  const rawCourse = (i: number) => query("/grades/raw", { ...graded[i % graded.length] });
  const courseById = (i: number) => `${BASE}/courses/${encodeURIComponent(courses[i % courses.length]?.id ?? "")}`;
  const week = (i: number) =>
    query("/week", {
      year: String(2015 + (i % 11)),
      month: String(1 + (Math.floor(i / 11) % 12)),
      day: String(1 + (Math.floor(i / 132) % 28)),
    });
  const weeks = many(week, 11 * 12 * 28);
  /** Field guide: what clients ask in a hundred questions. */
  const mixed = (i: number): string => {
    const at = i % 100;
    if (at < 40) return byDepartment(i);
    if (at < 60) return byCourse(i);
    if (at < 75) return byCodes();
    if (at < 83) return byGe(i);
    if (at < 88) return byInstructor(i);
    if (at < 92) return rawCourse(i);
    if (at < 95) return offering[i % offering.length] as string;
    if (at < 98) return courseById(i);
    return at === 98 ? (weeks[i % weeks.length] as string) : `${BASE}/schedule/terms`;
  };
  const mix = shuffled(many(mixed, 20_000), draw);
  const grades = (path: string, params: Record<string, string | undefined> = {}) => query(`/grades/${path}`, params);
  const wholeTerm = query("/schedule", { ...term, cacheOnly: "true" });
  const scheduleOf = query("/schedule", { ...term, department });

  return [
    {
      name: "grades/aggregate, a course",
      repeated: grades("aggregate", course),
      distinct: shuffled(graded, draw).map((one) => grades("aggregate", one)),
    },
    {
      name: "grades/aggregateByCourse, a department",
      repeated: grades("aggregateByCourse", { department }),
      distinct: departmentGrades("/grades/aggregateByCourse", words, draw),
    },
    {
      name: "grades/aggregateByOffering, a department",
      repeated: grades("aggregateByOffering", { department }),
      distinct: offering,
    },
    {
      name: "grades/options, a department",
      repeated: grades("options", { department }),
      distinct: departmentGrades("/grades/options", words, draw),
    },
    {
      name: "grades/raw, a year",
      repeated: grades("raw", { year: years.at(-2) ?? years[0] }),
      // Together more than the server keeps, so that a second round finds nothing either.
      distinct: shuffled(
        years.flatMap((year) =>
          [undefined, "LowerDiv", "UpperDiv"].flatMap((division) =>
            [undefined, "true", "false"].map((excludePNP) => grades("raw", { year, division, excludePNP })),
          ),
        ),
        draw,
      ),
    },
    { name: "grades/aggregate, everything", repeated: grades("aggregate") },
    { name: "grades/raw, everything", repeated: grades("raw") },
    { name: "grades/raw, everything, gzip", repeated: grades("raw"), headers: GZIP, noNaive: true },
    { name: "schedule, a department", repeated: scheduleOf, distinct: many(byDepartment) },
    {
      name: "schedule, a department, gzip",
      repeated: scheduleOf,
      distinct: many((i) => byDepartment(i + MOST)),
      headers: GZIP,
      noFloor: true,
      noNaive: true,
    },
    { name: "schedule, 40 section codes", repeated: byCodes(), distinct: many(byCodes, 8000) },
    {
      name: "schedule, GE",
      repeated: query("/schedule", { ...term, department: "ALL", ge: "GE-2" }),
      distinct: many(byGe),
    },
    {
      name: "schedule, an instructor",
      repeated: query("/schedule", { ...term, instructorName: sectionInstructors[0] }),
      distinct: many(byInstructor),
    },
    { name: "schedule, a whole term", repeated: wholeTerm },
    { name: "schedule, a whole term, gzip", repeated: wholeTerm, headers: GZIP, noNaive: true },
    { name: "schedule, a whole term, br", repeated: wholeTerm, headers: BROTLI, noNaive: true },
    { name: "courses/{id}", repeated: courseById(0), distinct: shuffled(many(courseById, courses.length), draw) },
    { name: "courses/all", repeated: `${BASE}/courses/all`, noFloor: true },
    { name: "courses/all, gzip", repeated: `${BASE}/courses/all`, headers: GZIP, noFloor: true, noNaive: true },
    { name: "week", repeated: `${BASE}/week`, distinct: shuffled(weeks, draw) },
    {
      name: "enrollmentHistory, a course",
      repeated: query("/enrollmentHistory", { ...term, ...sectionCourses[0] }),
      distinct: shuffled(sectionCourses, draw).map((one) => query("/enrollmentHistory", { ...term, ...one })),
    },
    { name: "a 304", repeated: scheduleOf, knows: true, noFloor: true, noNaive: true },
    // Enough different ones to be asked again and again, as a day's clients do.
    { name: "mixed load", repeated: mix.slice(0, 500), distinct: mix.slice(500), noNaive: true },
  ];
}
