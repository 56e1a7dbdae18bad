/**
 * Files of any older contract version become those of this one in one step. A new contract version adds what it changes here, and its fixture to
 * `test/fixtures/contract/`. Nothing but the audit uses today's contract, which later versions change.
 */
import { join } from "node:path";
import { IRREPLACEABLE_TABLES, TABLES } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { partitionTitle } from "../generations/layout.ts";
import { auditFile } from "../publish/audit.ts";
import { ROWS_PER_GROUP, writeSorted } from "../publish/partition.ts";
import { columnsOf, type LocatedFile, type MigrationContext, readValue, rowsOf } from "./located-file.ts";
import { splitPeriods } from "./split-periods.ts";

interface Change {
  readonly table: string;
  /** The last contract version whose files may have to be rewritten. */
  readonly last: number;
  /**
   * The files that replace this one: the file itself when it has the new layout already.
   * @throws GuardError when the written files do not have the same content
   */
  readonly rewrite: (located: LocatedFile, context: MigrationContext, contract: number) => Promise<LocatedFile[]>;
}

/**
 * Version 6 moved files within their tables' folders (`atItsPath`) and has the table `calendar_dates`, version 7 the table `section_instructors`: no file is
 * written for them, and the next run fills both tables. Version 8 has derived files beside the tables, which follow from them. Version 9 has the table
 * `former_names`, which the next run that reads the catalogue fills.
 */
const CHANGES: readonly Change[] = [
  { table: "enrollment_history", last: 1, rewrite: splitPeriods },
  { table: "grades", last: 8, rewrite: rewriteGrades },
  { table: "courses", last: 4, rewrite: rewriteCourses },
  { table: "terms", last: 7, rewrite: rewriteTerms },
];

const changesSince = (contract: number): Change[] => CHANGES.filter(({ last }) => contract <= last);

/** The tables whose files of that contract version are rewritten. */
export const rewrittenTables = (contract: number): string[] => changesSince(contract).map(({ table }) => table);

/**
 * Migrates files of an older contract version. Files of which nothing changed stay as they are.
 * @throws GuardError when recorded history does not match the contract afterwards
 */
export async function migrateFiles(
  contract: number,
  files: readonly LocatedFile[],
  context: MigrationContext,
): Promise<LocatedFile[]> {
  const migrated: LocatedFile[] = [];
  for (const one of files) {
    const change = changesSince(contract).find(({ table }) => table === one.file.table);
    migrated.push(...(change ? await change.rewrite(one, context, contract) : [one]));
  }
  for (const one of migrated) if (IRREPLACEABLE_TABLES.includes(one.file.table)) await auditHistory(one, context);
  return migrated;
}

async function auditHistory({ file, at }: LocatedFile, { connection }: MigrationContext): Promise<void> {
  const rows = await auditFile(connection, TABLES[file.table as keyof typeof TABLES], file.partition, at);
  if (rows !== file.rows) throw new GuardError(`${partitionTitle(file)}: ${rows} rows, not ${file.rows}`);
}

/** An average of 0 is true only where every letter grade is an F. */
const BLANK = "averageGPA = 0 AND NOT (gradeFCount > 0 AND gradeACount + gradeBCount + gradeCCount + gradeDCount = 0)";

/**
 * Until version 2 an average that the records office left blank was 0; now it is null, so that a mean over the files is right. Until version 3 a row did not
 * say which export it came from: the next run reads the exports again. Until version 8 averages were decimals.
 */
async function rewriteGrades(
  located: LocatedFile,
  context: MigrationContext,
  contract: number,
): Promise<LocatedFile[]> {
  const rows = rowsOf(located);
  const hasExports = (await columnsOf(context, located)).includes("exportFile");
  const hasBlanks = contract <= 2 && (await readValue(context, `SELECT count(*) FROM ${rows} WHERE ${BLANK}`)) !== "0";
  const average = hasBlanks ? `CASE WHEN ${BLANK} THEN NULL ELSE averageGPA END` : "averageGPA";
  const exports = hasExports
    ? ""
    : ", NULL::VARCHAR AS exportFile, NULL::VARCHAR AS exportSha256, NULL::VARCHAR AS exportSheet, NULL::INTEGER AS exportRow";
  return [
    await writeSameRows(
      located,
      context,
      `SELECT * REPLACE ((${average})::DOUBLE AS averageGPA)${exports} FROM ${rows}`,
      "quarter, sectionCode",
    ),
  ];
}

/** The inside of a JSON string. */
const TEXT = String.raw`(?:[^"\\]|\\.)*`;
/** Begins as an exam does, or its last word has no digit. */
const EXAM = String.raw`(?:AP|IB|SAT|ACT|CLEP) ${TEXT}|(?:${TEXT} )?[^"\\\d ]+`;

/** A name stands right behind `[` or `,`, a key behind `{`; blanks keep the second replacement off the objects of the first. */
const AS_OBJECTS = String.raw`regexp_replace(
  regexp_replace(prerequisiteTree, '([\[,])"(${EXAM})"', '\1{"prereqType": "exam", "examName": "\2"}', 'g'),
  '([\[,])"(${TEXT})"', '\1{"prereqType": "course", "coreq": false, "courseId": "\2"}', 'g')`;

/**
 * Until version 4 a course's requirement was a tree of names only. They become the leaves of the tree of objects, without grades, until the next run that
 * reads the prerequisite pages.
 */
async function rewriteCourses(located: LocatedFile, context: MigrationContext): Promise<LocatedFile[]> {
  const columns = await columnsOf(context, located);
  if (columns.includes("requirementTree")) return [located];
  const selected = columns.map((name) =>
    name === "prerequisiteText" ? `"${name}", ${AS_OBJECTS} AS "requirementTree"` : `"${name}"`,
  );
  return [await writeSameRows(located, context, `SELECT ${selected.join(", ")} FROM ${rowsOf(located)}`, "id")];
}

/** Until version 7 terms had no number to sort them by. */
async function rewriteTerms(located: LocatedFile, context: MigrationContext): Promise<LocatedFile[]> {
  if ((await columnsOf(context, located)).includes("ordinal")) return [located];
  const quarters = "['Winter', 'Spring', 'Summer1', 'Summer10wk', 'Summer2', 'Fall']";
  const ordinal = `(10 * year::INTEGER + list_position(${quarters}, quarter))::INTEGER AS ordinal`;
  return [await writeSameRows(located, context, `SELECT *, ${ordinal} FROM ${rowsOf(located)}`, "ordinal")];
}

/** Other columns or values; no row is added or lost. */
async function writeSameRows(
  { file: { table, partition, rows } }: LocatedFile,
  context: MigrationContext,
  select: string,
  orderBy: string,
): Promise<LocatedFile> {
  const sorted = {
    table,
    partition,
    select,
    orderBy,
    rowsPerGroup: ROWS_PER_GROUP,
    count: () => Promise.resolve(rows),
  };
  const file = await writeSorted(context.connection, context, sorted);
  return { file, at: join(context.filesFolder, file.path) };
}
