/** The courses that the reader has taken: a pasted list, and the plans of earlier terms. The browser keeps both. */
import { useEffect, useState } from "preact/hooks";
import { readStored, store } from "../data/storage.ts";
import { termOrder } from "../data/term-order.ts";
import { plannedCourses } from "./stored-plan.ts";

const KEY = "courses-taken";
const CHANGED = "courses-taken-changed";

/** `I&C SCI 46`, `math2b`, `MATH H3D`: a department, and a number with letters around it. */
const COURSE = /([A-Za-z&][A-Za-z0-9&/ ]*?)\s*([A-Za-z]?\d{1,3}[A-Za-z]{0,3})\b/;

/** A course without blanks and in upper case, so that `i&c sci 46` is `I&C SCI 46`. */
export const courseKey = (name: string): string => name.replaceAll(/\s/g, "").toUpperCase();

/** Reads one course from each line, or from each part between commas and semicolons. */
export const readTaken = (text: string): string[] =>
  text.split(/[\n,;]+/).flatMap((line) => {
    const [, department, number] = COURSE.exec(line) ?? [];
    return department === undefined || number === undefined ? [] : [courseKey(department + number)];
  });

export const storedTaken = (): string => readStored(KEY) ?? "";

export function storeTaken(text: string): void {
  store(KEY, text);
  dispatchEvent(new Event(CHANGED));
}

/** Returns the keys of courses taken before a term. */
function takenBefore(term: string): ReadonlySet<string> {
  const earlier = Object.entries(plannedCourses()).filter(([other]) => termOrder(other) < termOrder(term));
  return new Set([...readTaken(storedTaken()), ...earlier.flatMap(([, courses]) => courses.map(courseKey))]);
}

export function useTaken(term: string): ReadonlySet<string> {
  const [taken, setTaken] = useState(() => takenBefore(term));
  useEffect(() => {
    const update = () => setTaken(takenBefore(term));
    update();
    for (const name of [CHANGED, "storage"]) addEventListener(name, update);
    return () => {
      for (const name of [CHANGED, "storage"]) removeEventListener(name, update);
    };
  }, [term]);
  return taken;
}
