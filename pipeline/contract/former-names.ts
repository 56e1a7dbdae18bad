/** Finds courses by their former names, and by names that the catalogue does not have yet. */
import { courseIdKey } from "./course-name.ts";
import type { FormerName } from "./rows/former-name.ts";

/** The keys (`courseIdKey`) of the catalogue's courses. */
interface Catalogued {
  has(key: string): boolean;
}

export interface FormerNames {
  /**
   * The courses of the catalogue that an id or a name stands for: the course of that name, else the course that had
   * that name, else a course that still has a former name of the same course. There are several where the registrar
   * contradicts itself, and none where the catalogue has none. The view `prerequisites` joins by the same rule.
   */
  courseIdsOf(id: string, catalogued: Catalogued): string[];
  /** The rows in which an id or a name is the current name. */
  formerOf(id: string): readonly FormerName[];
  /** The rows in which an id or a name is a former name. */
  renamedTo(id: string): readonly FormerName[];
}

export function createFormerNames(rows: Iterable<FormerName>): FormerNames {
  const byCourse = new Map<string, FormerName[]>();
  const byFormer = new Map<string, FormerName[]>();
  for (const row of rows) {
    push(byCourse, courseIdKey(row.courseId), row);
    push(byFormer, courseIdKey(row.formerId), row);
  }
  const formerOf = (id: string): readonly FormerName[] => byCourse.get(courseIdKey(id)) ?? [];
  const renamedTo = (id: string): readonly FormerName[] => byFormer.get(courseIdKey(id)) ?? [];
  return {
    formerOf,
    renamedTo,
    courseIdsOf(id, catalogued) {
      if (catalogued.has(courseIdKey(id))) return [id];
      const today = renamedTo(id).map(({ courseId }) => courseId);
      const newer = listedIds(today, catalogued);
      if (newer.length > 0) return newer;
      const former = [id, ...today].flatMap((name) => formerOf(name).map(({ formerId }) => formerId));
      return listedIds(former, catalogued);
    },
  };
}

/** The ids that the catalogue has, without duplicates. */
function listedIds(ids: readonly string[], catalogued: Catalogued): string[] {
  const byKey = new Map(ids.map((id) => [courseIdKey(id), id]));
  return [...byKey].flatMap(([key, id]) => (catalogued.has(key) ? id : []));
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
