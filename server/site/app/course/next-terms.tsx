/** Who teaches a course in the terms ahead, in words. */
import { termTitle } from "../data/term-names.ts";
import { Instructors } from "../parts/people.tsx";
import type { Ahead } from "./ahead.ts";

interface NextTermsProps {
  readonly ahead: readonly Ahead[];
  /** True if a term ahead has a schedule. */
  readonly hasSchedule: boolean;
  readonly course: string;
}

export function NextTerms({ ahead, hasSchedule, course }: NextTermsProps) {
  if (!hasSchedule) return <p class="quiet">The schedule of the next term is not out yet.</p>;
  if (ahead.length === 0) return <p class="quiet">Not in the schedules of the terms ahead.</p>;
  return (
    <dl class="ahead">
      {ahead.map(({ term, names, ids }) => (
        <div key={term}>
          <dt>{termTitle(term)}</dt>
          <dd>
            {names.length === 0 ? "Instructor not announced" : <Instructors names={names} ids={ids} course={course} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
