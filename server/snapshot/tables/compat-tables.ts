/** The tables of a snapshot as COMPAT=1 serves them: the rows of three of them are written anew, once, when they are loaded. */
import type { Instructor } from "../../../pipeline/contract/instructor.ts";
import { type Rendered, rowCount, slice } from "../json-rows.ts";
import type { WholeTables } from "./all.ts";
import { createTurns } from "../event-loop-yielder.ts";
import {
  addCourse,
  addPerson,
  createPreviews,
  type ServedCourse,
  type ServedTutorials,
  toCompatCourse,
  toCompatInstructor,
  toCompatTutorials,
} from "./compat-rows.ts";

/** Courses and people name each other: they are written together. */
export async function compatCatalogue({ courses, instructors }: Pick<WholeTables, "courses" | "instructors">) {
  const previews = createPreviews();
  const [course, instructor] = [courses.rendered.course, instructors.rendered.instructor];
  for await (const row of rowsOf<ServedCourse>(course)) addCourse(previews, row);
  for await (const row of rowsOf<Instructor>(instructor)) addPerson(previews, row);
  return {
    course: await rewrite<ServedCourse>(course, (row) => toCompatCourse(row, previews)),
    instructor: await rewrite<Instructor>(instructor, (row) => toCompatInstructor(row, previews)),
  };
}

export const compatTutorials = async ({ larc }: Pick<WholeTables, "larc">) => ({
  entry: await rewrite<ServedTutorials>(larc.rendered.entry, toCompatTutorials),
});

/** The same tables, whose rows are those of COMPAT=1. */
export function inCompat(
  tables: WholeTables,
  catalogue: Awaited<ReturnType<typeof compatCatalogue>>,
  tutorials: Awaited<ReturnType<typeof compatTutorials>>,
): WholeTables {
  return {
    ...tables,
    courses: { ...tables.courses, rendered: catalogue },
    instructors: { ...tables.instructors, rendered: catalogue },
    larc: { ...tables.larc, rendered: tutorials },
  };
}

async function* rowsOf<Row>(rendered: Rendered): AsyncGenerator<Row> {
  const nextTurn = createTurns();
  for (let i = 0; i < rowCount(rendered); i++) {
    yield JSON.parse(slice(rendered, i, i + 1).toString()) as Row;
    await nextTurn();
  }
}

async function rewrite<Row>(rendered: Rendered, change: (row: Row) => object): Promise<Rendered> {
  const offsets = new Uint32Array(rendered.offsets.length);
  const texts: Buffer[] = [];
  for await (const row of rowsOf<Row>(rendered)) {
    const text = Buffer.from(`${JSON.stringify(change(row))},`);
    offsets[texts.length + 1] = (offsets[texts.length] as number) + text.length;
    texts.push(text);
  }
  return { bytes: Buffer.concat(texts), offsets };
}
