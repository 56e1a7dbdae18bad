/** Loads the sections behind a plan's codes and courses, with averages. */
import { useMemo } from "preact/hooks";
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
  const { averages } = useAverages(isKnown ? names : undefined);
  const value = useMemo(() => {
    if (!isKnown || (names.length > 0 && all.value === undefined)) return undefined;
    return { ...planData({ codes, courses: names }, lines, all.value ?? [], chosen.isLoading), averages };
  }, [lines, all.value, averages, names.join(), codes.join(), chosen.isLoading]);
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
