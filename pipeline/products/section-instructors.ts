/**
 * The people whom instructors' names in sections and grades may mean. **Output:** `section_instructors`, a file per
 * year.
 */
import { z } from "zod";
import type { Tally } from "../contract/documents/tally.ts";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { nameKey } from "../contract/name-key.ts";
import { grades } from "../contract/rows/grade.ts";
import { sections } from "../contract/rows/section.ts";
import { sectionInstructors } from "../contract/rows/section-instructor.ts";
import { tableRows } from "../contract/sql-text.ts";
import { defineTable, fieldsOf } from "../contract/table.ts";
import type { People } from "../normalize/people/candidates.ts";
import { isNobody } from "../normalize/people/nobody.ts";
import { writePartition } from "../publish/partition.ts";
import { loadRows } from "../publish/rows.ts";
import type { RunContext } from "./context.ts";
import { remember } from "./guard/causes.ts";
import { isRefused } from "./guard/refusals.ts";
import { partOf, reasonsOf } from "./stage.ts";

const MATCHED = ["department", "name", "netid", "matchedBy", "candidates"] as const;

/** A name in a department, with a row for each person whom it may mean. */
const candidates = defineTable({
  name: "candidates",
  about: "one row per department, a name, and a person whom it may mean there",
  row: z.object({
    ...fieldsOf(sectionInstructors.row.shape, MATCHED),
    nameKey: z.string(),
  }),
  partitionedBy: [],
  sortedBy: [],
  key: [],
});

/** A year in which people would vanish keeps its published file. */
export async function stageSectionInstructors(context: RunContext, people: People, tally: Tally): Promise<void> {
  const { staging } = context;
  const files: PublishedFile[] = [];
  for (const file of await writeYears(context, people)) {
    // A name may mean several people, and other people tomorrow.
    const key = sectionInstructors.key.filter((name) => name !== "netid");
    // Quarters follow from sections and grades, which are guarded themselves.
    const guarded = { what: `the people of ${file.partition.year}`, key, byQuarter: "may vanish" } as const;
    const reasons = await reasonsOf(context, file, guarded, tally);
    if (isRefused(context, reasons, tally)) files.push(staging.find("section_instructors", file.partition) ?? file);
    else {
      remember(context, partOf(file), []);
      files.push(file);
    }
  }
  staging.replaceTable("section_instructors", files);
}

async function writeYears(context: RunContext, people: People): Promise<PublishedFile[]> {
  const { database, staging } = context;
  const years = new Set(
    staging
      .files()
      .filter(({ table, rows }) => rows > 0 && (table === sections.name || table === grades.name))
      .flatMap(({ partition }) => partition.year ?? []),
  );
  const candidateRows = await loadRows(database.connection, candidates, await candidatesOf(context, people));
  const written: PublishedFile[] = [];
  for (const year of [...years].sort())
    written.push(
      await writePartition(database.connection, staging, {
        table: sectionInstructors,
        partition: { year },
        // The records office may spell a name differently from the schedule.
        select: `SELECT year, quarter, sectionCode, ${MATCHED.join(", ")}
          FROM (${namedIn(context, year)}) JOIN ${candidateRows} USING (department, name)
          QUALIFY dense_rank() OVER (PARTITION BY quarter, sectionCode, department, nameKey ORDER BY isGrade, name) = 1`,
        allowEmpty: true,
      }),
    );
  return written;
}

/** The names in the sections and grades of a year, or of all years. */
function namedIn({ staging }: RunContext, year?: string): string {
  const pathsOf = (table: "sections" | "grades") =>
    staging
      .files()
      .filter((file) => file.table === table && (year === undefined || file.partition.year === year))
      .flatMap(({ partition }) => staging.paths(table, partition));
  return `SELECT DISTINCT year, quarter, sectionCode, deptCode AS department, unnest(instructors) AS name, false AS isGrade
      FROM ${tableRows(sections, pathsOf("sections"))}
    UNION ALL
    SELECT DISTINCT year, quarter, sectionCode, department, unnest(instructors), true FROM ${tableRows(grades, pathsOf("grades"))}`;
}

async function candidatesOf(context: RunContext, people: People) {
  const reader = await context.database.connection.runAndReadAll(
    `SELECT DISTINCT department, name FROM (${namedIn(context)})`,
  );
  return (reader.getRowsJS() as [string, string][])
    .filter(([, name]) => !isNobody(name))
    .map(([department, name]) => ({ department, name, nameKey: nameKey(name) }))
    .flatMap((entry) => {
      const { netids, matchedBy } = people.named(entry.name, entry.department);
      const row = { ...entry, matchedBy, candidates: netids.length };
      return (netids.length === 0 ? [null] : netids).map((netid) => ({ ...row, netid }));
    });
}
