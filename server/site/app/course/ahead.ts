/** Who teaches a course in the terms ahead, from the schedule. */
import { useContext } from "preact/hooks";
import type { ResponseBody } from "../data/fetch-json.ts";
import { termsAhead } from "../data/terms-ahead.ts";
import { isSecondary } from "../data/lecture-groups.ts";
import { scheduleAddresses, type SectionLine, toSectionLines } from "../data/sections.ts";
import { SiteContext } from "../data/terms.ts";
import { type Loading, useJson } from "../data/use-json.ts";
import { idsOf } from "./person-grades.ts";

type Schedule = ResponseBody<"Schedule">;

export interface Ahead {
  /** `2027 Winter`. */
  readonly term: string;
  /** As in the schedule, of the sections with units; nobody while it says STAFF. */
  readonly names: readonly string[];
  /** For each name those whom it may mean. */
  readonly ids: readonly (readonly string[])[];
}

/** Whom sections name, and whom the names may mean. */
export function namedIn(sections: readonly SectionLine[]): Pick<Ahead, "names" | "ids"> {
  const names = [...new Set(sections.flatMap(({ instructors }) => instructors))].filter((name) => name !== "STAFF");
  return { names, ids: names.map((name) => idsOf(name, sections)) };
}

const NOTHING: Schedule = { schools: [] };

/** Terms ahead in which the course is scheduled, soonest first. */
export function useAhead(key: {
  department: string;
  courseNumber: string;
}): Loading<Ahead[]> & { addresses: string[] } {
  const terms = termsAhead(useContext(SiteContext));
  const addresses = terms.map((term) => scheduleAddresses(term, key)[0] ?? "");
  const { value, ...loading } = useJson<Schedule[]>(addresses);
  const ahead = value?.flatMap((schedule, i): Ahead[] => {
    const sections = toSectionLines(schedule, NOTHING);
    if (sections.length === 0) return [];
    const primary = sections.filter((section) => !isSecondary(section));
    return [{ term: terms[i] ?? "", ...namedIn(primary.length > 0 ? primary : sections) }];
  });
  return { ...loading, value: ahead, addresses };
}
