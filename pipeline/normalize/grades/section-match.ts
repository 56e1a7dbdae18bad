/**
 * Matches a grade row with a section: by code in its term; for "Summer" by code and course in one of the three sessions (pipeline/RULES.md, Grades).
 */
import type { SheetRow } from "../../contract/rows/grade.ts";
import {
  compareTerms,
  courseDigits,
  departmentKey,
  FIRST_TERM,
  SUMMER_QUARTERS,
  type GeCategory,
  type Term,
} from "../../contract/vocabulary.ts";
import { departmentNameKey } from "../people/department-names.ts";

/** A published section: what a grade row takes from it, and what identifies its course. */
export interface CandidateSection {
  readonly department: string;
  readonly courseNumber: string;
  readonly courseTitle?: string;
  readonly departmentName?: string;
  readonly instructors: readonly string[];
  readonly geCategories: readonly GeCategory[];
}

/** Look-ups in our own published sections. */
export interface SectionLookup {
  /** Whether the term has published sections. */
  isPublished(term: Term): boolean;
  find(term: Term, sectionCode: string): CandidateSection | undefined;
  /** The code of the only department with this name or code, see `createDepartmentNames`. */
  departmentByName(name: string): string | undefined;
}

export type SectionMatch =
  | { kind: "section"; term: Term; section: CandidateSection; discrepancy?: string }
  /** The term has no published sections. */
  | { kind: "sheetOnly"; term: Term }
  | { kind: "unmatched"; reason: string };

const unmatched = (reason: string): SectionMatch => ({ kind: "unmatched", reason });

export function matchRow(row: SheetRow, facts: SectionLookup): SectionMatch {
  if (row.quarter === "Summer") return matchSummerRow(row, facts);
  const term: Term = { year: row.year, quarter: row.quarter };
  if (compareTerms(term, FIRST_TERM) < 0) return unmatched("a term before the service's first, 2014 Summer1");
  if (!facts.isPublished(term)) return { kind: "sheetOnly", term };
  const section = facts.find(term, row.sectionCode);
  if (!section) return unmatched("its term is published and has no such section code");
  const similarity = compare(row, section, facts);
  if (isDifferentCourse(similarity)) return unmatched("its section code belongs to another course");
  return matched(term, section, row, similarity);
}

function matchSummerRow(row: SheetRow, facts: SectionLookup): SectionMatch {
  if (row.year < FIRST_TERM.year) return unmatched("a term before the service's first, 2014 Summer1");
  const sessions = SUMMER_QUARTERS.map((quarter): Term => ({ year: row.year, quarter })).filter((term) =>
    facts.isPublished(term),
  );
  if (sessions.length === 0) return unmatched("a Summer row of a year without a published session");
  const candidates = sessions
    .flatMap((term) => {
      const section = facts.find(term, row.sectionCode);
      return section ? [{ term, section, similarity: compare(row, section, facts) }] : [];
    })
    // Sessions reuse each other's codes, so the course must match too.
    .filter(
      ({ similarity }) => similarity.number !== "other" || (similarity.title && similarity.department === "same"),
    );
  // A stable sort: equal ranks keep the order of the sessions.
  const [best] = candidates.sort((a, b) => rank(b.similarity) - rank(a.similarity));
  if (!best) return unmatched("no published session of its Summer has its section code with its course");
  const { similarity } = best;
  // While a session is missing, an equal number in another department is probably a coincidence.
  if (sessions.length < SUMMER_QUARTERS.length && similarity.department === "other" && !similarity.title) {
    return unmatched("no published session of its Summer has its section code with its course");
  }
  return matched(best.term, best.section, row, similarity);
}

/** How far the sheet's course agrees with the section's. */
interface Similarity {
  /** `lettersLost`: a spreadsheet turned 20B into 20. `otherLetters`: only the digits agree. */
  number: "same" | "lettersLost" | "otherLetters" | "other";
  department: "same" | "unknown" | "other";
  title: boolean;
}

function compare(row: SheetRow, section: CandidateSection, facts: SectionLookup): Similarity {
  return {
    number: compareNumbers(row.courseNumber, section.courseNumber),
    department: compareDepartments(row, section, facts),
    title: titleKey(row.courseTitle) !== "" && titleKey(row.courseTitle) === titleKey(section.courseTitle ?? ""),
  };
}

function compareNumbers(sheet: string, section: string): Similarity["number"] {
  const [a, b] = [numberKey(sheet), numberKey(section)];
  if (a === b) return "same";
  if (courseDigits(a) !== courseDigits(b)) return "other";
  return /^\d+$/.test(a) ? "lettersLost" : "otherLetters";
}

function compareDepartments(row: SheetRow, section: CandidateSection, facts: SectionLookup): Similarity["department"] {
  const codes = departmentsOf(row, facts);
  const ofSection = departmentKey(section.department);
  if (codes.some((code) => departmentKey(code) === ofSection)) return "same";
  const nameKey = departmentNameKey(row.departmentName);
  if (nameKey !== "" && nameKey === departmentNameKey(section.departmentName ?? "")) return "same";
  return codes.length > 0 ? "other" : "unknown";
}

/** The departments of a row's code and name; none when both are unknown. */
export function departmentsOf(row: SheetRow, facts: SectionLookup): string[] {
  return [row.department, row.departmentName]
    .map((text) => facts.departmentByName(text))
    .filter((code) => code !== undefined);
}

const numberKey = (number: string): string =>
  number
    .replace(/\s/g, "")
    .replace(/^0+(?=\d)/, "")
    .toUpperCase();
const titleKey = (title: string): string => title.toUpperCase().replace(/[^A-Z0-9]/g, "");

/**
 * Whether the code is of another course. Courses are renumbered and departments renamed between schedule and delivery, so number, department and title
 * must all disagree.
 */
const isDifferentCourse = ({ number, department, title }: Similarity): boolean =>
  number === "other" && department !== "same" && !title;

/** Orders candidates: letters that agree first, then the department, the full number, the title. */
const rank = ({ number, department, title }: Similarity): number =>
  (number === "same" || number === "lettersLost" ? 24 : number === "otherLetters" ? 12 : 0) +
  { same: 8, unknown: 4, other: 0 }[department] +
  (number === "same" ? 2 : 0) +
  (title ? 1 : 0);

function matched(
  term: Term,
  section: CandidateSection,
  row: SheetRow,
  { number, department }: Similarity,
): SectionMatch {
  const found = { kind: "section", term, section } as const;
  if (number === "other" || number === "otherLetters") {
    return {
      ...found,
      discrepancy: `the sheet's course number is ${row.courseNumber}, the section's ${section.courseNumber}`,
    };
  }
  if (department === "other") {
    return {
      ...found,
      discrepancy: `the sheet's department is ${row.departmentName || row.department}, the section's ${section.department}`,
    };
  }
  return found;
}
