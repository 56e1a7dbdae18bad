/**
 * Who taught what and when: published sections and grades, joined to the catalogue and the directory. A term counts from its first day of instruction on.
 * **Output:** courses, instructors, section_instructors
 */
import { courses } from "../contract/rows/course.ts";
import { grades } from "../contract/rows/grade.ts";
import { instructors } from "../contract/rows/instructor.ts";
import { departments, type Department } from "../contract/rows/listing.ts";
import { sections } from "../contract/rows/section.ts";
import type { Quarter } from "../contract/vocabulary.ts";
import { createPeople } from "../normalize/people/candidates.ts";
import { createTaughtCourses } from "../normalize/course-history.ts";
import { toCourses, toInstructors, toNamedPeople } from "../normalize/taught-courses.ts";
import type { Tally } from "../contract/documents/tally.ts";
import { readPublishedCourses } from "./catalogue.ts";
import type { ProductStep, RunContext, StepResults } from "./context.ts";
import { readPublishedInstructors } from "./instructors.ts";
import { readRows, writeRows } from "./rows.ts";
import { writeSectionInstructors } from "./section-instructors.ts";
import { tableRows } from "../contract/sql-text.ts";

export const historyStep: ProductStep = {
  product: "history",
  plan: ({ catalogue, directory, staging }) =>
    catalogue !== undefined ||
    directory !== undefined ||
    staging.paths("courses").length + staging.paths("instructors").length > 0,
  run: publishHistory,
};

async function publishHistory(context: RunContext, tally: Tally): Promise<StepResults> {
  const { calendar, database, staging, today } = context;
  const catalogue = context.catalogue ?? (await readPublishedCourses(context));
  const directory = context.directory ?? (await readPublishedInstructors(context));
  const taught = createTaughtCourses(calendar, today);
  await eachFact(context, (fact) => taught.add(fact));
  const listed: Department[] = await readRows(database, departments, staging.paths("departments"));
  const named = [
    ...catalogue.map(({ department, departmentName }) => ({ code: department, name: departmentName })),
    ...listed.map(({ deptCode, deptName }) => ({ code: deptCode, name: deptName })),
  ];
  const people = createPeople(toNamedPeople(directory, named));
  const history = taught.build(people, tally);
  tally.keep(catalogue.length + directory.length);
  if (catalogue.length > 0) staging.put(await writeRows(context, courses, toCourses(catalogue, history)));
  if (directory.length > 0) staging.put(await writeRows(context, instructors, toInstructors(directory, history)));
  staging.replaceTable("section_instructors", await writeSectionInstructors(context, people));
  return {};
}

type Taught = ReturnType<typeof createTaughtCourses>;

/** In chunks, so that memory does not grow with the number of sections. */
async function eachFact({ database, staging }: RunContext, use: Taught["add"]): Promise<void> {
  const result = await database.connection.stream(
    `SELECT DISTINCT year, quarter, deptCode, courseNumber, instructors, cancelled FROM ${tableRows(sections, staging.paths("sections"))}
     UNION
     SELECT DISTINCT year, quarter, department, courseNumber, instructors, false FROM ${tableRows(grades, staging.paths("grades"))}`,
  );
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return;
    const rows = chunk.getRows() as [string, Quarter, string, string, { items: string[] }, boolean][];
    for (const [year, quarter, department, courseNumber, { items: instructors }, cancelled] of rows) {
      use({ year, quarter, department, courseNumber, instructors, cancelled });
    }
  }
}
