/**
 * Assembles the JSON tree of a schedule response (school → department → course → section) from a term's preserialized
 * JSON.
 */
import type { List } from "../../response/endpoint.ts";
import { slice } from "../../snapshot/loading/json-rows.ts";
import type { Level, LoadedTerm } from "../../snapshot/tables/schedule-term.ts";

const text = (words: string) => Buffer.from(words);
const OPEN = text('{"schools":[');
const CLOSE = text("]}");
const NEXT_SECTION = text(",");
/** Separators between groups; each closes everything below the common parent. */
const NEXT_COURSE = text("]},");
const NEXT_DEPARTMENT = text("]}]},");
const NEXT_SCHOOL = text("]}]}]},");
const END = text("]}]}]}]}");

/** Lists the courses of the ascending sections `rowIds`; each part is a tree. */
export function listCourses(term: LoadedTerm, rowIds: Int32Array): List {
  const { moveTo } = cursor(term.courses);
  /** For each course, the index in `rowIds` at which its sections begin. */
  const begins: number[] = [];
  for (let i = 0; i < rowIds.length; i++) if (moveTo(rowIds[i] as number)) begins.push(i);
  const sections = (from: number, to: number) => rowIds.subarray(begins[from] ?? rowIds.length, begins[to]);
  return {
    total: begins.length,
    part: (from, to) => toScheduleTree(term, sections(from, to)),
    rows: (from, to) => sections(from, to).length,
  };
}

export const NO_COURSES: List = { total: 0, part: () => [OPEN, CLOSE] };

function toScheduleTree(term: LoadedTerm, rowIds: ArrayLike<number>): Buffer[] {
  if (rowIds.length === 0) return [OPEN, CLOSE];
  const chunks: Buffer[] = [OPEN];
  const course = cursor(term.courses);
  const department = cursor(term.departments);
  const school = cursor(term.schools);
  let first = true;
  for (let i = 0; i < rowIds.length;) {
    const id = rowIds[i] as number;
    const newSchool = school.moveTo(id);
    const newDepartment = department.moveTo(id);
    const newCourse = course.moveTo(id);
    if (!first)
      chunks.push(newSchool ? NEXT_SCHOOL : newDepartment ? NEXT_DEPARTMENT : newCourse ? NEXT_COURSE : NEXT_SECTION);
    first = false;
    if (newSchool) chunks.push(school.prefix());
    if (newDepartment) chunks.push(department.prefix());
    if (newCourse) chunks.push(course.prefix());
    // Consecutive sections of a course are a single slice.
    let to = id + 1;
    for (i++; rowIds[i] === to && to < course.end(); i++) to++;
    chunks.push(slice(term.sections, id, to));
  }
  chunks.push(END);
  return chunks;
}

function cursor({ starts, prefixes }: Level) {
  let index = -1;
  const end = () => starts[index + 1] ?? Number.MAX_SAFE_INTEGER;
  return {
    moveTo(id: number): boolean {
      if (index >= 0 && id < end()) return false;
      while (id >= end()) index++;
      return true;
    },
    prefix: () => slice(prefixes, index, index + 1),
    end,
  };
}
