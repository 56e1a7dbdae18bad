/**
 * The courses of a department: the well-known ones, then invented ones with the numbers, titles and kinds that
 * departments of its style have.
 */
import { courseDigits, type GeCategory } from "../../contract/vocabulary.ts";
import type { CampusDepartment } from "./departments.ts";
import { DIVISION_SHARES, NUMBER_PREFIXES } from "../facts/courses.ts";
import { KNOWN_COURSES } from "../facts/known-courses.ts";
import { STYLE_MIXTURES, type CourseKind } from "../facts/sections.ts";
import { QUALITIES, SUBJECTS, TITLE_PATTERNS } from "../facts/topics.ts";
import { createStream, pick, weighted } from "../random.ts";
import { readGeText } from "../ge-text.ts";
import { toShortTitle } from "./short-titles.ts";

export interface NumberedCourse {
  readonly number: string;
  readonly title: string;
  readonly shortTitle: string;
  readonly kind: CourseKind;
  readonly known?: { readonly units: string; readonly ge: readonly [string, readonly GeCategory[]] | undefined };
}

/** Courses that are individual study in every department: number, title, kind. The first ones are the most frequent. */
const INDIVIDUAL_COURSES = [
  ["199", "Independent Study", "tutorial"],
  ["299", "Dissertation Research", "research"],
  ["297", "Directed Research", "research"],
  ["198", "Directed Group Study", "tutorial"],
  ["298", "Thesis Supervision", "research"],
  ["295", "Individual Research", "research"],
  ["296", "Master's Research", "research"],
  ["399", "University Teaching", "tutorial"],
] as const;

/** In catalogue order: by the number's digits, then by the number. */
export function numberCourses(department: CampusDepartment): NumberedCourse[] {
  const random = createStream(department.seed);
  const courses = new Map<string, NumberedCourse>();
  const titles = new Set<string>();
  const add = (course: NumberedCourse) => {
    if (courses.has(course.number)) return;
    courses.set(course.number, course);
    titles.add(course.title);
  };
  for (const [code, number, title, shortTitle, kind, units, ge] of KNOWN_COURSES) {
    if (code !== department.code) continue;
    add({ number, title, shortTitle, kind, known: { units, ge: ge === undefined ? undefined : [ge, readGeText(ge)] } });
  }
  const individuals = Math.min(INDIVIDUAL_COURSES.length, Math.max(2, Math.round(department.inventory / 9)));
  const individualShare = STYLE_MIXTURES[department.style].individual;
  for (const [number, title, kind] of INDIVIDUAL_COURSES.slice(0, individualShare < 0.1 ? 1 : individuals)) {
    add({ number: prefix(department) + number, title, shortTitle: toShortTitle(title), kind });
  }
  while (courses.size < department.inventory) add(inventCourse(department, random, titles));
  return [...courses.values()].sort(
    (a, b) => courseDigits(a.number) - courseDigits(b.number) || (a.number < b.number ? -1 : 1),
  );
}

const prefix = (department: CampusDepartment): string => NUMBER_PREFIXES[department.code] ?? "";

const kindSamplers = new Map(Object.entries(STYLE_MIXTURES).map(([style, { kinds }]) => [style, weighted(kinds)]));

function inventCourse(department: CampusDepartment, random: () => number, titles: ReadonlySet<string>): NumberedCourse {
  const [lower, upper] = DIVISION_SHARES[department.style];
  const x = random();
  const level = x < lower ? "lower" : x < lower + upper ? "upper" : "graduate";
  const base = {
    lower: 1 + Math.floor(random() * 98),
    upper: 100 + Math.floor(random() * 96),
    graduate: 200 + Math.floor(random() * 92),
  }[level];
  const kind = (kindSamplers.get(department.style) as (x: number) => CourseKind)(random());
  const patterns = TITLE_PATTERNS[level];
  let title = "";
  for (let tries = 0; title === "" || (titles.has(title) && tries < 6); tries++) {
    const topic = `${pick(QUALITIES[department.style], random())} ${pick(SUBJECTS[department.style], random())}`;
    title = pick(patterns, random()).replace("{}", topic);
  }
  if (kind === "laboratory") title += " Laboratory";
  const number = prefix(department) + letterNumber(base, level, kind, random);
  return { number, title, shortTitle: toShortTitle(title), kind };
}

/** `31`, `2A`, `H32`, `1LC`, `139W`, `M118L`, `200AP`: most numbers stand alone, series have letters. */
function letterNumber(
  base: number,
  level: "lower" | "upper" | "graduate",
  kind: CourseKind,
  random: () => number,
): string {
  const x = random();
  const series = x < 0.36 ? pick(["A", "A", "B", "B", "C", "D", "E"], random()) : "";
  if (kind === "laboratory") return `${base}L${series}`;
  if (level === "lower" && x > 0.97) return `H${base}${series}`;
  if (level === "upper" && x > 0.95) return `${base}W`;
  if (level === "upper" && x > 0.93) return `H${base}`;
  if (level === "upper" && x > 0.92) return `M${base}${series}`;
  if (level === "graduate" && x > 0.98) return `${base}AP`;
  return `${base}${series}`;
}
