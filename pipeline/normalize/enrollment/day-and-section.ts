/** An imported day and the section with its code (pipeline/RULES.md, Contradictions). */
import type { ImportedSnapshot } from "../../contract/rows/enrollment-history.ts";
import { courseNumberKey } from "../course-number-key.ts";
import { byKey, type Join } from "../reconcile.ts";

export const SECTION_FACTS = ["department", "courseNumber", "sectionType", "sectionNum"] as const;
export type SectionFact = (typeof SECTION_FACTS)[number];

/** The facts that identify a section besides term and code; null if a file omits them. */
export type SectionFacts = Readonly<Pick<ImportedSnapshot, SectionFact>>;

/**
 * The section wins every fact; a day that contradicts any belongs to another section.
 * @param right the section's name in reports
 * @param departmentByName returns the code for a department's name or code
 */
export const dayAndSection = (
  right: string,
  departmentByName: (name: string) => string | undefined,
): Join<SectionFacts, SectionFacts, SectionFact> => ({
  left: "the day",
  right,
  facts: {
    department: {
      ...factOf("department", "department"),
      compare: byKey((text) => (departmentByName(text) ?? text).replace(/\s+/g, "").toUpperCase()),
    },
    courseNumber: { ...factOf("courseNumber", "course number"), compare: byKey(courseNumberKey) },
    sectionType: factOf("sectionType", "type"),
    sectionNum: { ...factOf("sectionNum", "section number"), compare: byKey(courseNumberKey) },
  },
  isRefused: (agreements) => SECTION_FACTS.some((name) => agreements[name] === "other"),
});

const factOf = (field: SectionFact, name: string) => ({
  name,
  left: (day: SectionFacts) => day[field] ?? "",
  right: (section: SectionFacts) => section[field] ?? "",
  wins: "right" as const,
});

/** `MATH 2A Lec A`, for the report. */
export const sectionName = (facts: SectionFacts): string =>
  SECTION_FACTS.flatMap((name) => facts[name] || []).join(" ");
