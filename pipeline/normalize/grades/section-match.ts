/**
 * Matches a grade row with a section: by code in its term; for "Summer" by code and course in one of the three sessions
 * (pipeline/RULES.md, Grades).
 */
import type { SheetRow } from "../../contract/rows/grade.ts";
import { compareTerms, FIRST_TERM, SUMMER_QUARTERS, type Term, termName } from "../../contract/vocabulary.ts";
import { shareAPerson } from "../people/same-person.ts";
import { toSheetInstructors } from "../people/short-name.ts";
import { type Agreements, reconcile } from "../reconcile.ts";
import {
  type CandidateSection,
  compareNumbers,
  departmentsOf,
  isSameNumber,
  namedOf,
  type NumberAgreement,
  ROW_AND_SECTION,
  type RowFact,
  type SectionLookup,
} from "./row-and-section.ts";

export type { CandidateSection, SectionLookup } from "./row-and-section.ts";

export type SectionMatch =
  | { kind: "section"; term: Term; section: CandidateSection }
  /** The term has no published sections. */
  | { kind: "sheetOnly"; term: Term }
  /** `detail` names the other side. */
  | { kind: "unmatched"; reason: string; detail?: string };

const unmatched = (reason: string, detail?: string): SectionMatch =>
  detail === undefined ? { kind: "unmatched", reason } : { kind: "unmatched", reason, detail };

const TOO_EARLY = "a term before the service's first, 2014 Summer1";

export function matchRow(row: SheetRow, lookup: SectionLookup): SectionMatch {
  if (row.quarter === "Summer") return matchSummerRow(row, lookup);
  const term: Term = { year: row.year, quarter: row.quarter };
  if (compareTerms(term, FIRST_TERM) < 0) return unmatched(TOO_EARLY);
  if (!lookup.isPublished(term)) return { kind: "sheetOnly", term };
  const section = lookup.find(term, row.sectionCode);
  if (!section) return unmatched("its term is published and has no such section code");
  if (candidate(row, term, section, lookup).isRefused)
    return unmatched("its section code belongs to another course", `the section is ${courseOf(section)}`);
  return { kind: "section", term, section };
}

/** A section that the row may belong to. */
interface Candidate {
  readonly term: Term;
  readonly section: CandidateSection;
  readonly agreements: Agreements<RowFact>;
  readonly isRefused: boolean;
  readonly number: NumberAgreement;
}

function candidate(row: SheetRow, term: Term, section: CandidateSection, lookup: SectionLookup): Candidate {
  const sheet = { row, departments: departmentsOf(row, lookup) };
  const { agreements, isRefused } = reconcile(ROW_AND_SECTION, sheet, section);
  return { term, section, agreements, isRefused, number: compareNumbers(row.courseNumber, section.courseNumber) };
}

const NO_SESSION = "no published session of its Summer has its section code with its course";

function matchSummerRow(row: SheetRow, lookup: SectionLookup): SectionMatch {
  if (row.year < FIRST_TERM.year) return unmatched(TOO_EARLY);
  const sessions = SUMMER_QUARTERS.map((quarter): Term => ({ year: row.year, quarter })).filter((term) =>
    lookup.isPublished(term),
  );
  if (sessions.length === 0) return unmatched("a Summer row of a year without a published session");
  const withCode = sessions.flatMap((term) => {
    const section = lookup.find(term, row.sectionCode);
    return section ? [candidate(row, term, section, lookup)] : [];
  });
  // Sessions reuse each other's codes, so the course must match too.
  const withCourse = withCode.filter(
    ({ agreements: { title, department }, isRefused, number }) =>
      !isRefused && (number !== "other" || (title === "same" && department === "same")),
  );
  if (withCourse.length === 0) return unmatched(NO_SESSION, withCode.map(nameOf).join(", ") || undefined);
  const [match, ...others] = mostLike(withCourse, row);
  const people = toSheetInstructors(row.instructor).join(", ") || "nobody";
  if (!match || others.length > 0)
    return unmatched(
      "several sessions of its Summer have its section code with its course",
      `${withCourse.map(nameOf).join(", ")}; the sheet names ${people}`,
    );
  // While a session is missing, an equal number in another department is probably a coincidence.
  const { department, title } = match.agreements;
  if (sessions.length < SUMMER_QUARTERS.length && department === "other" && title !== "same")
    return unmatched(NO_SESSION, nameOf(match));
  return { kind: "section", term: match.term, section: match.section };
}

/**
 * The sessions that agree most with the row: in the course, then in the instructors, then in the section's other facts.
 */
function mostLike(candidates: readonly Candidate[], row: SheetRow): readonly Candidate[] {
  const people = toSheetInstructors(row.instructor);
  const ofCourse = highest(candidates, [
    ({ number }) => (isSameNumber(number) ? 2 : number === "otherLetters" ? 1 : 0),
    ({ agreements }) => rankOf(agreements.department),
    ({ agreements }) => (agreements.title === "same" ? 1 : 0),
  ]);
  // All of them have other instructors, so the remaining agreements are chance.
  if (ofCourse.every(({ agreements }) => agreements.instructors === "other")) {
    const ofPeople = ofCourse.filter(({ section }) => shareAPerson(people, namedOf(section)));
    return ofPeople.length > 0 ? ofPeople : ofCourse;
  }
  return highest(ofCourse, [
    ({ section }) => (shareAPerson(people, namedOf(section)) ? 1 : 0),
    ({ agreements }) => rankOf(agreements.sectionType) + rankOf(agreements.sectionNum),
    ({ number }) => (number === "same" ? 1 : 0),
  ]);
}

/** The candidates of the highest first rank; among these, those of the highest second rank, and so on. */
const highest = (
  candidates: readonly Candidate[],
  ranks: readonly ((candidate: Candidate) => number)[],
): readonly Candidate[] =>
  ranks.reduce((left, rank) => {
    const most = Math.max(...left.map(rank));
    return left.filter((candidate) => rank(candidate) === most);
  }, candidates);

const rankOf = (agreement: Agreements[string] | undefined): number =>
  agreement === "same" ? 2 : agreement === "other" ? 0 : 1;

const courseOf = ({ department, courseNumber }: CandidateSection): string => `${department} ${courseNumber}`;

const nameOf = ({ section, term }: Candidate): string =>
  `${termName(term)} has ${courseOf(section)} by ${namedOf(section).join(", ") || "nobody"}`;
