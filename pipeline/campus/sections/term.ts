/** Generates the sections of a term. */
import { courseName, type CampusCourse } from "../courses/courses.ts";
import { type CampusDepartment, isThere } from "../courses/departments.ts";
import { sketchOfferings, type OfferingSketch } from "../courses/offerings.ts";
import type { Person } from "../people.ts";
import { draw, hashText, mix } from "../random.ts";
import { drawnStates, type SectionStates } from "./section-state.ts";
import type { CampusSection, Offering } from "./section.ts";
import { makeSection, mirrorSection } from "./sections.ts";
import type { CampusTerm } from "./term-calendar.ts";

export interface TermSections {
  readonly term: CampusTerm;
  /**
   * In the schedule's order: school, department, course number, title, code. Includes sections that are not listed yet
   * on a day.
   */
  readonly sections: readonly CampusSection[];
  readonly byDepartment: ReadonlyMap<string, readonly CampusSection[]>;
  readonly byGe: ReadonlyMap<string, readonly CampusSection[]>;
  readonly states: SectionStates;
}

export interface GeneratedTerm extends TermSections {
  readonly byCode: ReadonlyMap<number, CampusSection>;
}

export interface TermSources {
  readonly seed: number;
  readonly departments: readonly CampusDepartment[];
  /** By the department's index. */
  readonly courses: readonly (readonly CampusCourse[])[];
  readonly people: readonly (readonly Person[])[];
}

/** Codes of study abroad and tests: only a search by code finds them. */
const HIDDEN_CODES = [98_010, 98_020, 99_100] as const;
/**
 * The three summer sessions share a department's codes: each has every third, so that a code identifies its session.
 */
const SUMMER_STEP = 3;
const SUMMER_OFFSETS: Readonly<Record<string, number>> = { Summer1: 0, Summer10wk: 1, Summer2: 2 };
/** The largest distance between a quarter's codes. */
const MOST_STRIDE = 10;

/** `firstSession`: the sections of Summer1, when the term is Summer2 of the same year. */
export function generateTerm(sources: TermSources, term: CampusTerm, firstSession?: GeneratedTerm): GeneratedTerm {
  const termSeed = mix(sources.seed, hashText(term.code));
  const sketches = sketchTerm(sources, term);
  const offeringOf = new Map<OfferingSketch, Offering>();
  const mirrors: [sketch: OfferingSketch, offering: Offering, codes: readonly number[]][] = [];
  const offerings = sources.departments.map((department, index) => {
    const ordered = (sketches[index] as OfferingSketch[]).sort(inCatalogueOrder);
    const deal = dealCodes(department, term, firstSession);
    return ordered.map((sketch) => {
      const offering = {
        department,
        course: sketch.course,
        title: sketch.title,
        comment: courseComment(sketch.course),
        prerequisiteLink: prerequisiteLink(sketch.course, term),
        sections: [],
      };
      offeringOf.set(sketch, offering);
      const codes = sketch.sections.map(() => deal(sketch.course));
      if (sketch.holder) mirrors.push([sketch, offering, codes]);
      else fill(offering, sketch, codes, sources.people[index] as readonly Person[], term, termSeed);
      return offering;
    });
  });
  for (const [sketch, offering, codes] of mirrors) {
    const held = offeringOf.get(sketch.holder as OfferingSketch) as Offering;
    held.sections.forEach((section, i) =>
      offering.sections.push(mirrorSection(offering, section, codes[i] as number, termSeed)),
    );
  }
  hide(offerings, sources, term, termSeed);
  return indexTerm(term, offerings);
}

/** Every department's offerings; an offering that two departments share has a mirror in the other department. */
function sketchTerm({ departments, courses }: TermSources, term: CampusTerm): OfferingSketch[][] {
  const sketches = departments.map((department, i) =>
    sketchOfferings(department, courses[i] as readonly CampusCourse[], term),
  );
  for (const sketch of sketches.flat()) {
    const mirror = sketch.course.mirroredBy;
    if (!mirror || term.summer) continue;
    const { started, index } = mirror.department;
    if ((started && term.year <= started.year) || !isThere(mirror.department, term)) continue;
    const there = sketches[index] as OfferingSketch[];
    const count = there.reduce((sum, other) => sum + other.sections.length, sketch.sections.length);
    if (count * codeStride(mirror.department, term) > mirror.department.endCode - mirror.department.firstCode) continue;
    there.push({
      course: mirror,
      title: mirror.shortTitle,
      sections: sketch.sections,
      holder: sketch,
    });
  }
  return sketches;
}

function inCatalogueOrder(a: OfferingSketch, b: OfferingSketch): number {
  if (a.course !== b.course) return a.course.digits - b.course.digits || (a.course.number < b.course.number ? -1 : 1);
  return a.title < b.title ? -1 : 1;
}

/** The distance between a department's codes. */
function codeStride({ firstCode, endCode, mainSections }: CampusDepartment, term: CampusTerm): number {
  if (term.summer) return SUMMER_STEP;
  return Math.max(1, Math.min(MOST_STRIDE, (endCode - firstCode) / (mainSections * 1.2 + 6)));
}

/**
 * Assigns a department's codes in ascending order. As in reality, a few sections of Summer2 reuse a code of another
 * course in Summer1, so that a code alone does not identify the session of a grade row.
 */
function dealCodes(
  department: CampusDepartment,
  term: CampusTerm,
  firstSession?: GeneratedTerm,
): (course: CampusCourse) => number {
  const stride = codeStride(department, term);
  let i = 0;
  return (course) => {
    const code = department.firstCode + Math.floor(i++ * stride) + (SUMMER_OFFSETS[term.quarter] ?? 0);
    const earlier = firstSession?.byCode.get(code - 2);
    const shared =
      earlier !== undefined && earlier.offering.course.number !== course.number && draw(department.seed, code) < 0.08;
    return shared ? code - 2 : code;
  };
}

function fill(
  offering: Offering,
  sketch: OfferingSketch,
  codes: readonly number[],
  staff: readonly Person[],
  term: CampusTerm,
  termSeed: number,
): void {
  sketch.sections.forEach((section, i) =>
    offering.sections.push(makeSection(offering, section, codes[i] as number, i, staff, term, termSeed)),
  );
}

function hide(
  offerings: readonly Offering[][],
  { departments, people }: TermSources,
  term: CampusTerm,
  termSeed: number,
): void {
  const index = Math.max(
    0,
    departments.findIndex(({ code }) => code === "HISTORY"),
  );
  const host = offerings[index]?.at(-1);
  if (!host || term.summer) return;
  const abroad: Offering = { ...host, title: "STUDY ABROAD", comment: "", sections: [] };
  HIDDEN_CODES.forEach((code, i) => {
    const sketch = { type: "Tut", num: String(i + 1), main: true };
    abroad.sections.push(makeSection(abroad, sketch, code, i, people[index] as readonly Person[], term, termSeed));
  });
  offerings[index]?.push(abroad);
}

function indexTerm(term: CampusTerm, offerings: readonly Offering[][]): GeneratedTerm {
  const ordered = offerings
    .filter(({ length }) => length > 0)
    .sort((a, b) => {
      const [first, second] = [(a[0] as Offering).department, (b[0] as Offering).department];
      return Number(first.schoolCode) - Number(second.schoolCode) || first.index - second.index;
    });
  const sections = ordered.flatMap((department) => department.flatMap((offering) => offering.sections));
  const byDepartment = new Map<string, CampusSection[]>();
  const byGe = new Map<string, CampusSection[]>();
  for (const section of sections) {
    addTo(byDepartment, section.offering.department.code, section);
    for (const category of section.geCategories) addTo(byGe, category, section);
  }
  const byCode = new Map(sections.map((section) => [section.code, section]));
  return { term, sections, byDepartment, byGe, byCode, states: drawnStates(term) };
}

function addTo(lists: Map<string, CampusSection[]>, key: string, section: CampusSection): void {
  const list = lists.get(key);
  if (list) list.push(section);
  else lists.set(key, [section]);
}

function prerequisiteLink({ prerequisite, department, number }: CampusCourse, term: CampusTerm): string {
  if (prerequisite === undefined) return "";
  const query = `term=${term.code.replace("-", "")}&dept=${encodeURIComponent(department.code)}&action=view_by_term`;
  return `https://registrar.example.edu/cob/prrqcgi?${query}#${encodeURIComponent(number)}`;
}

/** Few courses have a comment; it is HTML. */
function courseComment(course: CampusCourse): string {
  const x = draw(course.seed, 71);
  if (x < 0.02)
    return `<p>Students who have completed <b>${courseName(course).replaceAll("&", "&amp;")}</b> elsewhere may not enroll.</p>`;
  return x < 0.04 ? "<p>First class meeting is mandatory. Attend or be dropped.</p>" : "";
}
