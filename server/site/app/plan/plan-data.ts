/** Loads the sections behind a plan's codes and courses, with averages and prerequisites. */
import { useMemo } from "preact/hooks";
import { addressOf, courseId } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { courseOf, courseQuery, scheduleAddresses, type SectionLine, toSectionLines } from "../data/sections.ts";
import type { Averages } from "../data/teacher-averages.ts";
import { termQuery } from "../data/term-names.ts";
import { useAverages } from "../data/use-averages.ts";
import { type Loading, useJson } from "../data/use-json.ts";
import { type Beside, type Incomplete, incompleteOf } from "./course-choice.ts";

type Schedule = ResponseBody<"Schedule">;
const NOTHING: Schedule = { schools: [] };

export interface PlannedCourse {
  /** `COMPSCI 161`. */
  readonly name: string;
  /** On the plan; those that are cancelled too. */
  readonly chosen: readonly SectionLine[];
  /** All of the term that take place. */
  readonly lines: readonly SectionLine[];
  readonly incomplete: Incomplete;
}

export interface PlanData {
  readonly courses: readonly PlannedCourse[];
  /** On the plan, by course and code. */
  readonly sections: readonly SectionLine[];
  /** Codes that the schedule does not have. */
  readonly vanished: readonly string[];
  readonly averages: Averages;
  /** The catalogue's text by course; empty for courses that it does not have. */
  readonly prerequisites: ReadonlyMap<string, string>;
}

interface Wanted {
  readonly codes: readonly string[];
  readonly courses: readonly string[];
}

export function usePlanData(term: string, { codes, courses }: Wanted): Loading<PlanData> {
  const chosen = useJson<[Schedule, Schedule]>(
    codes.length === 0 ? undefined : scheduleAddresses(term, { sectionCodes: codes.join(",") }),
  );
  const lines = useMemo(() => toSectionLines(...(chosen.value ?? [NOTHING, NOTHING])), [chosen.value]);
  const names = [
    ...new Set([...courses, ...lines.filter(({ sectionCode }) => codes.includes(sectionCode)).map(courseOf)]),
  ];
  const isKnown = codes.length === 0 || chosen.value !== undefined;
  const all = useJson<readonly Schedule[]>(
    isKnown && names.length > 0 ? names.map((name) => scheduleAddresses(term, courseQuery(name))[0] ?? "") : undefined,
  );
  const { averages, isSettled } = useAverages(isKnown ? names : undefined);
  const ids = names.map((name) => courseId(name, "")).toSorted();
  const catalogue = useJson<[ResponseBody<"Courses">]>(
    isKnown && ids.length > 0 ? [addressOf("/courses", { ids: ids.join(",") })] : undefined,
  );
  // Parts that come later would move those that are being read. A plan without a catalogue is a plan all the same.
  const isWhole =
    names.length === 0 ||
    (all.value !== undefined && isSettled && (catalogue.value ?? catalogue.problem) !== undefined);
  const value = useMemo(() => {
    if (!isKnown || !isWhole) return undefined;
    const texts = new Map(catalogue.value?.[0].map(({ id, prerequisiteText }) => [id, prerequisiteText]));
    const prerequisites = new Map(names.map((name) => [name, texts.get(courseId(name, "")) ?? ""]));
    const data = planData({ codes, courses: names }, lines, all.value ?? [], chosen.isLoading);
    return { ...data, averages, prerequisites };
  }, [lines, all.value, averages, catalogue.value, isWhole, names.join(), codes.join(), chosen.isLoading]);
  return {
    value,
    problem: chosen.problem ?? all.problem,
    isLoading: chosen.isLoading || all.isLoading,
    reload: () => {
      chosen.reload();
      all.reload();
    },
  };
}

/** `lines`: what the codes stand for; a section that was just chosen is known from its course. */
function planData(
  { codes, courses }: Wanted,
  lines: readonly SectionLine[],
  all: readonly Schedule[],
  isLoading: boolean,
) {
  const live = toSectionLines({ schools: all.flatMap(({ schools }) => schools) }, NOTHING);
  const byCode = new Map([...lines, ...live].map((line) => [line.sectionCode, line]));
  const sections = [...byCode.values()].filter(({ sectionCode }) => codes.includes(sectionCode));
  const held = (section: SectionLine) => codes.includes(section.sectionCode);
  return {
    courses: courses.map((name): PlannedCourse => {
      const ofCourse = live.filter((line) => courseOf(line) === name);
      return {
        name,
        chosen: sections.filter((line) => courseOf(line) === name),
        lines: ofCourse,
        incomplete: incompleteOf(ofCourse, ofCourse.filter(held)),
      };
    }),
    sections,
    vanished: isLoading ? [] : codes.filter((code) => !byCode.has(code)),
  };
}

/** Returns the planned sections of other courses. */
export const besideOf = ({ sections }: PlanData, course: string, term: string): Beside<SectionLine> => ({
  others: sections.filter((section) => !section.isCancelled && courseOf(section) !== course),
  year: termQuery(term).year,
});
