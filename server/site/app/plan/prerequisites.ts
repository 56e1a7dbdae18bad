/** Which prerequisites of a course are missing, given the courses that a student has taken. */
import { isGroup, parseRequirement, type Requirement, type RequirementLeaf } from "../course/requirement.ts";
import { courseKey } from "./taken.ts";

export interface Courses {
  /** Keys of courses taken before the term. */
  readonly taken: ReadonlySet<string>;
  /** Keys of courses on the plan, which satisfy corequisites only. */
  readonly planned: ReadonlySet<string>;
}

function isSatisfied({ name, remarks, isExcluded }: RequirementLeaf, { taken, planned }: Courses): boolean {
  const key = courseKey(name);
  return isExcluded || taken.has(key) || (remarks.includes("corequisite") && planned.has(key));
}

interface Missing {
  readonly text: string;
  /** The text has several names, and needs brackets beside others. */
  readonly isCompound: boolean;
}

/** `I&C SCI 46 and (MATH 2A or AP CALCULUS AB)`; undefined where nothing is missing. */
function missingIn(requirement: Requirement, courses: Courses): Missing | undefined {
  if (!isGroup(requirement))
    return isSatisfied(requirement, courses) ? undefined : { text: requirement.name, isCompound: false };
  const { all } = requirement;
  const parts = requirement.parts.filter((part) => isGroup(part) || !part.isExcluded);
  const missing = parts.map((part) => missingIn(part, courses));
  const some = missing.filter((part) => part !== undefined);
  const [first] = some;
  if (!first || (!all && some.length < missing.length)) return undefined;
  if (some.length === 1) return first;
  const texts = some.map(({ text, isCompound }) => (isCompound ? `(${text})` : text));
  return { text: [...new Set(texts)].join(all ? " and " : " or "), isCompound: true };
}

/** Returns the prerequisites that a student lacks; undefined if none is missing, and for a text that cannot be read. */
export function missingPrerequisites(text: string, courses: Courses): string | undefined {
  const requirement = parseRequirement(text);
  return requirement && missingIn(requirement, courses)?.text;
}
