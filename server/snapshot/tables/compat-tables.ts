/** Rewrites the rows of three tables for COMPAT=1, once, at load time. */
import type { Instructor } from "../../../pipeline/contract/instructor.ts";
import { type JsonRows, rowCount, slice, toJsonRows } from "../json-rows.ts";
import type { SnapshotTables } from "./all.ts";
import { createYielder } from "../event-loop-yielder.ts";
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

/** One function for both, because courses and people refer to each other. */
export async function compatCatalogue({ courses, instructors }: Pick<SnapshotTables, "courses" | "instructors">) {
  const previews = createPreviews();
  const [course, instructor] = [courses.jsonRows.course, instructors.jsonRows.instructor];
  for await (const row of rowsOf<ServedCourse>(course)) addCourse(previews, row);
  for await (const row of rowsOf<Instructor>(instructor)) addPerson(previews, row);
  return {
    course: await rewrite<ServedCourse>(course, (row) => toCompatCourse(row, previews)),
    instructor: await rewrite<Instructor>(instructor, (row) => toCompatInstructor(row, previews)),
  };
}

export const compatTutorials = async ({ larc }: Pick<SnapshotTables, "larc">) => ({
  entry: await rewrite<ServedTutorials>(larc.jsonRows.entry, toCompatTutorials),
});

async function* rowsOf<Row>(jsonRows: JsonRows): AsyncGenerator<Row> {
  const yieldToEventLoop = createYielder();
  for (let i = 0; i < rowCount(jsonRows); i++) {
    yield JSON.parse(slice(jsonRows, i, i + 1).toString()) as Row;
    await yieldToEventLoop();
  }
}

async function rewrite<Row>(jsonRows: JsonRows, change: (row: Row) => object): Promise<JsonRows> {
  const texts: string[] = [];
  for await (const row of rowsOf<Row>(jsonRows)) texts.push(JSON.stringify(change(row)));
  return toJsonRows(texts);
}
