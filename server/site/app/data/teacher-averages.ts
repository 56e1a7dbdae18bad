/** The averages of a course and of each of its instructors in it. */
import { LETTERS } from "../charts/grade-sums.ts";
import type { ResponseBody } from "./response-body.ts";

export interface Average {
  readonly mean: number;
  /** With a letter grade. */
  readonly students: number;
}

export interface Averages {
  /** By name, such as `COMPSCI 161`. */
  readonly courses: ReadonlyMap<string, Average>;
  /** By course and name as in the schedule. */
  readonly teachers: ReadonlyMap<string, ReadonlyMap<string, Average>>;
}

export const NO_AVERAGES: Averages = { courses: new Map(), teachers: new Map() };

type Sums = Omit<ResponseBody<"CourseGrades">[number], "department" | "courseNumber">;

/** None where no letters were given. */
function averageOf(row: Sums): Average | undefined {
  const students = LETTERS.reduce((sum, letter) => sum + row[`grade${letter}Count`], 0);
  return students === 0 ? undefined : { mean: row.averageGPA, students };
}

/** From the responses of `/grades/aggregateByCourse` and `/grades/aggregateByOffering`. */
export function averagesFrom(
  courses: ResponseBody<"CourseGrades">,
  offerings: ResponseBody<"OfferingGrades">,
): Averages {
  const teachers = new Map<string, Map<string, Average>>();
  for (const row of offerings) {
    const average = averageOf(row);
    if (!average) continue;
    const name = `${row.department} ${row.courseNumber}`;
    teachers.set(name, (teachers.get(name) ?? new Map<string, Average>()).set(row.instructor, average));
  }
  const ofCourses = courses.flatMap((row) => {
    const average = averageOf(row);
    return average ? [[`${row.department} ${row.courseNumber}`, average] as const] : [];
  });
  return { courses: new Map(ofCourses), teachers };
}

export interface TeachersAverage extends Average {
  /** Those who graded the course, as in the schedule. */
  readonly names: readonly string[];
}

/**
 * Returns the average of a section's instructors, weighted by students. Undefined if none of them has graded the
 * course.
 */
export function teachersAverage(
  { teachers }: Averages,
  course: string,
  names: readonly string[],
): TeachersAverage | undefined {
  const graded = [...new Set(names)].flatMap((name) => {
    const average = teachers.get(course)?.get(name);
    return average ? [{ name, ...average }] : [];
  });
  const students = graded.reduce((sum, average) => sum + average.students, 0);
  if (students === 0) return undefined;
  return {
    mean: graded.reduce((sum, average) => sum + average.mean * average.students, 0) / students,
    students,
    names: graded.map(({ name }) => name),
  };
}
