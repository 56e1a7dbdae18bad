/** Puts a section into the reader's plan of its term, or takes it out. */
import { courseOf, sectionName, type SectionLine } from "../data/sections.ts";
import { planOf, storePlan, usePlan } from "../plan/stored-plan.ts";

interface PlanButtonProps {
  /** `2026 Fall`. */
  readonly term: string;
  /** A cancelled one can only be taken out. */
  readonly section: SectionLine;
  /** With words, where there is room for them. */
  readonly isWide?: boolean;
}

export function PlanButton({ term, section, isWide = false }: PlanButtonProps) {
  const { sectionCode, isCancelled } = section;
  const isIn = usePlan(term).codes.includes(sectionCode);
  if (isCancelled && !isIn) return null;
  const words = isIn ? "Remove from plan" : "Add to plan";
  const name = `${courseOf(section)} ${sectionName(section)}`;
  const press = () => {
    const { codes } = planOf(term);
    if (isIn)
      return storePlan(term, { codes: codes.filter((code) => code !== sectionCode) }, `${name} (${sectionCode})`);
    storePlan(term, { codes: [...codes, sectionCode] });
    // The section is there also where the rest cannot be loaded.
    return void import("../plan/add.ts").then((m) => m.addCompanions(term, section)).catch(() => undefined);
  };
  return (
    <button
      type="button"
      class={isIn ? "small add is-in" : "small add"}
      aria-label={`${words}: ${name} (${sectionCode})`}
      title={words}
      onClick={press}
    >
      <span aria-hidden="true">{isIn ? "✓" : "+"}</span>
      {isWide && ` ${words}`}
    </button>
  );
}
