/**
 * Teaching history: published sections and grades, joined to the catalogue and the directory. A term counts from its
 * first day of instruction. **Output:** courses, instructors, section_instructors
 */
import { courses } from "../contract/rows/course.ts";
import { formerNames } from "../contract/rows/former-name.ts";
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
import { isDue, type ProductStep, type RunContext, type StepResults, WEEK_MS } from "./context.ts";
import { readPublishedInstructors } from "./instructors.ts";
import { readSoundRows, writeRows } from "./rows.ts";
import { changedParts, isSettled } from "./settled.ts";
import { stageSectionInstructors } from "./section-instructors.ts";
import { tableRows } from "../contract/sql-text.ts";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { PRODUCT_OF } from "../contract/tables.ts";
import { partitionTitle } from "../store/layout.ts";
import { remember } from "./guard/causes.ts";
import { isRefused } from "./guard/refusals.ts";
import { partOf, reasonsOf } from "./stage.ts";

export const historyStep: ProductStep = {
  product: "history",
  tables: ["courses", "instructors", "section_instructors"],
  plan: ({ catalogue, directory, staging }) =>
    catalogue !== undefined ||
    directory !== undefined ||
    staging.paths("courses").length + staging.paths("instructors").length > 0,
  async run(context, tally) {
    if (!(await isUnchanged(context))) return publishHistory(context, tally);
    tally.note("no section, grade or person changed what was taught: the history stays as it is", "courses and people");
    return {};
  },
};

/** The columns of sections that the history follows from. */
const TAUGHT = "sectionCode, deptCode, courseNumber, instructors, cancelled";

async function isUnchanged(context: RunContext): Promise<boolean> {
  const { catalogue, database, directory, staging } = context;
  if (!isSettled(context, "history") || catalogue !== undefined || directory !== undefined) return false;
  const isLost = staging.lost().some(({ table }) => (historyStep.tables as readonly string[]).includes(table));
  const others = ["calendar", "departments", "former_names", "grades"] as const;
  if (isLost || others.some((table) => changedParts(context, table).length > 0)) return false;
  for (const { published, staged } of changedParts(context, "sections")) {
    if (!published || !staged) return false;
    const [previous, now] = [published, staged].map(
      (file) => `(SELECT ${TAUGHT} FROM ${tableRows(sections, [staging.pathOf(file)])})`,
    );
    const differing = await database.connection.runAndReadAll(
      `(FROM ${previous} EXCEPT FROM ${now}) UNION ALL (FROM ${now} EXCEPT FROM ${previous}) LIMIT 1`,
    );
    if (differing.currentRowCount > 0) return false;
  }
  return true;
}

async function publishHistory(context: RunContext, tally: Tally): Promise<StepResults> {
  const { calendar, today } = context;
  const catalogue = context.catalogue ?? (await readPublishedCourses(context));
  const directory = context.directory ?? (await readPublishedInstructors(context));
  const taught = createTaughtCourses(calendar, today);
  await eachFact(context, (fact) => taught.add(fact));
  const listed: Department[] = await readSoundRows(context, departments);
  const named = [
    ...catalogue.map(({ department, departmentName }) => ({ code: department, name: departmentName })),
    ...listed.map(({ deptCode, deptName }) => ({ code: deptCode, name: deptName })),
  ];
  const people = createPeople(toNamedPeople(directory, named));
  const history = taught.build(people, tally);
  tally.keep(catalogue.length + directory.length);
  const renamed = await readSoundRows(context, formerNames);
  if (catalogue.length > 0)
    await stageJoined(context, await writeRows(context, courses, toCourses(catalogue, history, renamed)), tally);
  if (directory.length > 0)
    await stageJoined(context, await writeRows(context, instructors, toInstructors(directory, history)), tally);
  await stageSectionInstructors(context, people, tally);
  return {};
}

/** The derived columns are guarded like those that were read. */
async function stageJoined(context: RunContext, file: PublishedFile, tally: Tally): Promise<void> {
  const part = partOf(file);
  if (isRefused(context, await reasonsOf(context, file, { what: `the history, in ${part.table},` }, tally), tally))
    return;
  context.staging.put(file);
  // A part that was due but not read in this run may still be refused.
  const title = partitionTitle(part);
  if (!context.remembered.has(title) && !isDue(context, PRODUCT_OF[part.table], WEEK_MS))
    remember(context, part, context.freshness.remembered?.[title] ?? []);
}

type Taught = ReturnType<typeof createTaughtCourses>;

/**
 * Reads in chunks, so that memory does not grow with the number of sections, and in order, so that a report always
 * names the same ones.
 */
async function eachFact({ database, staging }: RunContext, use: Taught["add"]): Promise<void> {
  const result = await database.connection.stream(
    `SELECT DISTINCT year, quarter, deptCode, courseNumber, instructors, cancelled FROM ${tableRows(sections, staging.paths("sections"))}
     UNION
     SELECT DISTINCT year, quarter, department, courseNumber, instructors, false FROM ${tableRows(grades, staging.paths("grades"))}
     ORDER BY ALL`,
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
