/** Says first if a plan works, and what clashes. */
import type { SectionLine } from "../data/sections.ts";
import { plural } from "../format.ts";
import { totalUnits } from "./clashes.ts";
import { fullName, type PlanProblems } from "./problems.ts";
import { verdictOf } from "./verdict.ts";

interface VerdictProps {
  readonly held: readonly SectionLine[];
  readonly problems: PlanProblems;
  readonly vanished: number;
}

export function PlanVerdict({ held, problems: { clashes, finalClashes, walks }, vanished }: VerdictProps) {
  const all = [...clashes, ...finalClashes];
  const verdict = verdictOf(held, all.length, vanished);
  if (verdict === undefined) return <p class="lead">No section of this plan is offered.</p>;
  return (
    <>
      <p class="lead">
        {plural(held.length, "section")} · {totalUnits(held.map(({ units }) => units))} units ·{" "}
        {all.length === 0 ? verdict : <strong class="clash">{verdict}</strong>}
      </p>
      {all.length > 0 && (
        <ul class="clashes">
          {all.map(({ sections: [first, second], words }) => (
            <li>
              {fullName(first)} {words(second)}
            </li>
          ))}
        </ul>
      )}
      {walks.length > 0 && (
        <ul class="walks">
          {walks.map(({ sections: [first, second], words }) => (
            <li>
              {fullName(first)}: {words(second)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
