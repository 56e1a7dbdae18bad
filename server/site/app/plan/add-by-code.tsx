/** A field that adds a section to the plan by its code. */
import type { TargetedSubmitEvent } from "preact";
import { useId } from "preact/hooks";
import { planOf, storePlan } from "./stored-plan.ts";

export function AddByCode({ term }: { term: string }) {
  const id = useId();
  const add = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    storePlan(term, [...planOf(term), String(new FormData(form).get("code"))]);
    form.reset();
  };
  return (
    <form class="add-by-code" onSubmit={add}>
      <label for={id}>Add a section by its code</label>
      <input id={id} name="code" required pattern="\d{5}" inputMode="numeric" autocomplete="off" title="five digits" />
      <button type="submit" class="small">
        Add
      </button>
    </form>
  );
}
