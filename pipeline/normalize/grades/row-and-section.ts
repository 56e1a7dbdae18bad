/**
 * A grade row and the section with its code: the facts that both state, and when the row belongs to another section
 * (pipeline/RULES.md, Contradictions).
 */
import type { SheetRow } from "../../contract/rows/grade.ts";
import { courseDigits, departmentKey, type GeCategory, SECTION_TYPES, type Term } from "../../contract/vocabulary.ts";
import { courseNumberKey } from "../course-number-key.ts";
import { departmentNameKey } from "../people/department-names.ts";
import { isNobody } from "../people/nobody.ts";
import { shareAPerson } from "../people/same-person.ts";
import { toSheetInstructors } from "../people/short-name.ts";
import { type Agreements, byKey, type Join } from "../reconcile.ts";
import { toSectionType } from "../schedule/labels.ts";
import { isSameTitle } from "../titles.ts";

/** A published section: the facts that a grade row takes from it, and those that are compared with the row. */
export interface CandidateSection {
  readonly department: string;
  readonly courseNumber: string;
  readonly courseTitle?: string;
  readonly departmentName?: string;
  readonly sectionType?: string;
  readonly sectionNum?: string;
  readonly instructors: readonly string[];
  readonly geCategories: readonly GeCategory[];
}

/** Look-ups in the published sections. */
export interface SectionLookup {
  /** True when the term has published sections. */
  isPublished(term: Term): boolean;
  find(term: Term, sectionCode: string): CandidateSection | undefined;
  /** Returns the code of the only department with this name or code, see `createDepartmentNames`. */
  departmentByName(name: string): string | undefined;
}

/** A row with the departments that its code and name stand for; none when both are unknown. */
export interface RowOfCourse {
  readonly row: SheetRow;
  readonly departments: readonly string[];
}

/** The departments of a row's code and name; none when both are unknown. */
export const departmentsOf = (row: SheetRow, lookup: SectionLookup): string[] =>
  [row.department, row.departmentName]
    .map((text) => lookup.departmentByName(text))
    .filter((code) => code !== undefined);

/** The actual people among a section's instructors, without duplicates. */
export const namedOf = ({ instructors }: CandidateSection): string[] =>
  [...new Set(instructors)].filter((name) => !isNobody(name));

export type RowFact = "courseNumber" | "department" | "title" | "sectionType" | "sectionNum" | "instructors";

const BETWEEN = "; ";
const namesIn = (text: string): string[] => text.split(BETWEEN);
const typeOf = (text = ""): string => SECTION_TYPES.find((type) => type === toSectionType(text)) ?? "";

/** The section wins every fact; the sheet's instructors are used if the section names nobody. */
export const ROW_AND_SECTION: Join<RowOfCourse, CandidateSection, RowFact> = {
  left: "the sheet",
  right: "the section",
  facts: {
    courseNumber: {
      name: "course number",
      left: ({ row }) => row.courseNumber,
      right: ({ courseNumber }) => courseNumber,
      compare: ([sheet, section]) => (isSameNumber(compareNumbers(sheet, section)) ? "same" : "other"),
      wins: "right",
    },
    department: {
      name: "department",
      left: ({ row }) => row.departmentName || row.department,
      right: ({ department }) => department,
      compare: (_, { row, departments }, { department, departmentName = "" }) => {
        const isSame = (code: string) => departmentKey(code) === departmentKey(department);
        if (departments.some(isSame)) return "same";
        const name = departmentNameKey(row.departmentName);
        if (name !== "" && name === departmentNameKey(departmentName)) return "same";
        return departments.length > 0 ? "other" : "missing";
      },
      wins: "right",
    },
    title: {
      name: "title",
      left: ({ row }) => row.courseTitle,
      right: ({ courseTitle = "" }) => courseTitle,
      compare: ([sheet, section]) => (isSameTitle(sheet, section) ? "same" : "other"),
      wins: "right",
    },
    sectionType: {
      name: "type",
      left: ({ row }) => typeOf(row.sectionType),
      right: ({ sectionType }) => typeOf(sectionType),
      wins: "right",
    },
    sectionNum: {
      name: "section number",
      left: ({ row }) => row.sectionNum,
      right: ({ sectionNum = "" }) => sectionNum,
      compare: byKey(courseNumberKey),
      wins: "right",
    },
    instructors: {
      name: "instructor",
      left: ({ row }) => toSheetInstructors(row.instructor).join(BETWEEN),
      right: (section) => namedOf(section).join(BETWEEN),
      compare: ([sheet, section]) =>
        namesIn(sheet).every((name) => shareAPerson([name], namesIn(section))) ? "same" : "other",
      wins: "right",
    },
  },
  isRefused: isOtherCourse,
};

/**
 * How far two course numbers agree. `lettersLost`: a spreadsheet turned 20B into 20. `otherLetters`: only the digits
 * agree.
 */
export type NumberAgreement = "same" | "lettersLost" | "otherLetters" | "other";

export function compareNumbers(sheet: string, section: string): NumberAgreement {
  const [a, b] = [courseNumberKey(sheet), courseNumberKey(section)];
  if (a === b) return "same";
  if (courseDigits(a) !== courseDigits(b)) return "other";
  return /^\d+$/.test(a) ? "lettersLost" : "otherLetters";
}

export const isSameNumber = (agreement: NumberAgreement): boolean =>
  agreement === "same" || agreement === "lettersLost";

/**
 * True when the code belongs to another course. Courses are renumbered and departments renamed between schedule and
 * delivery, so a number may differ if department or title agree, and a department if number or title do; if the title
 * also contradicts, it is another course.
 */
function isOtherCourse(
  { courseNumber, department, title }: Agreements<RowFact>,
  { row }: RowOfCourse,
  section: CandidateSection,
): boolean {
  if (title === "same") return false;
  if (courseNumber !== "other") return department === "other" && title === "other";
  const isRenumbered = compareNumbers(row.courseNumber, section.courseNumber) === "other";
  return title === "other" || (isRenumbered && department !== "same");
}
