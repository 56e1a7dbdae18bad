/** The records office's rows of a term: the sections that reported grades, and their counts. */
import { draw, createStream, hashText, mix, percentiles } from "./random.ts";
import {
  INSTRUCTOR_SPREAD,
  LEAST_STUDENTS,
  LOSS_BY_DOUBLING,
  NAIVE_MINUS_REPORTED,
  NOT_PASSED_SHARE,
  PASS_OPTION_SHARE,
  PNP_ONLY_SHARES,
  RISE_FROM,
  SECTION_SPREAD,
  STUDENT_SPREAD,
  USUAL_STUDENTS,
  WITHDRAWAL_SHARES,
  YEARLY_RISE,
} from "./facts/grades.ts";
import type { CampusSection } from "./sections/section.ts";
import { isGiant } from "./sections/sections.ts";
import { lastHour, stateOn } from "./sections/section-state.ts";
import type { CampusTerm } from "./sections/term-calendar.ts";
import type { GeneratedTerm } from "./sections/term.ts";

/** Numbers of grades, in the order A, B, C, D, F, P, NP, W. */
export type GradeCounts = readonly [number, number, number, number, number, number, number, number];

export interface CampusGrade {
  readonly term: CampusTerm;
  readonly sectionCode: string;
  readonly departmentCode: string;
  readonly departmentName: string;
  readonly courseNumber: string;
  readonly sectionNum: string;
  readonly courseTitle: string;
  readonly sectionType: string;
  /** As the schedule shows them after the term. */
  readonly instructors: readonly string[];
  readonly counts: GradeCounts;
  /** Two decimals; undefined when no letter grade was given. */
  readonly gpa: number | undefined;
  /** False for the few rows whose code is not in the schedule. */
  readonly matched: boolean;
}

/** Every third year a few rows have a code that no section has. */
const UNMATCHED_EVERY = 3;
const UNMATCHED_ROWS = 3;

const naiveMinusReported = percentiles(NAIVE_MINUS_REPORTED);

/** At most `most` rows, in the order of their codes. */
export function gradeRows({ term, sections, byCode }: GeneratedTerm, most: number): CampusGrade[] {
  const rows = sections
    .filter((section) => section.main && section.holdsClass && section.code < 98_000)
    .map((section) => ({ section, state: stateOn(section, term, lastHour(term)) }))
    .filter(({ state }) => !state.cancelled && state.enrolled >= LEAST_STUDENTS)
    .sort((a, b) => rank(a.section) - rank(b.section))
    .slice(0, most)
    .sort((a, b) => a.section.code - b.section.code)
    .map(({ section, state }) => toRow(section, term, state.ownEnrolled ?? state.enrolled, state.instructors));
  return Number(term.year) % UNMATCHED_EVERY === 0 && term.quarter === "Winter"
    ? [...rows, ...strayRows(rows, byCode)]
    : rows;
}

/** Large undergraduate lectures report before small graduate seminars. */
const rank = (section: CampusSection): number =>
  isGiant(section.offering.course) ? -1 : draw(section.seed, 81) + (section.offering.course.digits >= 200 ? 0.3 : 0);

function toRow(
  section: CampusSection,
  term: CampusTerm,
  students: number,
  instructors: readonly string[],
): CampusGrade {
  const { offering } = section;
  const { department, course } = offering;
  const named = instructors.filter((name) => name !== "STAFF");
  const counts = countGrades(section, Math.max(students, LEAST_STUDENTS), habit(named[0]) + trend(term, students));
  return {
    term,
    sectionCode: section.codeText,
    departmentCode: department.code,
    departmentName: department.name,
    courseNumber: course.number,
    sectionNum: section.num,
    courseTitle: offering.title,
    sectionType: section.type,
    instructors: named,
    counts,
    gpa: reportedGpa(counts, draw(section.seed, 82)),
    matched: true,
  };
}

/** Some instructors grade higher than others, in every course and term. */
const habit = (name = ""): number => (draw(hashText(name), 86) * 2 - 1) * INSTRUCTOR_SPREAD;

/** Averages rise over the years, and are lower in large classes. */
const trend = ({ year }: CampusTerm, students: number): number =>
  YEARLY_RISE * (Number(year) - RISE_FROM) - LOSS_BY_DOUBLING * Math.log2(students / USUAL_STUDENTS);

/**
 * Students are normally distributed around the section's mean, in intervals of letter grades; `shift` moves the mean.
 */
function countGrades(section: CampusSection, students: number, shift: number): GradeCounts {
  const { course, department } = section.offering;
  const group = course.digits >= 200 ? "graduate" : "undergraduate";
  const random = createStream(mix(section.seed, 83));
  const withdrawn = random() < WITHDRAWAL_SHARES[group] ? 1 + Math.floor(random() * 3) : 0;
  if (random() < PNP_ONLY_SHARES[group] && !isGiant(course)) {
    const failed = Math.round(students * random() * 0.12);
    return [0, 0, 0, 0, 0, students - failed, failed, withdrawn];
  }
  const optional = group === "undergraduate" ? Math.round(students * PASS_OPTION_SHARE * 2 * random()) : 0;
  const notPassed = Math.round(optional * NOT_PASSED_SHARE * 2 * random());
  const lettered = students - optional;
  const mean = isGiant(course)
    ? 3.9
    : department.gpa +
      0.28 +
      (draw(course.seed, 84) + random() - 1) * SECTION_SPREAD * 1.7 +
      (group === "graduate" ? 0.3 : 0) +
      shift;
  const above = (grade: number) => Math.round(lettered * normalShare((mean - grade) / STUDENT_SPREAD));
  const a = above(3.3);
  const b = above(2.3);
  const c = above(1.3);
  const d = above(0.8);
  return [a, b - a, c - b, d - c, lettered - d, optional - notPassed, notPassed, withdrawn];
}

/** The share of the normal distribution below `z`, by the logistic approximation. */
const normalShare = (z: number): number => 1 / (1 + Math.exp(-1.702 * z));

/** The office includes plus and minus grades, so its mean differs from the counts' by up to a fifth. */
function reportedGpa([a, b, c, d, f]: GradeCounts, x: number): number | undefined {
  const lettered = a + b + c + d + f;
  if (lettered === 0) return undefined;
  const naive = (4 * a + 3 * b + 2 * c + d) / lettered;
  const shifted = naive === 4 || naive === 0 ? naive : naive - naiveMinusReported(x);
  return Math.round(Math.min(4, Math.max(0, shifted)) * 100) / 100;
}

function strayRows(rows: readonly CampusGrade[], byCode: ReadonlyMap<number, CampusSection>): CampusGrade[] {
  const strays: CampusGrade[] = [];
  for (const row of rows) {
    if (strays.length === UNMATCHED_ROWS) break;
    const code = Number(row.sectionCode) + 1;
    if (!byCode.has(code)) strays.push({ ...row, sectionCode: String(code).padStart(5, "0"), matched: false });
  }
  return strays;
}
