/** Computes combinations beside the page, which goes on listening to its reader. */
import { combinationsOf, type Found } from "./combinations.ts";
import { type Candidate, optionsOf } from "./options.ts";
import type { Wishes } from "./wishes.ts";

/** Which sections are allowed. */
export interface Allowed {
  readonly full: boolean;
  readonly waitlisted: boolean;
  readonly restricted: boolean;
  /** The reader is a new student. */
  readonly newOnly: boolean;
}

export interface OfferedSection extends Candidate {
  readonly status: string;
  readonly restrictions: string;
}

export interface Task {
  readonly id: number;
  /** The sections of each course. */
  readonly courses: readonly (readonly OfferedSection[])[];
  readonly allowed: Allowed;
  /** Codes of sections that every schedule has. */
  readonly locked: ReadonlySet<string>;
  readonly wishes: Wishes;
  /** The year of the term. */
  readonly year: string;
}

export interface Done extends Found {
  readonly id: number;
  /** Places of the courses of which nothing that is let in makes a whole. */
  readonly without: readonly number[];
}

const isAllowed = (
  { status, restrictions }: OfferedSection,
  { full, waitlisted, restricted, newOnly }: Allowed,
): boolean =>
  (full || status !== "FULL") &&
  (waitlisted || status !== "Waitl") &&
  (newOnly || status !== "NewOnly") &&
  (restricted || restrictions === "");

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  const { id, courses, allowed, locked, wishes, year } = data;
  const options = courses.map((sections) =>
    optionsOf(sections, (section) => isAllowed(section as OfferedSection, allowed), locked),
  );
  const without = options.flatMap(({ length }, i) => (length === 0 ? [i] : []));
  postMessage({ id, without, ...combinationsOf(options, wishes, year) } satisfies Done);
});
