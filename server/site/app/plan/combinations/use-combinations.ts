/** The combinations of the courses of a plan as state, computed by a worker. */
import { useEffect, useRef, useState } from "preact/hooks";
import { BASE } from "../../data/addresses.ts";
import { LEAST_STUDENTS } from "../../charts/grade-sums.ts";
import { seatsLeft } from "../../data/seats.ts";
import { type Averages, teachersAverage } from "../../data/teacher-averages.ts";
import type { PlannedCourse } from "../plan-data.ts";
import type { Allowed, Done, OfferedSection, Task } from "./worker.ts";
import type { Wishes } from "./wishes.ts";

/** Copies only the fields that the worker needs, because copying takes time. */
const offered = ({ lines, name }: PlannedCourse, averages: Averages, isNew: boolean): OfferedSection[] =>
  lines.map((line) => {
    const { sectionCode, deptCode, courseNumber, sectionType, sectionNum, units, meetings, finalExam } = line;
    const facts = { sectionCode, deptCode, courseNumber, sectionType, sectionNum, units, meetings, finalExam };
    const { status, restrictions, instructors } = line;
    const graded = teachersAverage(averages, name, instructors);
    const average = graded && graded.students >= LEAST_STUDENTS ? graded.mean : undefined;
    return { ...facts, status, restrictions, seats: seatsLeft(line, isNew), average };
  });

interface Asked {
  readonly courses: readonly PlannedCourse[];
  readonly averages: Averages;
  readonly allowed: Allowed;
  /** Codes of sections that every schedule has. */
  readonly locked: ReadonlySet<string>;
  readonly wishes: Wishes;
  readonly year: string;
}

/** The result of the last finished search; undefined before the first. */
export function useCombinations({ courses, averages, allowed, locked, wishes, year }: Asked): Done | undefined {
  const [done, setDone] = useState<Done>();
  const worker = useRef<Worker>(undefined);
  const last = useRef(0);
  useEffect(() => {
    worker.current = new Worker(`${BASE}assets/${COMBINATIONS_WORKER}`, { type: "module" });
    worker.current.addEventListener("message", ({ data }: MessageEvent<Done>) => {
      if (data.id === last.current) setDone(data);
    });
    return () => worker.current?.terminate();
  }, []);
  useEffect(() => {
    last.current += 1;
    const sections = courses.map((course) => offered(course, averages, allowed.newOnly));
    worker.current?.postMessage({ id: last.current, courses: sections, allowed, locked, wishes, year } satisfies Task);
  }, [courses, averages, allowed, locked, wishes, year]);
  return done;
}
