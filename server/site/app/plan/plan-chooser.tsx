/** Several plans a term: which one is shown, and what can be done with a whole plan. */
import type { TargetedSubmitEvent } from "preact";
import { useContext, useId, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { planAddress } from "../data/addresses.ts";
import { publishedTerms, SiteContext } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import { addCourse } from "./add.ts";
import { plansOf, storePlan, storePlans, usePlans } from "./stored-plan.ts";
import { MAX_NAME, shownPlan, withNew, withoutShown } from "./term-plans.ts";

interface PlanChooserProps {
  readonly term: string;
  /** By name; those of the sections too. */
  readonly courses: readonly string[];
}

/** Chooses the shown plan, where there are several. */
export function PlanSelect({ term }: { readonly term: string }) {
  const { plans: all } = usePlans(term);
  if (all.plans.length < 2) return null;
  return (
    <select
      aria-label="Plan"
      value={String(all.shown)}
      onChange={({ currentTarget }) => storePlans(term, { ...all, shown: Number(currentTarget.value) })}
    >
      {all.plans.map(({ name }, i) => (
        <option value={String(i)}>{name}</option>
      ))}
    </select>
  );
}

export function PlanChooser({ term, courses }: PlanChooserProps) {
  const id = useId();
  const { plans: all } = usePlans(term);
  const plan = shownPlan(all);
  const rename = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    storePlan(term, { name: String(new FormData(event.currentTarget).get("name")) });
  };
  return (
    <div class="plan-chooser">
      <form onSubmit={rename}>
        <label for={`${id}name`}>Plan name</label>
        <input
          key={`${all.shown} ${plan.name}`}
          id={`${id}name`}
          name="name"
          required
          maxLength={MAX_NAME}
          defaultValue={plan.name}
        />{" "}
        <button type="submit" class="small">
          Rename
        </button>
      </form>
      <p>
        <button type="button" class="small" onClick={() => storePlans(term, withNew(all))}>
          New plan
        </button>{" "}
        <button
          type="button"
          class="small"
          onClick={() =>
            storePlans(term, withNew(all, { courses: plan.courses, codes: plan.codes, locked: plan.locked }))
          }
        >
          Duplicate plan
        </button>{" "}
        <button type="button" class="small" onClick={() => storePlans(term, withoutShown(all), plan.name)}>
          Delete plan
        </button>
      </p>
      <CopyToTerm term={term} name={plan.name} courses={courses} />
    </div>
  );
}

/** The courses, with the first sections that fit there. */
function CopyToTerm({ term, name, courses }: PlanChooserProps & { readonly name: string }) {
  const id = useId();
  const { route } = useLocation();
  const [problem, setProblem] = useState<string>();
  const others = publishedTerms(useContext(SiteContext)).filter((other) => other !== term);
  const [isCopying, setIsCopying] = useState(false);
  if (others.length === 0 || courses.length === 0) return null;
  const copy = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const to = String(new FormData(event.currentTarget).get("term"));
    setIsCopying(true);
    setProblem(undefined);
    const there = plansOf(to);
    const isEmpty = there.plans.length === 1 && shownPlan(there).codes.length + shownPlan(there).courses.length === 0;
    storePlans(
      to,
      isEmpty ? { shown: 0, plans: [{ name, courses, codes: [], locked: [] }] } : withNew(there, { name, courses }),
    );
    try {
      // Add them in turn, because the sections of each have to fit those before.
      for (const course of courses) await addCourse(to, course);
      route(planAddress(to, shownPlan(plansOf(to)).codes, courses));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setIsCopying(false);
  };
  return (
    <form onSubmit={(event) => void copy(event)}>
      <label for={`${id}term`}>Copy courses to</label>
      <select id={`${id}term`} name="term">
        {others.map((other) => (
          <option value={other}>{termTitle(other)}</option>
        ))}
      </select>{" "}
      <button type="submit" class="small" disabled={isCopying}>
        Copy
      </button>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
