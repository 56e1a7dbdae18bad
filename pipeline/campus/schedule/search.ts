/** Finds the sections of a term that match a search, in their state of that day. */
import { effectiveDay, isCancelled, isListed, stateOn } from "../section-state.ts";
import type { CampusSection } from "../section.ts";
import type { GeneratedTerm } from "../term.ts";
import type { Criteria } from "./criteria.ts";
import type { SectionView } from "./tests.ts";

/** In the schedule's order. */
export function searchTerm(generated: GeneratedTerm, criteria: Criteria, today: number): SectionView[] {
  const { term } = generated;
  const day = effectiveDay(term, today);
  const found: SectionView[] = [];
  for (const section of candidates(generated, criteria)) {
    if (!isListed(section, term, day)) continue;
    if (criteria.cancelled !== "Include" && isCancelled(section, term, day) !== (criteria.cancelled === "Only"))
      continue;
    // The state of the day is computed on demand: most searches do not filter by it.
    const view = lazyView(section, () => stateOn(section, term, day));
    if (criteria.tests.every((test) => test(view))) found.push(view);
  }
  return found;
}

function candidates(generated: GeneratedTerm, { department, ge, codes }: Criteria): readonly CampusSection[] {
  if (department !== undefined) return generated.byDepartment.get(department) ?? [];
  if (codes?.every(([low, high]) => low === high)) {
    const wanted = new Set(codes.map(([code]) => code));
    return generated.sections.filter(({ code }) => wanted.has(code));
  }
  return ge !== undefined && codes === undefined ? (generated.byGe.get(ge) ?? []) : generated.sections;
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
