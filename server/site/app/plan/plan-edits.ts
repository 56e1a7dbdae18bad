/** How sections of the reader's plan are chosen, removed and locked. */
import type { SectionLine } from "../data/sections.ts";
import { swapped } from "./course-choice.ts";
import { besideOf, type PlanData, type PlannedCourse } from "./plan-data.ts";
import { storePlan } from "./stored-plan.ts";
import type { StoredPlan } from "./term-plans.ts";

export interface PlanEdits {
  /** Puts a section in the place of another one of its course and kind. */
  readonly choose: (course: PlannedCourse, section: SectionLine) => void;
  /** Removes sections, or a course with its sections. */
  readonly remove: (what: string, change: { readonly codes?: readonly string[]; readonly course?: string }) => void;
  /** Locks a section, or unlocks it. */
  readonly lock: (section: SectionLine) => void;
}

/** Returns the chosen sections that are not cancelled, as objects of the course's lines. */
export const linesChosen = ({ lines, chosen }: PlannedCourse): SectionLine[] =>
  lines.filter((line) => chosen.some(({ sectionCode }) => sectionCode === line.sectionCode));

export function editsOf(term: string, plan: StoredPlan, data: PlanData): PlanEdits {
  const { courses } = data;
  const choose: PlanEdits["choose"] = (of, section) => {
    const planned = swapped(section, of.lines, linesChosen(of), besideOf(data, of.name, term));
    const others = plan.codes.filter((code) => !of.chosen.some(({ sectionCode }) => sectionCode === code));
    storePlan(term, {
      codes: [...others, ...planned.map(({ sectionCode }) => sectionCode)],
      courses: [...plan.courses, of.name],
    });
  };
  const remove: PlanEdits["remove"] = (what, { codes, course: name }) => {
    const gone =
      codes ?? courses.find((course) => course.name === name)?.chosen.map(({ sectionCode }) => sectionCode) ?? [];
    // A course stays without its sections until it is removed itself.
    const owner = courses.find(({ chosen }) => chosen.some(({ sectionCode }) => codes?.includes(sectionCode)))?.name;
    storePlan(
      term,
      {
        codes: plan.codes.filter((code) => !gone.includes(code)),
        courses: [...plan.courses.filter((course) => course !== name), ...(owner === undefined ? [] : [owner])],
      },
      what,
    );
  };
  const lock: PlanEdits["lock"] = ({ sectionCode }) =>
    storePlan(term, {
      locked: plan.locked.includes(sectionCode)
        ? plan.locked.filter((code) => code !== sectionCode)
        : [...plan.locked, sectionCode],
    });
  return { choose, remove, lock };
}
