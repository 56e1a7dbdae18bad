/** When the reader last looked at the plan of a term. The browser keeps it. */
import { readStored, store } from "../data/storage.ts";

const KEY = "plan-visits";
/** Opening the plan again within this time is the same visit. */
const VISIT_MS = 30 * 60_000;

interface Visit {
  /** When the visit before this one ended, ISO 8601; undefined during the first. */
  readonly previous?: string | undefined;
  /** When the plan was last open. */
  readonly seen: string;
}

function readVisits(): Readonly<Record<string, Visit>> {
  try {
    const visits: unknown = JSON.parse(readStored(KEY) ?? "{}");
    return visits !== null && typeof visits === "object" ? (visits as Record<string, Visit>) : {};
  } catch {
    return {};
  }
}

/** Notes that the plan of a term is open. @returns the end of the previous visit; undefined during the first */
export function noteVisit(term: string, now = new Date()): string | undefined {
  const visits = readVisits();
  const last = visits[term];
  const isSame = last !== undefined && now.getTime() - Date.parse(last.seen) < VISIT_MS;
  const visit: Visit = { previous: isSame ? last.previous : last?.seen, seen: now.toISOString() };
  store(KEY, JSON.stringify({ ...visits, [term]: visit }));
  return visit.previous;
}
