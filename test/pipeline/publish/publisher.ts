/**
 * A publisher for tests: each snapshot holds a few tables in which every row has the snapshot's number, so that a
 * reader can identify it.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Partition } from "../../../pipeline/contract/documents/manifest.ts";
import { TABLES, type TableName } from "../../../pipeline/contract/tables.ts";
import { type Database, openDatabase } from "../../../pipeline/store/database.ts";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { listPublished } from "../../../pipeline/store/published.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import type { Publication } from "../../../pipeline/store/published.ts";
import { createStaging } from "../../../pipeline/publish/staging.ts";
import { openAhead, type Stamped } from "./written-ahead.ts";

export interface PublisherOptions {
  readonly disk?: Disk;
  /** Rows of each grades year and of the sections' term. */
  readonly rows?: number;
  /** A database to share; by default the publisher opens one of its own with this many threads. */
  readonly database?: Database;
  readonly threads?: number;
  /** The tables; all of STAMPED by default; fewer are quicker. */
  readonly tables?: readonly TableName[];
  /** Write the files of so many snapshots at a time, unaudited: far quicker where the publication is what matters. */
  readonly ahead?: number;
  readonly now?: () => Date;
  readonly assertHeld?: () => Promise<void>;
}

export interface Publisher {
  /** Publishes a snapshot stamped with `stamp`: by default the number that it will have. */
  publish(stamp?: number): Promise<Publication & { stamp: number }>;
  close(): void;
}

const gradesOf = (year: string): Stamped => ({
  table: "grades",
  partition: { year },
  select: `SELECT '${year}' AS "year", 'Fall' AS quarter, (10000 + i)::VARCHAR AS "sectionCode", 'STAMP' AS department,
    (1 + i % 199)::VARCHAR AS "courseNumber", 1 + i % 199 AS "courseNumeric", ['GE-2'] AS "geCategories",
    $1::INTEGER AS "gradeACount", $1::INTEGER AS "gradeBCount", $1::INTEGER AS "gradeCCount", $1::INTEGER AS "gradeDCount",
    $1::INTEGER AS "gradeFCount", $1::INTEGER AS "gradePCount", $1::INTEGER AS "gradeNPCount", $1::INTEGER AS "gradeWCount",
    3.25 AS "averageGPA", ['STAMP ' || $1::INTEGER || ', G.'] AS instructors, false AS "sheetOnly",
    'stamps.csv' AS "exportFile", 'stamp' AS "exportSha256", NULL AS "exportSheet", 2 + i AS "exportRow"
    FROM range($2::INTEGER) AS r(i)`,
});

const TERM: Partition = { year: "2024", quarter: "Fall" };

/**
 * The columns with the stamp: every grade count; courseTitle, courseComment and maxCapacity of a section; comments,
 * names and long names.
 */
export const STAMPED: readonly Stamped[] = [
  gradesOf("2023"),
  gradesOf("2024"),
  {
    table: "terms",
    partition: {},
    select: `SELECT '2024' AS "year", q AS quarter, 'generation ' || $1::INTEGER AS "longName", ordinal
      FROM (VALUES ('Winter', 20241), ('Spring', 20242), ('Fall', 20246)) AS t(q, ordinal) WHERE $2::INTEGER > 0`,
  },
  {
    table: "departments",
    partition: {},
    select: `SELECT 'STAMP' AS "deptCode", 'generation ' || $1::INTEGER AS "deptName" WHERE $2::INTEGER > 0`,
  },
  {
    table: "headings",
    partition: TERM,
    select: `SELECT '2024' AS "year", 'Fall' AS quarter, 'School of Stamps' AS "schoolName",
      'generation ' || $1::INTEGER AS "schoolComment", 'STAMP' AS "deptCode", 'Stamps' AS "deptName",
      'generation ' || $1::INTEGER AS "deptComment", ['generation ' || $1::INTEGER] AS "sectionCodeRangeComments",
      []::VARCHAR[] AS "courseNumberRangeComments" WHERE $2::INTEGER > 0`,
  },
  {
    table: "sections",
    partition: TERM,
    select: `SELECT '2024' AS "year", 'Fall' AS quarter, 'School of Stamps' AS "schoolName", 'STAMP' AS "deptCode",
      (1 + i % 199)::VARCHAR AS "courseNumber", 1 + i % 199 AS "courseNumeric",
      'GENERATION ' || $1::INTEGER AS "courseTitle", 'generation ' || $1::INTEGER AS "courseComment",
      '' AS "prerequisiteLink", (10000 + i)::VARCHAR AS "sectionCode", 'Lec' AS "sectionType", 'A' AS "sectionNum", '4' AS units,
      ['STAMP ' || $1::INTEGER || ', G.'] AS instructors,
      [{'timeIsTBA': false, 'bldg': ['HALL 100'], 'days': 'MWF', 'startTime': {'hour': 9, 'minute': 0}, 'endTime': {'hour': 9, 'minute': 50}}] AS meetings,
      {'examStatus': 'NO_FINAL', 'dayOfWeek': NULL, 'month': NULL, 'day': NULL, 'startTime': NULL, 'endTime': NULL, 'bldg': NULL} AS "finalExam",
      $1::INTEGER::VARCHAR AS "maxCapacity", {'totalEnrolled': $1::INTEGER::VARCHAR, 'sectionEnrolled': ''} AS "numCurrentlyEnrolled",
      '' AS "numOnWaitlist", '' AS "numWaitlistCap", '0' AS "numRequested", '' AS "numNewOnlyReserved", '' AS restrictions,
      'OPEN' AS status, '' AS "sectionComment", false AS cancelled, ['GE-2'] AS "geCategories" FROM range($2::INTEGER) AS r(i)`,
  },
];

/** Published on demand only: the stamp is in the instructors and in every number of the one day. */
const STAMPED_HISTORY: readonly Stamped[] = [
  {
    table: "enrollment_history",
    partition: TERM,
    select: `SELECT '2024' AS "year", 'Fall' AS quarter, (10000 + i)::VARCHAR AS "sectionCode", 'STAMP' AS department,
      (1 + i % 199)::VARCHAR AS "courseNumber", 1 + i % 199 AS "courseNumeric", 'Lec' AS "sectionType", 'A' AS "sectionNum", '4' AS units,
      ['STAMP ' || $1::INTEGER || ', G.'] AS instructors, [{'days': 'MWF', 'time': '9:00-9:50', 'bldg': ['HALL 100']}] AS meetings,
      '' AS "finalExam", false AS imported FROM range($2::INTEGER) AS r(i)`,
  },
  {
    table: "enrollment_periods",
    partition: { ...TERM, month: "2024-10" },
    select: `SELECT '2024' AS "year", 'Fall' AS quarter, '2024-10' AS "month", (10000 + i)::VARCHAR AS "sectionCode",
      DATE '2024-10-01' AS "first", DATE '2024-10-01' AS "last", $1::INTEGER::VARCHAR AS "maxCapacity",
      $1::INTEGER::VARCHAR AS "totalEnrolled", '' AS waitlist, '' AS "waitlistCap", '0' AS requested, '' AS "newOnlyReserved",
      'OPEN' AS status, false AS imported FROM range($2::INTEGER) AS r(i)`,
  },
];

export async function openPublisher(artifacts: string, options: PublisherOptions = {}): Promise<Publisher> {
  const { disk = nodeDisk, rows = 100, threads = 1, now = () => new Date(), assertHeld, tables, ahead } = options;
  const stamped = tables ? [...STAMPED, ...STAMPED_HISTORY].filter(({ table }) => tables.includes(table)) : STAMPED;
  const database = options.database ?? (await openOwn(threads));
  const written = ahead && (await openAhead(database.connection, { stamped, rows, several: ahead }));
  return {
    async publish(given) {
      const numbers = (await listPublished(artifacts)).map((generation) => generation.generation);
      const stamp = given ?? Math.max(0, ...numbers) + 1;
      const staging = createStaging(artifacts, await readBase(artifacts, disk), disk);
      if (written) for (const file of await written.take(staging, stamp)) staging.put(file);
      else
        for (const { table, partition, select } of stamped) {
          const request = { table: TABLES[table], partition, select, values: [stamp, rows] };
          staging.put(await writePartition(database.connection, staging, request));
        }
      const held = assertHeld ? { assertHeld } : {};
      const published = await staging.publish({ source: { grades: "stamped" }, now: now(), ...held });
      await staging.discard();
      return { ...published, stamp };
    },
    close() {
      if (written) written.close();
      if (!options.database) database.close();
    },
  };
}

const openOwn = (threads: number) =>
  openDatabase({ memoryLimit: "500MB", threads, tempFolder: join(tmpdir(), "stamped-publisher") });
