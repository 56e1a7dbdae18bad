/** Looks courses up by the names that they had, and by names that the catalogue does not have yet. */
import { courseIdKey } from "./course-name.ts";
import type { FormerName } from "./rows/former-name.ts";

/** The keys (`courseIdKey`) of the catalogue's courses. */
interface Catalogued {
  has(key: string): boolean;
}

export interface FormerNames {
  /**
   * The keys of the courses that an id or a name stands for, in the catalogue: its own, else its name of today, else a name that it had. Several where the
   * registrar contradicts itself; empty where the catalogue has none of them. The view `prerequisites` joins by the same rule.
   */
  courseKeysOf(id: string): string[];
  /** The rows in which an id or a name is that of today. */
  formerOf(id: string): readonly FormerName[];
  /** The rows in which an id or a name is a former one. */
  renamedTo(id: string): readonly FormerName[];
}

export function createFormerNames(rows: Iterable<FormerName>, catalogued: Catalogued): FormerNames {
  const byCourse = new Map<string, FormerName[]>();
  const byFormer = new Map<string, FormerName[]>();
  for (const row of rows) {
    push(byCourse, courseIdKey(row.courseId), row);
    push(byFormer, courseIdKey(row.formerId), row);
  }
  const formerOf = (id: string): readonly FormerName[] => byCourse.get(courseIdKey(id)) ?? [];
  const renamedTo = (id: string): readonly FormerName[] => byFormer.get(courseIdKey(id)) ?? [];
  const listed = (ids: readonly string[]) => [...new Set(ids.map(courseIdKey))].filter((key) => catalogued.has(key));
  return {
    formerOf,
    renamedTo,
    courseKeysOf(id) {
      const key = courseIdKey(id);
      if (catalogued.has(key)) return [key];
      const today = renamedTo(id).map(({ courseId }) => courseId);
      const newer = listed(today);
      if (newer.length > 0) return newer;
      return listed([id, ...today].flatMap((name) => formerOf(name).map(({ formerId }) => formerId)));
    },
  };
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
