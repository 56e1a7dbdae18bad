/**
 * An operand of a requirement: words such as `MATH 2A`, and the remarks in brackets after them → a course, an exam, or
 * a condition.
 */
import { type CourseName, courseName, splitCourseName } from "../../contract/course-name.ts";
import type { RequiredItem, RequirementItem } from "../../contract/rows/course.ts";

export interface RequirementLeaf {
  /** The words, remarks included: `MATH 2A (min grade C)`. */
  readonly text: string;
  /** Absent for a condition, which is neither a course nor an exam: `SENIOR STANDING ONLY`. */
  readonly item?: Exclude<RequirementItem, { AND: unknown } | { OR: unknown }>;
}

/** True when the catalogue has a course of this name. */
export type IsCatalogued = (name: CourseName) => boolean;

/** The first words of exam names. */
const EXAMS: ReadonlySet<string> = new Set(["AP", "IB", "SAT", "ACT", "CLEP"]);

/** `PLACEMENT EXAM`, `MATH DIAGNOSTIC TEST` */
const TEST_WORDS = /\b(?:EXAM|EXAMINATION|TEST|PLACEMENT|DIAGNOSTIC)\b/;

/**
 * `SENIOR STANDING ONLY`, `SCHOOL OF I&C SCI ONLY`, `PHYSICS MAJORS`: also if the condition contains an exam or a
 * number.
 */
const CONDITION = /^BEST\b|\b(?:ONLY|STANDING|MAJORS?|MINORS?|REPEATS)\b/;

/** Words that no department's code contains: `LEVEL 2`, `UNITS OF 90`. */
const PROSE = /\b(?:AT|DIVISION|GPA|GRADE|IN|LEAST|LEVEL|MIN|NOT|OF|SCORE|THE|UNITS?|WITH|YEAR)\b/;
const DEPARTMENT = /^[A-Z][A-Z0-9&/.'-]*(?: [A-Z&][A-Z0-9&/.'-]*){0,2}$/;
const LONGEST_DEPARTMENT = 12;
const COURSE_NUMBER = /^[A-Z]{0,4}\d{1,4}[A-Z]{0,4}$/;

/** True when words begin with or contain an exam's name. */
export const isExam = (words: readonly string[]): boolean =>
  !CONDITION.test(words.join(" ")) && (EXAMS.has(words[0] ?? "") || TEST_WORDS.test(words.join(" ")));

interface Least {
  readonly kind: "grade" | "score";
  readonly value: string;
}

/** The contents of the brackets after a name, each kind in its order. All of them stay in the text. */
export interface Remarks {
  /** `( min grade = C )`, `( min score = 4 )` */
  readonly least: readonly Least[];
  /** `( coreq )`, with additional words. */
  readonly corequisite: readonly string[];
  /** `( recommended )`, with additional words. */
  readonly recommended: readonly string[];
  /** Unknown kinds: part of an exam's name, as in `AP CALCULUS AB (SUB)`. */
  readonly unknown: readonly string[];
}

const LEAST = /^min\.?(?:imum)?\s+(grade|score)\s*(?:(?:=|>=|:|of)\s*)?(\S.*)$/i;
export const NO_REMARKS: Remarks = { least: [], corequisite: [], recommended: [], unknown: [] };

export const hasRemarks = (remarks: Remarks): boolean => Object.values(remarks).some((texts) => texts.length > 0);

/** Adds the content of a pair of brackets. */
export function addRemark(remarks: Remarks, inside: string): Remarks {
  const [, kind, value] = LEAST.exec(inside) ?? [];
  if (kind !== undefined && value !== undefined)
    return { ...remarks, least: [...remarks.least, { kind: kind.toLowerCase() as Least["kind"], value }] };
  if (/^(?:coreq|concurrent)/i.test(inside)) {
    const said = /^(?:coreq(?:uisite)?|concurrent)\.?$/i.test(inside) ? "corequisite" : inside;
    return { ...remarks, corequisite: [...remarks.corequisite, said] };
  }
  if (/^recommended/i.test(inside)) {
    const said = /^recommended\.?$/i.test(inside) ? "recommended" : inside;
    return { ...remarks, recommended: [...remarks.recommended, said] };
  }
  return { ...remarks, unknown: [...remarks.unknown, inside] };
}

export const hasScore = ({ least }: Remarks): boolean => least.some(({ kind }) => kind === "score");

/** True when the brackets hold a known remark. */
export const isRemark = (inside: string): boolean => addRemark(NO_REMARKS, inside).unknown.length === 0;

/** An exclusion begins with NO: `NO I&C SCI 21`, `NO AP CALCULUS BC score of 4 or greater`. */
export function toLeaf(words: readonly string[], remarks: Remarks, isCatalogued: IsCatalogued): RequirementLeaf {
  const isExcluded = words[0] === "NO" && words.length > 1;
  const named = withoutOldName(words);
  const text = [...named, ...remarkTexts(remarks)].join(" ");
  const item = toItem(isExcluded ? named.slice(1) : named, remarks, isCatalogued);
  if (!item || remarks.recommended.length > 0) return { text };
  return { text, item: isExcluded ? { NOT: [item] } : item };
}

/** A renumbered course, `NEW * OLD since DATE`, has its new name. */
function withoutOldName(words: readonly string[]): readonly string[] {
  const star = words.indexOf("*");
  return star > 0 ? words.slice(0, star) : words;
}

const remarkTexts = ({ least, corequisite, recommended, unknown }: Remarks): string[] =>
  [...unknown, ...least.map(({ kind, value }) => `min ${kind} ${value}`), ...corequisite, ...recommended].map(
    (said) => `(${said})`,
  );

/** `AP CALCULUS BC score of 4 or greater` */
const SCORE_BEHIND = /^(.+?) score of (\S+) or (?:greater|higher|better)$/i;

function toItem(words: readonly string[], remarks: Remarks, isCatalogued: IsCatalogued): RequiredItem | undefined {
  const name = words.join(" ");
  const leastOf = (kind: Least["kind"]) =>
    (remarks.least.find((remark) => remark.kind === kind) ?? remarks.least[0])?.value.split(" ", 1)[0];
  const minGrade = (grade: string | undefined) => (grade === undefined ? {} : { minGrade: grade });
  const course = splitCourseName(name);
  const isListed = course !== undefined && isCatalogued(course);
  const [, examName, score] = SCORE_BEHIND.exec(name) ?? [];
  if (!isListed) {
    if (CONDITION.test(name)) return undefined;
    if (examName !== undefined) return { prereqType: "exam", examName, ...minGrade(score) };
    if (isExam(words))
      return { prereqType: "exam", examName: toExamName(name, remarks), ...minGrade(leastOf("score")) };
  }
  if (course && (isListed || isShapedLikeCourse(course))) {
    return {
      prereqType: "course",
      coreq: remarks.corequisite.length > 0,
      courseId: courseName(course),
      ...minGrade(leastOf("grade")),
    };
  }
  // Only exams have scores.
  if (!hasScore(remarks)) return undefined;
  return { prereqType: "exam", examName: toExamName(name, remarks), ...minGrade(leastOf("score")) };
}

/** Without an alternative way to meet it, which is in lower case: `PLACEMENT EXAM or authorization`. */
const toExamName = (name: string, { unknown }: Remarks): string =>
  [name.replace(/ or .*$/, ""), ...unknown.map((inside) => `(${inside})`)].join(" ");

const isShapedLikeCourse = ({ department, courseNumber }: CourseName): boolean =>
  department.length <= LONGEST_DEPARTMENT &&
  DEPARTMENT.test(department) &&
  !PROSE.test(department) &&
  COURSE_NUMBER.test(courseNumber);
