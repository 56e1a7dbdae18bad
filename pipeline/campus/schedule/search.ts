/** Finds the sections of a term that satisfy a search, in the hour of the request. */
import { effectiveTime } from "../sections/section-state.ts";
import type { CampusSection } from "../sections/section.ts";
import type { TermSections } from "../sections/term.ts";
import type { Criteria } from "./criteria.ts";
import type { SectionView } from "./tests.ts";

/** In the schedule's order. */
export function searchTerm(searched: TermSections, criteria: Criteria, now: number): SectionView[] {
  const { term, states } = searched;
  const time = effectiveTime(term, now);
  const matches: SectionView[] = [];
  for (const section of candidates(searched, criteria)) {
    if (!states.isListed(section, time)) continue;
    if (criteria.cancelled !== "Include" && states.isCancelled(section, time) !== (criteria.cancelled === "Only"))
      continue;
    // Most searches use nothing that changes from hour to hour: compute the state when a test or the answer needs it.
    const view = lazyView(section, () => states.stateOn(section, time));
    if (criteria.tests.every((test) => test(view))) matches.push(view);
  }
  return matches;
}

/** The smallest list that holds every match. */
function candidates(searched: TermSections, { department, ge, codes }: Criteria): readonly CampusSection[] {
  if (department !== undefined) return searched.byDepartment.get(department) ?? [];
  if (codes?.every(([low, high]) => low === high)) {
    const wanted = new Set(codes.map(([code]) => code));
    return searched.sections.filter(({ code }) => wanted.has(code));
  }
  return ge !== undefined && codes === undefined ? (searched.byGe.get(ge) ?? []) : searched.sections;
}

function lazyView(section: CampusSection, read: () => SectionView["state"]): SectionView {
  let state: SectionView["state"] | undefined;
  return {
    section,
    get state() {
      return (state ??= read());
    },
  };
}
