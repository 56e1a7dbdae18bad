/**
 * Compares two records that claim to be the same thing. A join declares the facts that both sides may state, which side
 * wins each of them, and when they differ so much that the records are different things (pipeline/RULES.md,
 * Contradictions).
 */

/** `missing`: at least one side does not state the fact. */
export const AGREEMENTS = ["same", "other", "missing"] as const;
export type Agreement = (typeof AGREEMENTS)[number];

/** A fact that both records of a join may state. */
export interface Fact<Left, Right> {
  /** The fact's name in reports, such as `course number`. */
  readonly name: string;
  /** The text of the fact on each side; empty if it is missing. */
  readonly left: (record: Left) => string;
  readonly right: (record: Right) => string;
  /** Compares the two texts, neither of which is empty; by default without case and blanks. */
  readonly compare?: (texts: readonly [left: string, right: string], left: Left, right: Right) => Agreement;
  /** The side whose text is published. If it is empty, the other side's is. */
  readonly wins: "left" | "right";
}

export interface Join<Left, Right, Name extends string = string> {
  /** The names of the sides in reports: `the sheet`, `the section`. */
  readonly left: string;
  readonly right: string;
  readonly facts: Readonly<Record<Name, Fact<Left, Right>>>;
  /** True when the records are different things, which must not be joined. */
  readonly isRefused: (agreements: Agreements<Name>, left: Left, right: Right) => boolean;
}

export type Agreements<Name extends string = string> = Readonly<Record<Name, Agreement>>;

export interface Reconciled<Name extends string = string> {
  readonly agreements: Agreements<Name>;
  /** The winner's text of each fact. */
  readonly values: Readonly<Record<Name, string>>;
  readonly isRefused: boolean;
}

const textKey = (text: string): string => text.replace(/\s+/g, "").toUpperCase();

/** A comparison by equality of keys. */
export const byKey =
  (keyOf: (text: string) => string) =>
  ([left, right]: readonly [left: string, right: string]): Agreement =>
    keyOf(left) === keyOf(right) ? "same" : "other";

const byText = byKey(textKey);

export function reconcile<Left, Right, Name extends string>(
  join: Join<Left, Right, Name>,
  left: Left,
  right: Right,
): Reconciled<Name> {
  const agreements = {} as Record<Name, Agreement>;
  const values = {} as Record<Name, string>;
  for (const name of namesOf(join)) {
    const { compare = byText, wins, ...fact } = join.facts[name];
    const [ofLeft, ofRight] = [fact.left(left), fact.right(right)];
    agreements[name] = ofLeft === "" || ofRight === "" ? "missing" : compare([ofLeft, ofRight], left, right);
    values[name] = wins === "left" ? ofLeft || ofRight : ofRight || ofLeft;
  }
  return { agreements, values, isRefused: join.isRefused(agreements, left, right) };
}

/**
 * The facts that differ, with both sides: `the sheet's course number is 21, the section's 20`; empty when none does.
 */
export function differencesOf<Left, Right, Name extends string>(
  join: Join<Left, Right, Name>,
  left: Left,
  right: Right,
  names: readonly Name[] = namesOf(join),
): string {
  const { agreements } = reconcile(join, left, right);
  return names
    .filter((name) => agreements[name] === "other")
    .map((name) => {
      const fact = join.facts[name];
      return `${join.left}'s ${fact.name} is ${fact.left(left)}, ${join.right}'s ${fact.right(right)}`;
    })
    .join("; ");
}

export const namesOf = <Name extends string>(join: Pick<Join<never, never, Name>, "facts">): Name[] =>
  Object.keys(join.facts) as Name[];
