/** Who teaches a course in the terms ahead, from the schedule. */
import { useContext } from "preact/hooks";
import { addressOf } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { termsAhead } from "../data/terms-ahead.ts";
import { isSecondary } from "../data/lecture-groups.ts";
import { toSectionLines } from "../data/sections.ts";
import { SiteContext, termQuery } from "../data/terms.ts";
import { type Loading, useJson } from "../data/use-json.ts";

type Schedule = ResponseBody<"Schedule">;

export interface Ahead {
  /** `2027 Winter`. */
  readonly term: string;
  /** As in the schedule, of the sections with units; nobody while it says STAFF. */
  readonly names: readonly string[];
}

const NOTHING: Schedule = { schools: [] };

/** Terms ahead in which the course is scheduled, soonest first. */
export function useAhead(key: {
  department: string;
  courseNumber: string;
}): Loading<Ahead[]> & { addresses: string[] } {
  const terms = termsAhead(useContext(SiteContext));
  const addresses = terms.map((term) => addressOf("/schedule", { ...termQuery(term), ...key, cacheOnly: "true" }));
  const { value, ...loading } = useJson<Schedule[]>(addresses);
  const ahead = value?.flatMap((schedule, i): Ahead[] => {
    const sections = toSectionLines(schedule, NOTHING);
    if (sections.length === 0) return [];
    const primary = sections.filter((section) => !isSecondary(section));
    const names = (primary.length > 0 ? primary : sections).flatMap(({ instructors }) => instructors);
    return [{ term: terms[i] ?? "", names: [...new Set(names)].filter((name) => name !== "STAFF") }];
  });
  return { ...loading, value: ahead, addresses };
}
