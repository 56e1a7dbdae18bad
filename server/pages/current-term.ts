/** Today's default term of the served snapshot. */
import { campusToday } from "../../pipeline/contract/campus-time.ts";
import { termName } from "../../pipeline/contract/vocabulary.ts";
import { BASE } from "../response/endpoint.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { type CalendarTerm, defaultTerm } from "./default-term.ts";

/** Resolves to a term such as `2026 Fall`; undefined when no schedule is published. */
export type CurrentTerm = () => Promise<string | undefined>;

export interface CurrentTermOptions {
  readonly current: () => Pick<Snapshot, "id" | "publishedTerms"> | undefined;
  /** Returns the response of the plain service to a GET. */
  readonly request: (path: string) => Promise<Response>;
  readonly now?: () => Date;
}

/** The calendar is read once per snapshot. Without it, the newest term is chosen, and the next call tries again. */
export function createCurrentTerm({ current, request, now = () => new Date() }: CurrentTermOptions): CurrentTerm {
  let cached: { readonly id: string; readonly calendar: Promise<readonly CalendarTerm[] | undefined> } | undefined;

  async function readCalendar(): Promise<readonly CalendarTerm[] | undefined> {
    const response = await request(`${BASE}/calendar`).catch(() => undefined);
    return response?.ok ? ((await response.json()) as readonly CalendarTerm[]) : undefined;
  }

  return async () => {
    const snapshot = current();
    if (!snapshot) return undefined;
    if (cached?.id !== snapshot.id) cached = { id: snapshot.id, calendar: readCalendar() };
    const calendar = await cached.calendar;
    if (!calendar) cached = undefined;
    return defaultTerm(campusToday(now()), snapshot.publishedTerms.map(termName), calendar ?? []);
  };
}
