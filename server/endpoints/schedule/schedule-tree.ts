/**
 * Assembles the JSON tree of a schedule response (school → department → course → section) from a term's preserialized
 * JSON.
 */
import type { List } from "../../response/endpoint.ts";
import type { Level, LoadedTerm } from "../../snapshot/tables/schedule-term.ts";

const OPEN = Buffer.from('{"schools":[');
const CLOSE = Buffer.from("]}");
const NEXT_SECTION = ",";
/** Separators between groups; each closes everything below the common parent. */
const NEXT_COURSE = "]},";
const NEXT_DEPARTMENT = "]}]},";
const NEXT_SCHOOL = "]}]}]},";
const END = "]}]}]}";

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

function toScheduleTree(term: LoadedTerm, rowIds: Int32Array): Buffer[] {
  const course = cursor(term.courses);
  const department = cursor(term.departments);
  const school = cursor(term.schools);
  let tree = "";
  for (const id of rowIds) {
    const newSchool = school.moveTo(id);
    const newDepartment = department.moveTo(id);
    const newCourse = course.moveTo(id);
    if (tree !== "")
      tree += newSchool ? NEXT_SCHOOL : newDepartment ? NEXT_DEPARTMENT : newCourse ? NEXT_COURSE : NEXT_SECTION;
    if (newSchool) tree += school.prefix();
    if (newDepartment) tree += department.prefix();
    if (newCourse) tree += course.prefix();
    tree += term.records[id];
  }
  return [OPEN, Buffer.from(tree === "" ? "" : tree + END), CLOSE];
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
    prefix: () => prefixes[index] as string,
  };
}
