/** Which sections of a term opened last, from the newest of its recorded changes. */
import { addressOf } from "../data/addresses.ts";
import { fetchPart } from "../data/fetch-json.ts";
import { termQuery } from "../data/term-names.ts";
import type { Change } from "../parts/changes.tsx";

/** Changes in a response: a term of a large campus has thousands. */
const LIMIT = 60;

/** Loads the newest changes of a term, oldest first. */
export async function loadNewestChanges(term: string): Promise<readonly Change[]> {
  // A section that opened may have been cancelled since.
  const query = { ...termQuery(term), kind: "status,cancelled,removed" };
  const { total } = await fetchPart<Change>(addressOf("/changes", { ...query, limit: "1" }));
  if (total === 0) return [];
  const offset = String(Math.max(0, total - LIMIT));
  return (await fetchPart<Change>(addressOf("/changes", { ...query, limit: String(LIMIT), offset }))).items;
}

/** Sections whose last change was to open, newest first. */
export function openedLast(newest: readonly Change[]): Change[] {
  const last = new Map(newest.map((change) => [change.sectionCode, change]));
  return newest
    .filter((change) => change === last.get(change.sectionCode) && change.kind === "status" && change.after === "OPEN")
    .toReversed();
}
