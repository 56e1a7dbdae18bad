/**
 * A program that adds years of enrollment history and changes to published data, as if every hour of them had been
 * recorded. A year has three terms of 5,000 sections, each recorded for seven months: some 700,000 periods and 2.1
 * million changes. Equal arguments yield equal rows. Usage: write-years.ts <artifacts> <years>
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TABLES, type TableName } from "../../../pipeline/contract/tables.ts";
import type { Partition, PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { openDatabase } from "../../../pipeline/store/database.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import { createStaging } from "../../../pipeline/publish/staging.ts";
import { filesText, readWords, tablePaths } from "../words.ts";

const SECTIONS = 5000;
const MONTHS = 7;
/** The number of crawls, one per hour. */
const CRAWLS = 720;
const CHANGES_PER_CRAWL = 139;

/** The last month in which a term is recorded. */
const LAST_MONTH = { Winter: 3, Spring: 6, Fall: 12 } as const;

/** The terms of so many years that are over, latest first. */
export function pastTerms(years: number, now = new Date()): Term[] {
  const terms: Term[] = [];
  for (let year = now.getUTCFullYear(); terms.length < 3 * years; year--)
    for (const quarter of ["Fall", "Spring", "Winter"] as const)
      if (year < now.getUTCFullYear() || LAST_MONTH[quarter] <= now.getUTCMonth())
        if (terms.length < 3 * years) terms.push({ year: String(year), quarter });
  return terms;
}

const monthsOf = ({ year, quarter }: Term): string[] =>
  Array.from({ length: MONTHS }, (_, i) =>
    new Date(Date.UTC(Number(year), LAST_MONTH[quarter as keyof typeof LAST_MONTH] - MONTHS + i, 1))
      .toISOString()
      .slice(0, 7),
  );

/** A hash of these expressions, up to `most` (not included). */
const draw = (most: number, ...of: readonly string[]) => `(hash(${of.join(", ")}) % ${most})::INTEGER`;
const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

async function main(artifacts: string, years: number): Promise<void> {
  const words = await readWords(artifacts);
  const database = await openDatabase({
    memoryLimit: "1GB",
    threads: 2,
    tempFolder: join(tmpdir(), `bench-spill-${process.pid}`),
  });
  const { connection } = database;
  const staging = createStaging(artifacts, await readBase(artifacts));
  const write = (table: TableName, partition: Partition, select: string) =>
    writePartition(connection, staging, { table: TABLES[table], partition, select });
  try {
    // Sections like those of the latest terms, in their order: the codes of a course are near each other, and it has a
    // few per term.
    await connection.run(`CREATE TABLE kinds AS
      SELECT row_number() OVER () - 1 AS kind, deptCode AS department, courseNumber, courseNumeric, sectionType, instructors
      FROM ${filesText(words.main.slice(0, 3).flatMap((term) => tablePaths(words, "sections", term)))} ORDER BY ALL`);
    const files: Record<"enrollment_history" | "enrollment_periods" | "changes", PublishedFile[]> = {
      enrollment_history: [],
      enrollment_periods: [],
      changes: [],
    };
    for (const { year, quarter } of pastTerms(years)) {
      const term = `${text(year)} AS year, ${text(quarter)} AS quarter`;
      const named = [text(year), text(quarter)] as const;
      await connection.run(`CREATE OR REPLACE TABLE section AS
        SELECT i, (10000 + 17 * i)::VARCHAR AS sectionCode, kinds.* EXCLUDE kind
          REPLACE (concat(courseNumber, ['', 'A', 'B', 'C'][1 + ${draw(4, "i", ...named)}]) AS courseNumber)
        FROM range(${SECTIONS}) r(i) JOIN kinds ON kind = i * (SELECT count(*) FROM kinds) // ${SECTIONS}`);
      files.enrollment_history.push(
        await write(
          "enrollment_history",
          { year, quarter },
          `SELECT ${term}, sectionCode, department, courseNumber, courseNumeric, sectionType, 'A' AS sectionNum, '4' AS units,
            instructors, [{'days': 'TuTh', 'time': '12:30-13:50', 'bldg': ['ALP 2300']}] AS meetings,
            'Mon, Dec 5, 8:00-10:00am' AS finalExam, false AS imported FROM section`,
        ),
      );
      for (const month of monthsOf({ year, quarter } as Term)) {
        const partition = { year, quarter, month } as Partition;
        const first = `DATE ${text(`${month}-01`)}`;
        const value = (most: number, name: string) =>
          `${draw(most, "i", "k", ...named, text(month), text(name))}::VARCHAR`;
        files.enrollment_periods.push(
          await write(
            "enrollment_periods",
            partition,
            `SELECT ${term}, ${text(month)} AS month, sectionCode, ${first} + (4 * k)::INTEGER AS first,
              ${first} + (4 * k + 3)::INTEGER AS last, (20 + i % 200)::VARCHAR AS maxCapacity, ${value(200, "enrolled")} AS totalEnrolled,
              ${value(10, "waitlist")} AS waitlist, '10' AS waitlistCap, ${value(300, "requested")} AS requested,
              '' AS newOnlyReserved, ['OPEN', 'FULL', 'Waitl'][1 + ${draw(3, "i", "k", text(month))}] AS status, false AS imported
            FROM section, range(7) k(k) WHERE ${draw(20, "i", "k", text(month))} > 0`,
          ),
        );
        const at = `${first}::TIMESTAMPTZ + to_hours(c)`;
        files.changes.push(
          await write(
            "changes",
            partition,
            `SELECT ${term}, ${text(month)} AS month, ${at} AS "at", ${at} - INTERVAL 1 HOUR AS since,
              left(md5(concat(${text(month)}, c)), 16) AS snapshot, sectionCode, department, courseNumber, instructors,
              ['enrolled', 'enrolled', 'enrolled', 'waitlist', 'status'][1 + kind] AS kind,
              ['numCurrentlyEnrolled.totalEnrolled', 'numCurrentlyEnrolled.totalEnrolled', 'numCurrentlyEnrolled.totalEnrolled',
                'numOnWaitlist', 'status'][1 + kind] AS field,
              if(kind < 4, ${draw(200, "i", "c")}::VARCHAR, 'OPEN') AS before, if(kind < 4, ${draw(200, "c", "i")}::VARCHAR, 'FULL') AS after
            FROM (SELECT c, (7919 * (${CHANGES_PER_CRAWL} * c + j) % ${SECTIONS})::INTEGER AS i, ${draw(5, "c", "j")} AS kind
              FROM range(${CRAWLS - 48}) c(c), range(${CHANGES_PER_CRAWL}) j(j)) JOIN section USING (i)`,
          ),
        );
      }
    }
    for (const [table, written] of Object.entries(files)) {
      const own = new Set(written.map(({ partition: { year, quarter } }) => `${year} ${quarter}`));
      const kept = staging
        .files()
        .filter((file) => file.table === table && !own.has(`${file.partition.year} ${file.partition.quarter}`));
      staging.replaceTable(table as TableName, [...kept, ...written]);
    }
    const { id } = await staging.publish({ source: staging.base?.manifest.source ?? {}, now: new Date() });
    process.stdout.write(`${JSON.stringify({ id })}\n`);
  } finally {
    await staging.discard();
    database.close();
  }
}

const [program = "", artifacts = "", years = "1"] = process.argv.slice(1);
if (program.endsWith("write-years.ts")) await main(artifacts, Number(years));
