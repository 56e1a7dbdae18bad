/** Looks up the sections of grade rows, term by term. */
import type { SheetRow } from "../../contract/rows/grade.ts";
import { departments } from "../../contract/rows/listing.ts";
import { headings, sections } from "../../contract/rows/section.ts";
import { type GeCategory, SUMMER_QUARTERS, type Term, termName } from "../../contract/vocabulary.ts";
import { createDepartmentNames } from "../../normalize/people/department-names.ts";
import type { CandidateSection, SectionLookup } from "../../normalize/grades/section-match.ts";
import type { RunContext } from "../context.ts";
import { tableRows } from "../../contract/sql-text.ts";

type Row = [
  ...[code: string, department: string, number: string, title: string, type: string, sectionNum: string],
  ...[instructors: string[], ge: GeCategory[]],
];

/** Terms by name, each with the section codes to look up in it. */
export type WantedSections = ReadonlyMap<string, { readonly term: Term; readonly codes: ReadonlySet<string> }>;

export function termsOf(rows: readonly SheetRow[]): WantedSections {
  const wanted = new Map<string, { term: Term; codes: Set<string> }>();
  for (const { year, quarter, sectionCode } of rows) {
    for (const candidate of quarter === "Summer" ? SUMMER_QUARTERS : [quarter]) {
      const term: Term = { year, quarter: candidate };
      const entry = wanted.get(termName(term)) ?? { term, codes: new Set<string>() };
      entry.codes.add(sectionCode);
      wanted.set(termName(term), entry);
    }
  }
  return wanted;
}

export async function readGradedSections(
  { database, staging }: RunContext,
  wanted: WantedSections,
  names: DepartmentNames,
): Promise<SectionLookup> {
  const sectionsByTerm = new Map<string, Map<string, CandidateSection>>();
  for (const [name, { term, codes }] of wanted) {
    const file = staging.find("sections", { year: term.year, quarter: term.quarter });
    if (!file || file.rows === 0) continue;
    const paths = staging.paths("sections").filter((path) => path.endsWith(file.path));
    const reader = await database.connection.runAndReadAll(
      `SELECT sectionCode, deptCode, courseNumber, courseTitle, sectionType, sectionNum, instructors, geCategories
       FROM ${tableRows(sections, paths)}
       WHERE sectionCode IN (SELECT unnest(CAST($1::JSON AS VARCHAR[])))`,
      [JSON.stringify([...codes])],
    );
    const ofTerm = (reader.getRowsJS() as Row[]).map(
      ([code, department, courseNumber, courseTitle, sectionType, sectionNum, instructors, geCategories]) => {
        const departmentName = names.byCode.get(department);
        const section = { department, courseNumber, courseTitle, sectionType, sectionNum, instructors, geCategories };
        return [code, departmentName === undefined ? section : { ...section, departmentName }] as const;
      },
    );
    sectionsByTerm.set(name, new Map(ofTerm));
  }
  return {
    isPublished: (term) => sectionsByTerm.has(termName(term)),
    find: (term, code) => sectionsByTerm.get(termName(term))?.get(code),
    departmentByName: createDepartmentNames(names.pairs),
  };
}

export interface DepartmentNames {
  readonly pairs: readonly (readonly [name: string, code: string])[];
  readonly byCode: ReadonlyMap<string, string>;
}

/** Departments by name, from the form and the headings, in a stable order. */
export async function readDepartmentNames({ database, staging }: RunContext): Promise<DepartmentNames> {
  const reader = await database.connection.runAndReadAll(
    `SELECT deptName, deptCode FROM ${tableRows(departments, staging.paths("departments"))}
     UNION SELECT DISTINCT deptName, deptCode FROM ${tableRows(headings, staging.paths("headings"))} WHERE NOT ends_with(deptName, '*')
     ORDER BY ALL`,
  );
  const pairs = reader.getRowsJS() as [name: string, code: string][];
  return { pairs, byCode: new Map(pairs.map(([name, code]) => [code, name])) };
}
