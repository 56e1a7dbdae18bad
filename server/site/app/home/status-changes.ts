/** Which sections of a term opened last and which filled first, from a small part of its recorded changes. */
import { addressOf } from "../data/addresses.ts";
import { fetchPart } from "../data/fetch-json.ts";
import { termQuery } from "../data/term-names.ts";
import type { Change } from "../parts/changes.tsx";

/** Changes in a response: a term of a large campus has thousands. */
const LIMIT = 60;

export interface StatusChanges {
  readonly oldest: readonly Change[];
  readonly newest: readonly Change[];
}

/** The oldest and the newest changes of a term; one request while there are few. */
export async function loadStatusChanges(term: string): Promise<StatusChanges> {
  // A section that opened may have been cancelled since.
  const query = { ...termQuery(term), kind: "status,cancelled,removed", limit: String(LIMIT) };
  const { items: oldest, total } = await fetchPart<Change>(addressOf("/changes", query));
  if (total <= LIMIT) return { oldest, newest: oldest };
  const { items: newest } = await fetchPart<Change>(addressOf("/changes", { ...query, offset: String(total - LIMIT) }));
  return { oldest, newest };
}

/** Sections whose last change was to open, newest first. */
export function openedLast({ newest }: StatusChanges): Change[] {
  const last = new Map(newest.map((change) => [change.sectionCode, change]));
  return newest
    .filter((change) => change === last.get(change.sectionCode) && change.kind === "status" && change.after === "OPEN")
    .toReversed();
}

/** The first change to full or waitlist of each course, oldest first. */
export function filledFirst({ oldest }: StatusChanges): Change[] {
  const first = new Map<string, Change>();
  for (const change of oldest) {
    const course = `${change.department} ${change.courseNumber}`;
    const isFull = change.after === "FULL" || change.after === "Waitl";
    if (change.kind === "status" && isFull && !first.has(course)) first.set(course, change);
  }
  return [...first.values()];
}
