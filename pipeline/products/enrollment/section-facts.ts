/**
 * The sections that imported days are compared with: the schedule's, else recorded ones, else the first ones in the
 * files themselves.
 */
import type { Tally } from "../../contract/documents/tally.ts";
import { enrollmentHistory, enrollmentPeriods } from "../../contract/rows/enrollment-history.ts";
import { sections } from "../../contract/rows/section.ts";
import { tableRows } from "../../contract/sql-text.ts";
import { type Term, termName } from "../../contract/vocabulary.ts";
import { DESCRIBED_AS } from "../../normalize/enrollment/enrollment-history.ts";
import {
  dayAndSection,
  SECTION_FACTS,
  type SectionFacts,
  sectionName,
} from "../../normalize/enrollment/day-and-section.ts";
import type { SectionDescription } from "../../normalize/enrollment/imported-snapshot.ts";
import { createDepartmentNames } from "../../normalize/people/department-names.ts";
import { differencesOf, reconcile } from "../../normalize/reconcile.ts";
import { writePartition } from "../../publish/partition.ts";
import type { RunContext } from "../context.ts";
import { readDepartmentNames } from "../grades/graded-sections.ts";

interface KnownSection {
  readonly facts: SectionFacts;
  /** The section in reports: `the section`, or a line of a file. */
  readonly from: string;
}

interface SectionKey extends Term {
  readonly sectionCode: string;
}

export interface KnownSections {
  /** The description with the code of its department, for a name or another spelling of the code. */
  withCode(description: SectionDescription): SectionDescription;
  /** Forgets the facts of a file that is not imported after all. */
  forget(file: string): void;
  /**
   * Explains why an imported day belongs to another section than the one with its code; undefined when nothing
   * contradicts. `place` names the row.
   */
  contradiction(section: SectionKey, day: SectionFacts, place: string): Promise<string | undefined>;
}

export async function openKnownSections(context: RunContext): Promise<KnownSections> {
  const departmentByName = createDepartmentNames((await readDepartmentNames(context)).pairs);
  const terms = new Map<string, Map<string, KnownSection>>();
  return {
    withCode(description) {
      const { department } = description;
      return { ...description, department: department === null ? null : (departmentByName(department) ?? department) };
    },
    forget(file) {
      for (const sectionsOfTerm of terms.values())
        for (const [code, { from }] of sectionsOfTerm)
          if (from.startsWith(`${file} line `)) sectionsOfTerm.delete(code);
    },
    async contradiction({ sectionCode, ...term }, day, place) {
      const name = termName(term);
      const ofTerm = terms.get(name) ?? (await readKnown(context, term));
      terms.set(name, ofTerm);
      const section = ofTerm.get(sectionCode);
      if (!section) {
        if (sectionName(day) !== "") ofTerm.set(sectionCode, { facts: factsOf(day), from: place });
        return undefined;
      }
      const join = dayAndSection(section.from, departmentByName);
      const { isRefused, values } = reconcile(join, day, section.facts);
      if (isRefused) return `${name} ${sectionCode} is ${sectionName(day)}; ${differencesOf(join, day, section.facts)}`;
      // A line of a file may complete another.
      if (section.from !== THE_SECTION) ofTerm.set(sectionCode, { ...section, facts: values });
      return undefined;
    },
  };
}

const THE_SECTION = "the section";

const factsOf = ({ department, courseNumber, sectionType, sectionNum }: SectionFacts): SectionFacts => ({
  department,
  courseNumber,
  sectionType,
  sectionNum,
});

async function readKnown(
  { database, staging }: RunContext,
  { year, quarter }: Term,
): Promise<Map<string, KnownSection>> {
  const term = { year, quarter };
  const shown = tableRows(sections, staging.paths("sections", term));
  const recorded = tableRows(enrollmentHistory, staging.paths("enrollment_history", term));
  const columns = SECTION_FACTS.join(", ");
  const described = SECTION_FACTS.map((name) => `${DESCRIBED_AS[name]} AS ${name}`).join(", ");
  const reader = await database.connection.runAndReadAll(
    `WITH shown AS (SELECT sectionCode, ${described} FROM ${shown})
     SELECT sectionCode, ${columns} FROM shown
     UNION ALL
     SELECT sectionCode, ${columns} FROM ${recorded} recorded ANTI JOIN shown USING (sectionCode) WHERE NOT imported`,
  );
  const rows = reader.getRowObjectsJS() as unknown as (SectionFacts & { sectionCode: string })[];
  return new Map(rows.map((row) => [row.sectionCode, { facts: factsOf(row), from: THE_SECTION }]));
}

/**
 * Removes the imported days of sections that contradict the term's schedule, when it is read for the first time. Each
 * is dropped by name. **Output:** enrollment_periods of the affected months.
 */
export async function leaveOutContradicted(context: RunContext, term: Term, tally: Tally): Promise<void> {
  const { database, staging } = context;
  const partition = { year: term.year, quarter: term.quarter };
  const imported = tableRows(enrollmentHistory, staging.paths("enrollment_history", partition));
  const shown = tableRows(sections, staging.paths("sections", partition));
  const reader = await database.connection.runAndReadAll(
    `SELECT i.sectionCode, ${SECTION_FACTS.flatMap((name) => [`i.${name}`, `shown.${DESCRIBED_AS[name]}`]).join(", ")}
     FROM ${imported} i JOIN ${shown} shown ON i.sectionCode = shown.sectionCode WHERE i.imported ORDER BY ALL`,
  );
  if (reader.currentRowCount === 0) return;
  const join = dayAndSection(THE_SECTION, createDepartmentNames((await readDepartmentNames(context)).pairs));
  const codes: string[] = [];
  for (const [code = "", ...texts] of reader.getRowsJS() as string[][]) {
    const side = (offset: number) =>
      Object.fromEntries(SECTION_FACTS.map((name, i) => [name, texts[2 * i + offset] ?? null])) as SectionFacts;
    const [day, section] = [side(0), side(1)];
    if (!reconcile(join, day, section).isRefused) continue;
    codes.push(code);
    const differences = differencesOf(join, day, section);
    tally.drop(OTHER_SECTION, `imported before, ${termName(term)} ${code} is ${sectionName(day)}; ${differences}`);
  }
  if (codes.length === 0) return;
  tally.damage(`${termName(term)}: the imported days of ${codes.length} sections belong to others, and are left out`);
  const months = staging
    .files()
    .filter(({ table, partition: { year, quarter } }) => {
      return table === "enrollment_periods" && year === term.year && quarter === term.quarter;
    })
    .map((file) => file.partition);
  for (const month of months) {
    const periods = tableRows(enrollmentPeriods, staging.paths("enrollment_periods", month));
    const file = await writePartition(database.connection, staging, {
      table: enrollmentPeriods,
      partition: month,
      select: `SELECT * FROM ${periods}
        WHERE NOT (imported AND sectionCode IN (SELECT unnest(CAST($1::JSON AS VARCHAR[]))))`,
      values: [JSON.stringify(codes)],
      allowEmpty: true,
    });
    if (file.rows > 0) staging.put(file);
    else staging.remove("enrollment_periods", month);
  }
}

/** The report's reason for a day that is refused. */
export const OTHER_SECTION = "a day of another section than the one with its code";
