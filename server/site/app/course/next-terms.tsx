/** Who teaches a course in the terms ahead, in words. */
import { termTitle } from "../data/term-names.ts";
import { SourceMenu } from "../parts/links.tsx";
import { Instructors } from "../parts/people.tsx";
import type { Ahead } from "./ahead.ts";

interface NextTermsProps {
  readonly ahead: readonly Ahead[];
  /** The addresses of the schedules, in the order of the terms ahead. */
  readonly addresses: readonly string[];
  readonly course: string;
}

export function NextTerms({ ahead, addresses, course }: NextTermsProps) {
  if (addresses.length === 0) return <p class="quiet">The schedule of the next term is not out yet.</p>;
  if (ahead.length === 0) return <p class="quiet">Not in the schedules of the terms ahead.</p>;
  return (
    <>
      <dl class="ahead">
        {ahead.map(({ term, names, ids }) => (
          <div key={term}>
            <dt>{termTitle(term)}</dt>
            <dd>
              {names.length === 0 ? (
                "Instructor not announced"
              ) : (
                <Instructors names={names} ids={ids} course={course} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      {addresses[0] !== undefined && <SourceMenu name="who teaches next" address={addresses[0]} />}
    </>
  );
}
