/** Puts a section into the reader's plan of its term, or takes it out. */
import { usePlan } from "../plan/stored-plan.ts";

interface PlanButtonProps {
  /** `2026 Fall`. */
  readonly term: string;
  readonly code: string;
  /** `COMPSCI 161 Lec A`. */
  readonly name: string;
  /** Can only be taken out. */
  readonly isCancelled: boolean;
  /** With words, where there is room for them. */
  readonly isWide?: boolean;
}

export function PlanButton({ term, code, name, isCancelled, isWide = false }: PlanButtonProps) {
  const { has, toggle } = usePlan(term);
  const isIn = has(code);
  if (isCancelled && !isIn) return null;
  const words = isIn ? "Remove from plan" : "Add to plan";
  return (
    <button
      type="button"
      class={isIn ? "small add is-in" : "small add"}
      aria-label={`${words}: ${name} (${code})`}
      title={words}
      onClick={() => toggle(code)}
    >
      <span aria-hidden="true">{isIn ? "✓" : "+"}</span>
      {isWide && ` ${words}`}
    </button>
  );
}
