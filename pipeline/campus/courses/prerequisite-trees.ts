/**
 * Prerequisites as trees: mostly AND of courses and OR groups; the shares of shapes and the numbers of leaves are those
 * of a real catalogue.
 */
import { EXAMS, FILLED_SHARES, LEAF_COUNTS, TREE_SHARES } from "../facts/courses.ts";
import { createStream, draw, percentiles, pick } from "../random.ts";

export type PrerequisiteNode =
  | string
  | { readonly AND: readonly PrerequisiteNode[] }
  | { readonly OR: readonly PrerequisiteNode[] };

const leafCount = percentiles(LEAF_COUNTS);

/** A tree over the courses that precede this course in the catalogue, or undefined. */
export function createPrerequisite(
  seed: number,
  digits: number,
  precedingCourses: readonly string[],
): PrerequisiteNode | undefined {
  if (precedingCourses.length < 3 || draw(seed, 11) >= FILLED_SHARES.prerequisite * 1.15) return undefined;
  const random = createStream(seed);
  const leaves = new Set<string>();
  const wanted = Math.max(1, Math.round(leafCount(random())));
  for (let tries = 0; leaves.size < wanted && tries < wanted * 3; tries++) {
    // Most prerequisites come shortly before the course; a lower-division requirement may be met by an exam.
    const near = precedingCourses.length - 1 - Math.floor(random() ** 2 * precedingCourses.length);
    leaves.add(digits < 60 && random() < 0.15 ? pick(EXAMS, random()) : (precedingCourses[near] as string));
  }
  return shape([...leaves], random);
}

function shape(leaves: readonly string[], random: () => number): PrerequisiteNode {
  const x = random();
  if (x < TREE_SHARES.flat || leaves.length < 2) return { AND: leaves };
  if (x < TREE_SHARES.groups) return { AND: groups(leaves, random) };
  if (x < TREE_SHARES.or || leaves.length < 3) return { OR: leaves };
  // A group inside a group: `( A OR ( B AND C ) )`.
  return { AND: [{ OR: [leaves[0] as string, { AND: leaves.slice(1, 3) }] }, ...leaves.slice(3)] };
}

/** Splits the leaves into runs; a run of length 1 stays a leaf. */
function groups(leaves: readonly string[], random: () => number): PrerequisiteNode[] {
  const nodes: PrerequisiteNode[] = [];
  for (let i = 0; i < leaves.length;) {
    const length = Math.min(leaves.length - i, 1 + Math.ceil(random() * 3));
    const run = leaves.slice(i, i + length);
    nodes.push(run.length === 1 ? (run[0] as string) : { OR: run });
    i += length;
  }
  return nodes;
}
