/** Which courses a student can take, by the prerequisites in the catalogue. */
import { useMemo } from "preact/hooks";
import { addressOf } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { courseQuery } from "../data/sections.ts";
import { useJson } from "../data/use-json.ts";
import { missingPrerequisites } from "../plan/prerequisites.ts";
import { useTaken } from "../plan/taken.ts";

type Courses = ResponseBody<"Courses">;

/** More departments would make the address too long; then all courses are requested. */
const MAX_DEPARTMENTS = 60;
const NONE: ReadonlySet<string> = new Set();

interface Met {
  /** Names of courses with missing prerequisites; undefined while they load. */
  readonly lacking: ReadonlySet<string> | undefined;
  readonly problem: string | undefined;
  readonly reload: () => void;
}

/** @param names of courses; undefined if prerequisites do not matter */
export function useLackingCourses(names: readonly string[] | undefined, term: string): Met {
  const taken = useTaken(term);
  const departments = [...new Set(names?.map((name) => courseQuery(name).department))].toSorted();
  const department = departments.length > MAX_DEPARTMENTS ? undefined : departments.join(",");
  const isEmpty = departments.length === 0;
  const { value, problem, reload } = useJson<[Courses]>(isEmpty ? undefined : [addressOf("/courses", { department })]);
  const lacking = useMemo(() => {
    if (isEmpty) return NONE;
    if (!value) return undefined;
    const courses = value[0].filter(
      ({ prerequisiteText }) => missingPrerequisites(prerequisiteText, { taken, planned: NONE }) !== undefined,
    );
    return new Set(courses.map((course) => `${course.department} ${course.courseNumber}`));
  }, [value, taken, isEmpty]);
  return { lacking, problem, reload };
}
