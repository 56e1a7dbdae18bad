/**
 * Instructors: the members of the faculty lists, as the directory has them; read when older than a week. **Output:**
 * directory instructors for the history step.
 */
import { type DirectoryInstructor, directoryInstructors, instructors } from "../contract/rows/instructor.ts";
import { sections } from "../contract/rows/section.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { choosePeople } from "../normalize/people/directory-match.ts";
import { toFaculty } from "../normalize/people/faculty.ts";
import { toDirectoryInstructors } from "../normalize/people/instructor.ts";
import { isNobody } from "../normalize/people/nobody.ts";
import { spellingsOf, toFacultyName } from "../normalize/people/person-name.ts";
import { createSeenNames, type SeenNames, shortenName } from "../normalize/people/shortened-name.ts";
import { createUnknownFields } from "../contract/source-fields.ts";
import { DIRECTORY_FIELDS, parseDirectoryAnswer } from "../parse/directory-json.ts";
import { findPeople, openDirectory } from "../sources/directory.ts";
import { readSchools } from "./catalogue.ts";
import { isDue, crawlSource, type ProductStep, type RunContext, WEEK_MS } from "./context.ts";
import { readDepartmentNames } from "./grades/graded-sections.ts";
import { noteUnknown } from "./guard/causes.ts";
import { readSoundRows } from "./rows.ts";
import { accept, refuseLost } from "./stage.ts";
import { tableRows } from "../contract/sql-text.ts";

export const instructorsStep: ProductStep = {
  product: "instructors",
  system: "directory",
  tables: ["instructors"],
  plan: (context) =>
    context.addresses.catalogue !== undefined &&
    context.addresses.directory !== undefined &&
    isDue(context, "instructors", WEEK_MS),
  async run(context, tally) {
    const { addresses, client } = context;
    const lists = await readSchools(context, tally);
    for (const page of lists.damaged) tally.damage(`${page}: its people stay as they are published`);
    const members = toFaculty(lists.pages);
    if (members.length === 0) throw new UpstreamBadResponse("catalogue", "no faculty list names anybody");
    const unknown = createUnknownFields();
    const directory = openDirectory(client("directory"), addresses.directory as URL, (json) =>
      parseDirectoryAnswer(json, unknown),
    );
    const { found, damaged } = await findPeople(
      directory,
      members,
      { spellings: spellingsOf, choose: choosePeople },
      tally,
    );
    const departments = (await readDepartmentNames(context)).pairs.map(([name, code]) => ({ name, code }));
    const read = toDirectoryInstructors(found, await readSeenNames(context), tally, departments);
    // A person whose look-up failed keeps the published entry.
    const readIds = new Set(read.map(({ netid }) => netid));
    const incomplete = damaged.length > 0 || lists.damaged.length > 0;
    const part = { table: "instructors", partition: {} } as const;
    await refuseLost(context, part, !incomplete, tally);
    const kept = incomplete ? (await readPublishedInstructors(context)).filter(({ netid }) => !readIds.has(netid)) : [];
    const rows = [...read, ...kept].filter((person) => !isForgotten(person, context));
    if (rows.length === 0) throw new UpstreamBadResponse("directory", "the directory has nobody of the faculty");
    noteUnknown(context, { part, what: "the directory", unknown: unknown.list() }, tally);
    const guarded = { what: "the directory, in people,", known: DIRECTORY_FIELDS, unknown: unknown.list() };
    await accept(context, part, { ...guarded, table: directoryInstructors, rows }, tally);
    return {
      directory: rows,
      received: crawlSource(context, "directory", { tableName: "instructors", rows: read.length }),
    };
  },
};

/** A person who was taken down is not a candidate for a name either. */
const isForgotten = (
  { name, netid, shortenedName }: DirectoryInstructor,
  { forgotten }: Pick<RunContext, "forgotten">,
): boolean =>
  forgotten !== undefined && (forgotten.isNetid(netid) || forgotten.isName(name) || forgotten.isName(shortenedName));

/**
 * The directory's part of the published instructors; their shortened names follow the current schedule
 * (pipeline/RULES.md, People).
 */
export async function readPublishedInstructors(context: RunContext): Promise<DirectoryInstructor[]> {
  const rows = await readSoundRows(context, instructors);
  const seen = await readSeenNames(context);
  return rows
    .filter(({ name }) => !isNobody(name))
    .map(({ courseHistory: _history, ...person }) => ({
      ...person,
      shortenedName: shortenName(toFacultyName(person.name), person.relatedDepartments, seen),
    }));
}

/** Counts each shortened name in the published sections, by department. */
async function readSeenNames({ database, staging }: RunContext): Promise<SeenNames> {
  const reader = await database.connection.runAndReadAll(
    `SELECT name, deptCode, count(*)::INTEGER FROM (
      SELECT unnest(instructors) AS name, deptCode FROM ${tableRows(sections, staging.paths("sections"))}
    ) GROUP BY ALL ORDER BY ALL`,
  );
  const [names = [], departments = [], counts = []] = reader.getColumnsJS() as [string[], string[], number[]];
  const seen = new Map<string, Map<string, number>>();
  names.forEach((name, i) => {
    const byDepartment = seen.get(name) ?? new Map<string, number>();
    byDepartment.set(departments[i] as string, counts[i] as number);
    seen.set(name, byDepartment);
  });
  return createSeenNames(seen);
}
