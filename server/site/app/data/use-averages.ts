/** The averages of courses and of their teachers as state. */
import { useMemo } from "preact/hooks";
import { addressOf } from "./addresses.ts";
import type { ResponseBody } from "./fetch-json.ts";
import { courseQuery } from "./sections.ts";
import { averagesFrom, type Averages, NO_AVERAGES } from "./teacher-averages.ts";
import { useJson } from "./use-json.ts";

/** More numbers would make the address too long; then whole departments are asked for, or all of them. */
const MAX_VALUES = 150;

function listOf(values: readonly string[]): string | undefined {
  const unique = [...new Set(values)].sort();
  return unique.length > MAX_VALUES ? undefined : unique.join(",");
}

/** Loads the averages of courses, by name; requests nothing while they are unknown. */
export function useAverages(courses: readonly string[] | undefined): {
  averages: Averages;
  /** True once the first averages have come, or cannot come. */
  isSettled: boolean;
  problem: string | undefined;
  reload: () => void;
} {
  const queries = courses?.map(courseQuery) ?? [];
  const query = {
    department: listOf(queries.map(({ department }) => department)),
    courseNumber: listOf(queries.map(({ courseNumber }) => courseNumber)),
  };
  const { value, problem, reload } = useJson<[ResponseBody<"CourseGrades">, ResponseBody<"OfferingGrades">]>(
    queries.length === 0
      ? undefined
      : [addressOf("/grades/aggregateByCourse", query), addressOf("/grades/aggregateByOffering", query)],
  );
  const averages = useMemo(() => (value ? averagesFrom(...value) : NO_AVERAGES), [value]);
  return { averages, isSettled: value !== undefined || problem !== undefined, problem, reload };
}
