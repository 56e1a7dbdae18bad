/** The courses that a department offers in a term, with how many sections of which types. */
import { type CampusCourse, SECTION_TYPE_OF } from "./courses.ts";
import { sectionTarget, type CampusDepartment } from "./departments.ts";
import { INDIVIDUAL_KINDS, STYLE_MIXTURES } from "../facts/sections.ts";
import { SPECIAL_TOPICS } from "../facts/topics.ts";
import { draw, hashText, mix } from "../random.ts";
import type { CampusTerm } from "../sections/term-calendar.ts";

/** A section before it has a code: its type, its number, and whether GE searches match it. */
export interface SectionSketch {
  readonly type: string;
  readonly num: string;
  readonly main: boolean;
}

export interface OfferingSketch {
  readonly course: CampusCourse;
  readonly title: string;
  readonly sections: readonly SectionSketch[];
  /** The offering in another department that this offering mirrors. */
  readonly holder?: OfferingSketch;
}

/** The most discussions or laboratories beside a lecture. */
const MOST_COMPANIONS = 6;
/** A term rarely has more sections of a course than this, unless it is individual study. */
const SECTIONS_PER_COURSE = 2.6;

/** The offerings of a department, without courses that another department holds. */
export function sketchOfferings(
  department: CampusDepartment,
  courses: readonly CampusCourse[],
  term: CampusTerm,
): OfferingSketch[] {
  const target = sectionTarget(department, term);
  const seed = mix(department.seed, hashText(term.code));
  const offered = courses.filter((course) => course.offered && !course.mirrorOf);
  const individual = offered.filter(({ kind }) => INDIVIDUAL_KINDS.has(kind));
  const share = individual.length > 0 ? STYLE_MIXTURES[department.style].individual : 0;
  const individualCount = Math.round(target * share);
  const structured = chooseStructured(offered, department, term, target - individualCount, seed);
  return [...structured, ...spreadIndividual(individual, individualCount, seed)];
}

function chooseStructured(
  offered: readonly CampusCourse[],
  department: CampusDepartment,
  term: CampusTerm,
  count: number,
  seed: number,
): OfferingSketch[] {
  if (count <= 0) return [];
  const wanted = Math.max(
    1,
    Math.min(
      Math.round(term.summer ? count / 1.6 : Math.max(department.mainCourses, count / 8)),
      Math.ceil(count / SECTIONS_PER_COURSE),
    ),
  );
  const ranked = offered
    .filter(({ kind }) => !INDIVIDUAL_KINDS.has(kind))
    .map((course) => ({ course, rank: draw(mix(course.seed, seed), 1) - size(course) / 12 - (course.known ? 0.5 : 0) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, wanted)
    .map(({ course }) => course);
  if (ranked.length === 0) return [];
  const weights = ranked.map((course) => size(course) * (0.6 + draw(mix(course.seed, seed), 2)));
  return shareOut(count, weights).flatMap((sections, i) => sketchCourse(ranked[i] as CampusCourse, sections, seed));
}

/** The size of a course: lower-division lectures are the large ones. */
function size(course: CampusCourse): number {
  if (course.kind === "lecture") return course.digits < 100 ? 6 : course.digits < 200 ? 2.5 : 1;
  if (course.kind === "laboratory") return course.digits < 200 ? 3 : 1;
  if (course.kind === "seminar") return course.digits < 100 ? 4 : 1;
  return 2;
}

/** Whole numbers in proportion to the weights, each at least 1 while they last, adding up to `total`. */
function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  const spare = Math.max(0, total - weights.length);
  const shares = weights.map((weight) => 1 + Math.floor((spare * weight) / sum));
  let rest = total - shares.reduce((a, b) => a + b, 0);
  for (let i = 0; rest > 0; i = (i + 1) % shares.length, rest--) shares[i] = (shares[i] as number) + 1;
  return shares;
}

function sketchCourse(course: CampusCourse, count: number, seed: number): OfferingSketch[] {
  const type = SECTION_TYPE_OF[course.kind];
  if (course.topics) {
    const first = mix(course.seed, seed);
    const titles = Math.min(count, 3);
    return Array.from({ length: titles }, (_, i) => ({
      course,
      title: SPECIAL_TOPICS[(first + i) % SPECIAL_TOPICS.length] as string,
      sections: mains(type, Math.floor(count / titles) + (i < count % titles ? 1 : 0), i),
    }));
  }
  const sections = course.kind === "lecture" ? lectures(course, count) : mains(type, count, 0);
  return [{ course, title: course.shortTitle, sections }];
}

/** `A`, `B`, … and numbers beyond the alphabet. */
const letter = (i: number): string => (i < 26 ? String.fromCharCode(65 + i) : String(i + 1));

function mains(type: string, count: number, from: number): SectionSketch[] {
  return Array.from({ length: count }, (_, i) => ({ type, num: letter(from + i), main: true }));
}

/** Lectures, each with its own discussions or laboratories: A, A1, A2, B, B1; or 1, 2 beside a single lecture. */
function lectures(course: CampusCourse, count: number): SectionSketch[] {
  const companion = draw(course.seed, 21) < 0.16 ? "Lab" : "Dis";
  const most = course.digits >= 200 ? 1 : 2 + Math.floor(draw(course.seed, 22) * (MOST_COMPANIONS - 1));
  const lectureCount = Math.max(1, Math.ceil(count / (most + 1)));
  const plain = lectureCount === 1 && draw(course.seed, 23) < 0.3;
  const sections: SectionSketch[] = [];
  shareOut(
    count,
    Array.from({ length: lectureCount }, () => 1),
  ).forEach((size, i) => {
    sections.push({ type: "Lec", num: letter(i), main: true });
    for (let k = 1; k < size; k++)
      sections.push({ type: companion, num: plain ? String(k) : `${letter(i)}${k}`, main: false });
  });
  return sections;
}

/** A section for each member who takes students; the first course of the list has the most. */
function spreadIndividual(courses: readonly CampusCourse[], count: number, seed: number): OfferingSketch[] {
  const used = courses.slice(0, Math.max(1, Math.min(courses.length, count)));
  if (count === 0 || used.length === 0) return [];
  const weights = used.map((course) => 0.35 + draw(course.seed, 24));
  return shareOut(count, weights).map((sections, i) => {
    const course = used[i] as CampusCourse;
    const numbered = sections > 26 || draw(mix(course.seed, seed), 3) < 0.3;
    const type = SECTION_TYPE_OF[course.kind];
    return {
      course,
      title: course.shortTitle,
      sections: Array.from({ length: sections }, (_, k) => ({
        type,
        num: numbered ? String(k + 1) : letter(k),
        main: true,
      })),
    };
  });
}
