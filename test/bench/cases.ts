/**
 * The measured requests. `repeated` is sent over and over; each of `distinct` once, so that no cached response to it
 * exists.
 */
import { GE_CATEGORIES } from "../../pipeline/contract/vocabulary.ts";
import type { Words } from "./words.ts";

export interface Case {
  readonly name: string;
  readonly repeated?: string | readonly string[];
  readonly distinct?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the ETag of the response: what comes is a 304. */
  readonly isConditional?: boolean;
}

const BASE = "/v1/rest";
const GZIP = { "Accept-Encoding": "gzip" };
/** More requests than any measurement sends. */
const MANY = 24_000;
/** Requests of a day's clients: enough different ones to come again and again. */
const MIXED_REPEATED = 500;

/** Draws the same numbers in every run. */
function createDraw(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffle<T>(items: readonly T[], draw: () => number): T[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [all[i], all[j]] = [all[j] as T, all[i] as T];
  }
  return all;
}

const list = (make: (i: number) => string, count = MANY) => Array.from({ length: count }, (_, i) => make(i));

function toPath(path: string, params: object = {}): string {
  const given = Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `${BASE}${path}${query === "" ? "" : `?${query}`}`;
}

/** A department's rows under filters that leave most of them, so that there are more requests than departments. */
const gradesOfDepartments = (path: string, departments: readonly string[]): string[] =>
  departments.flatMap((department) =>
    [undefined, "LowerDiv", "UpperDiv", "Graduate"].flatMap((division) =>
      [undefined, "true", "false"].flatMap((excludePNP) =>
        [undefined, "Fall", "Winter", "Spring", "Summer1", "Summer2"].map((quarter) =>
          toPath(path, { department, division, excludePNP, quarter }),
        ),
      ),
    ),
  );

/** Distinct requests for the latest main term's schedule. */
function scheduleRequests({ main, departments, courses, sectionCodes, instructors }: Words, draw: () => number) {
  const { year, quarter } = main[0] ?? {};
  const schedule = (params: object) => toPath("/schedule", { year, quarter, ...params });
  // A range that every course number is in: another request with the same result.
  const anyNumber = (i: number) => `0-${1000 + i}`;
  const codes = () => list(() => sectionCodes[Math.floor(draw() * sectionCodes.length)] as string, 40).join(",");
  return {
    department: (i: number) =>
      schedule({ department: departments[i % departments.length], courseNumber: anyNumber(i) }),
    course(i: number) {
      const { department, courseNumber } = courses[i % courses.length] ?? {};
      return schedule({ department, courseNumber, cancelledCourses: i % 2 === 0 ? undefined : "Exclude" });
    },
    codes: () => schedule({ sectionCodes: codes() }),
    ge: (i: number) =>
      schedule({ department: "ALL", ge: GE_CATEGORIES[i % GE_CATEGORIES.length], courseNumber: anyNumber(i) }),
    instructor: (i: number) =>
      schedule({ instructorName: instructors[i % instructors.length], courseNumber: anyNumber(i) }),
    wholeTerm: schedule({ cacheOnly: "true" }),
    oneDepartment: schedule({ department: departments.includes("COMPSCI") ? "COMPSCI" : departments[0] }),
  };
}

export function toCases(words: Words): readonly Case[] {
  const draw = createDraw();
  const { departments, courses, gradedCourses, recordedCourses, years, main } = words;
  const schedule = scheduleRequests(words, draw);
  const { year, quarter } = main[0] ?? {};
  const ofDepartments = (path: string): Pick<Case, "repeated" | "distinct"> => {
    const repeated = toPath(path, { department: departments[0] });
    const others = gradesOfDepartments(path, departments).filter((one) => one !== repeated);
    return { repeated, distinct: shuffle(others, draw) };
  };
  const offerings = ofDepartments("/grades/aggregateByOffering");
  const course = (i: number) => `${BASE}/courses/${encodeURIComponent(courses[i % courses.length]?.id ?? "")}`;
  const week = (i: number) =>
    toPath("/week", {
      year: 2015 + (i % 11),
      month: 1 + (Math.floor(i / 11) % 12),
      day: 1 + (Math.floor(i / 132) % 28),
    });
  const weeks = shuffle(list(week, 11 * 12 * 28), draw);
  /** The shares of what clients request in a day. */
  const mixed = (i: number): string => {
    const percent = i % 100;
    if (percent < 40) return schedule.department(i);
    if (percent < 60) return schedule.course(i);
    if (percent < 75) return schedule.codes();
    if (percent < 83) return schedule.ge(i);
    if (percent < 88) return schedule.instructor(i);
    if (percent < 92) return toPath("/grades/raw", gradedCourses[i % gradedCourses.length]);
    if (percent < 95) return offerings.distinct?.[i % offerings.distinct.length] as string;
    if (percent < 98) return course(i);
    return percent === 98 ? (weeks[i % weeks.length] as string) : toPath("/schedule/terms");
  };
  const mix = shuffle(list(mixed, 20_000), draw);
  const history = (params: object) =>
    shuffle(recordedCourses, draw).map((name) => toPath("/enrollmentHistory", { ...name, ...params }));

  return [
    {
      name: "grades/aggregate, a course",
      repeated: toPath("/grades/aggregate", gradedCourses[0]),
      distinct: shuffle(gradedCourses.slice(1), draw).map((name) => toPath("/grades/aggregate", name)),
    },
    { name: "grades/aggregateByCourse, a department", ...ofDepartments("/grades/aggregateByCourse") },
    { name: "grades/aggregateByOffering, a department", ...offerings },
    { name: "grades/options, a department", ...ofDepartments("/grades/options") },
    { name: "grades/raw, a year", repeated: toPath("/grades/raw", { year: years.at(-2) }) },
    { name: "grades/raw, everything", repeated: toPath("/grades/raw") },
    { name: "grades/raw, everything, gzip", repeated: toPath("/grades/raw"), headers: GZIP },
    { name: "schedule, a department", repeated: schedule.oneDepartment, distinct: list(schedule.department) },
    {
      name: "schedule, a department, gzip",
      repeated: schedule.oneDepartment,
      distinct: list((i) => schedule.department(i + MANY)),
      headers: GZIP,
    },
    { name: "schedule, 40 section codes", repeated: schedule.codes(), distinct: list(schedule.codes, 8000) },
    { name: "schedule, GE", repeated: schedule.ge(MANY), distinct: list(schedule.ge) },
    { name: "schedule, an instructor", repeated: schedule.instructor(MANY), distinct: list(schedule.instructor) },
    { name: "schedule, a whole term", repeated: schedule.wholeTerm },
    { name: "schedule, a whole term, gzip", repeated: schedule.wholeTerm, headers: GZIP },
    { name: "courses/{id}", repeated: course(0), distinct: shuffle(list(course, courses.length).slice(1), draw) },
    { name: "courses/all", repeated: toPath("/courses/all") },
    { name: "week", repeated: toPath("/week"), distinct: weeks },
    { name: "enrollmentHistory, a course of a term", distinct: history({ year, quarter }) },
    { name: "enrollmentHistory, a course over all terms", distinct: history({}) },
    { name: "a 304", repeated: schedule.oneDepartment, isConditional: true },
    { name: "mixed load", repeated: mix.slice(0, MIXED_REPEATED), distinct: mix.slice(MIXED_REPEATED) },
  ];
}
