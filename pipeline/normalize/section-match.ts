/**
 * Which section a grade row belongs to: the one with its code in its term; for "Summer" the one of the three sessions that has the code and the course
 * (behaviour §3).
 */
import type { SheetRow } from "../contract/grade.ts";
import {
  compareTerms,
  courseDigits,
  departmentKey,
  FIRST_TERM,
  SUMMER_QUARTERS,
  type GeCategory,
  type Term,
} from "../contract/vocabulary.ts";
import { departmentNameKey } from "./department-names.ts";

/** What a grade row takes from a published section, and what tells whether it is the right one. */
export interface CandidateSection {
  readonly department: string;
  readonly courseNumber: string;
  readonly courseTitle?: string;
  readonly departmentName?: string;
  readonly instructors: readonly string[];
  readonly geCategories: readonly GeCategory[];
}

/** Our own published sections, as far as grades need them. */
export interface SectionLookup {
  /** Whether the term has published sections. */
  isPublished(term: Term): boolean;
  find(term: Term, sectionCode: string): CandidateSection | undefined;
  /** The code of the one department that has this name (or this code, whatever its blanks and case): see createDepartmentNames. */
  departmentByName(name: string): string | undefined;
}

export type SectionMatch =
  | { kind: "section"; term: Term; section: CandidateSection; discrepancy?: string }
  /** The term has no published sections: the sheet is all there is. */
  | { kind: "sheetOnly"; term: Term }
  | { kind: "unmatched"; reason: string };

const unmatched = (reason: string): SectionMatch => ({ kind: "unmatched", reason });

/** Places a row, or says why it has no place. */
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
    // A session hands out the others' codes anew, so the code alone says nothing: the course must be there too.
    .filter(
      ({ similarity }) => similarity.number !== "other" || (similarity.title && similarity.department === "same"),
    );
  // The sort keeps the order of the sessions where nothing tells them apart.
  const [best] = candidates.sort((a, b) => rank(b.similarity) - rank(a.similarity));
  if (!best) return unmatched("no published session of its Summer has its section code with its course");
  const { similarity } = best;
  // While a session is missing, another department's section with the same digits is more likely a coincidence than the course.
  if (sessions.length < SUMMER_QUARTERS.length && similarity.department === "other" && !similarity.title) {
    return unmatched("no published session of its Summer has its section code with its course");
  }
  return matched(best.term, best.section, row, similarity);
}

/** How far what the sheet says of the course agrees with the section. */
interface Similarity {
  /** `lettersLost`: a spreadsheet made 20B the number 20. `otherLetters`: the digits agree, the letters do not. */
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

/** The departments that a row's code and name stand for: none when both are unknown. */
export function departmentsOf(row: SheetRow, facts: SectionLookup): string[] {
  return [row.department, row.departmentName]
    .map((text) => (text === "" ? undefined : facts.departmentByName(text)))
    .filter((code) => code !== undefined);
}

const numberKey = (number: string): string =>
  number
    .replace(/\s+/g, "")
    .replace(/^0+(?=\d)/, "")
    .toUpperCase();
const titleKey = (title: string): string => title.toUpperCase().replace(/[^A-Z0-9]/g, "");

/**
 * A published code of another course: the office's row is about something that our sections do not hold. One difference alone is no proof, for courses
 * are renumbered and departments renamed between the schedule and the delivery; number and department must both fail to agree, and the title too.
 */
const isDifferentCourse = ({ number, department, title }: Similarity): boolean =>
  number === "other" && department !== "same" && !title;

/** Orders candidates: compatible letters first, then the department, the full number, the title. */
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
