/** Glues the tree of a schedule answer (school → department → course → section) from a term's finished pieces. */
import { slice } from "../../snapshot/json-rows.ts";
import type { Level, LoadedTerm } from "../../snapshot/tables/schedule-term.ts";

const text = (words: string) => Buffer.from(words);
const OPEN = text('{"schools":[');
const CLOSE = text("]}");
const NEXT_SECTION = text(",");
/** Between two groups: everything below the common parent is closed. */
const NEXT_COURSE = text("]},");
const NEXT_DEPARTMENT = text("]}]},");
const NEXT_SCHOOL = text("]}]}]},");
const END = text("]}]}]}]}");

/** `rowIds` ascend; the order of a term's rowIds is the order of the answer. */
export function toScheduleTree(term: LoadedTerm, rowIds: ArrayLike<number>): Buffer[] {
  if (rowIds.length === 0) return [OPEN, CLOSE];
  const pieces: Buffer[] = [OPEN];
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
      pieces.push(newSchool ? NEXT_SCHOOL : newDepartment ? NEXT_DEPARTMENT : newCourse ? NEXT_COURSE : NEXT_SECTION);
    first = false;
    if (newSchool) pieces.push(school.head());
    if (newDepartment) pieces.push(department.head());
    if (newCourse) pieces.push(course.head());
    // Neighbours inside one course stand side by side already.
    let to = id + 1;
    for (i++; rowIds[i] === to && to < course.end(); i++) to++;
    pieces.push(slice(term.sections, id, to));
  }
  pieces.push(END);
  return pieces;
}

/** Walks the groups of one level along ascending rowIds. */
function cursor({ starts, heads }: Level) {
  let at = -1;
  const end = () => starts[at + 1] ?? Number.MAX_SAFE_INTEGER;
  return {
    /** True when `id` belongs to another group than before. */
    moveTo(id: number): boolean {
      if (at >= 0 && id < end()) return false;
      while (id >= end()) at++;
      return true;
    },
    head: () => slice(heads, at, at + 1),
    end,
  };
}
