/** The published forms of a requirement: its text with everything, its trees with only courses and exams. */
import type {
  PrerequisiteItem,
  PrerequisiteTree,
  RequirementItem,
  RequirementTree,
} from "../../contract/rows/course.ts";
import { isLeaf, partsOf, type Requirement, type RequirementPart } from "./requirement.ts";
import type { RequirementLeaf } from "./requirement-leaf.ts";

/** `(A OR B) AND C`, with conditions, remarks and exclusions; `""` for null. */
export function printRequirement(requirement: Requirement | null): string {
  return requirement ? printPart(requirement, false) : "";
}

function printPart(part: RequirementPart, isNested: boolean): string {
  if (isLeaf(part)) return part.text;
  const parts = partsOf(part);
  const text = parts.map((inner) => printPart(inner, true)).join("AND" in part ? " AND " : " OR ");
  return isNested && parts.length > 1 ? `(${text})` : text;
}

/** Courses and exams with their minimum grades, corequisites, and exclusions; null when there are none. */
export const toRequirementTree = (requirement: Requirement | null): RequirementTree | null =>
  requirement && prune<RequirementItem>(requirement, ({ item }) => item);

/** The names of courses and exams, without exclusions, which are not prerequisites. Null when there are none. */
export const toPrerequisiteTree = (requirement: Requirement | null): PrerequisiteTree | null =>
  requirement &&
  prune<PrerequisiteItem>(requirement, ({ item }) =>
    item === undefined || "NOT" in item ? undefined : item.prereqType === "exam" ? item.examName : item.courseId,
  );

/** Removes leaves without a value, and nodes without leaves; a node with a single item stays a node. */
function prune<Item>(
  requirement: Requirement,
  valueOf: (leaf: RequirementLeaf) => Item | undefined,
): { AND: Item[] } | { OR: Item[] } | null {
  const items = partsOf(requirement).flatMap(
    (part) => (isLeaf(part) ? valueOf(part) : (prune(part, valueOf) as Item | null)) ?? [],
  );
  if (items.length === 0) return null;
  return "AND" in requirement ? { AND: items } : { OR: items };
}

/** The names in the tree, without duplicates, in the order of the text. */
export function listOf(tree: PrerequisiteTree | null): string[] {
  const namesIn = (item: PrerequisiteItem): string[] =>
    typeof item === "string" ? [item] : ("AND" in item ? item.AND : item.OR).flatMap(namesIn);
  return tree ? [...new Set(namesIn(tree))] : [];
}
