/** Distributions of the catalogue, from 5,780 courses of about 2021; rounded. */
import type { GeCategory } from "../../contract/vocabulary.ts";
import type { TeachingStyle } from "./departments.ts";

/** Courses in the catalogue for each course offered in a term; offered courses return about every third main term. */
export const CATALOGUE_PER_OFFERED = 2.5;
/** Shares of courses by division in a term: 411 lower, 816 upper, 1,179 graduate of 2,406. */
export const DIVISION_SHARES: Readonly<Record<TeachingStyle, readonly [lower: number, upper: number]>> = {
  science: [0.2, 0.4],
  engineering: [0.12, 0.43],
  social: [0.15, 0.45],
  humanities: [0.2, 0.42],
  language: [0.5, 0.4],
  writing: [0.6, 0.3],
  arts: [0.35, 0.4],
  professional: [0.08, 0.32],
  medical: [0.03, 0.17],
};

export const NUMBER_PREFIXES: Readonly<Record<string, string>> = { "CRM/LAW": "C", PSCI: "P", UPPP: "U", SOCECOL: "E" };

/** Share of courses that are in the schedule but not in the catalogue, and in the catalogue but never offered. */
export const UNCATALOGUED_SHARE = 0.02;
export const DORMANT_SHARE = 0.05;

/** Share of courses with a value in the field. */
export const FILLED_SHARES = {
  ge: 0.139,
  prerequisite: 0.396,
  restriction: 0.61,
  sameAs: 0.14,
  overlap: 0.058,
  concurrent: 0.04,
  gradingOption: 0.09,
  repeatability: 0.283,
  corequisite: 0.035,
} as const;

// oxfmt-ignore
export const REPEATABILITY = [
  ["Unlimited as topics vary.", 702], ["May be repeated for credit unlimited times.", 481], ["May be taken for credit 2 times.", 144],
  ["May be taken for credit 3 times.", 80], ["May be taken for credit 3 times as topics vary.", 49], ["May be taken for credit 4 times.", 30],
  ["May be taken for credit for 12 units.", 25], ["May be taken for credit 6 times.", 24],
] as const;
// oxfmt-ignore
export const GRADING_OPTIONS = [
  ["Satisfactory/unsatisfactory only.", 299], ["Pass/no pass only.", 134], ["Honors-Pass-Fail.", 42], ["Workload Credit P/NP Only.", 12],
  ["In Progress (Letter Grade with P/NP).", 12], ["In Progress (Letter Grade with S/U).", 12],
] as const;

/** GE texts as catalogues print them, with their categories. */
type GeText = readonly [text: string, categories: readonly GeCategory[]];
// oxfmt-ignore
const GE = {
  writing: [["(Ib)", ["GE-1B"]], ["(Ia)", ["GE-1A"]], ["(Ib)", ["GE-1B"]]],
  science: [["(II)", ["GE-2"]], ["(II, Va)", ["GE-2", "GE-5A"]], ["(Va)", ["GE-5A"]], ["(II and VA)", ["GE-2", "GE-5A"]], ["(Vb)", ["GE-5B"]], ["(II)", ["GE-2"]]],
  formal: [["(Vb)", ["GE-5B"]], ["(II, Vb)", ["GE-2", "GE-5B"]], ["(II and (VA or VB))", ["GE-2", "GE-5A", "GE-5B"]], ["(Va)", ["GE-5A"]], ["(Vb)", ["GE-5B"]]],
  social: [["(III)", ["GE-3"]], ["(III and VIII)", ["GE-3", "GE-8"]], ["(III, VII)", ["GE-3", "GE-7"]], ["(III)", ["GE-3"]], ["(VIII)", ["GE-8"]]],
  humanities: [["(IV)", ["GE-4"]], ["(IV, VIII)", ["GE-4", "GE-8"]], ["(IV and VIII)", ["GE-4", "GE-8"]], ["(VII)", ["GE-7"]], ["((III or IV) and VII)", ["GE-3", "GE-4", "GE-7"]]],
  language: [["(VI)", ["GE-6"]], ["(VIII)", ["GE-8"]], ["(VI)", ["GE-6"]], ["(IV, VIII)", ["GE-4", "GE-8"]]],
} as const satisfies Record<string, readonly GeText[]>;
/** The texts that occur in departments of a style; none in medicine. */
export const GE_TEXTS: Readonly<Record<TeachingStyle, readonly GeText[]>> = {
  science: GE.science,
  engineering: GE.formal,
  social: GE.social,
  humanities: GE.humanities,
  language: GE.language,
  writing: GE.writing,
  arts: GE.humanities,
  professional: GE.social,
  medical: [],
};
/** Courses whose number ends in W satisfy upper-division writing. */
export const WRITING_GE: GeText = ["(Ib)", ["GE-1B"]];

/**
 * Prerequisite trees: leaves only 55 %, with OR groups 42 %, a single OR 1.6 %, groups inside groups the rest; leaves
 * as percentiles.
 */
export const TREE_SHARES = { flat: 0.55, groups: 0.97, or: 0.986 } as const;
// oxfmt-ignore
export const LEAF_COUNTS = [[0, 1], [0.35, 1], [0.5, 2], [0.75, 4], [0.9, 6], [0.95, 8], [0.99, 11], [1, 15]] as const;
export const EXAMS = [
  "AP CALCULUS AB",
  "AP CHEMISTRY",
  "AP COMP SCI A",
  "AP STATISTICS",
  "AP PHYSICS C",
  "AP BIOLOGY",
] as const;
