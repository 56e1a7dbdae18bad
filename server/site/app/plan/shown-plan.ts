/** The plan that the address holds, or the reader's own, which the address follows. */
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { planAddress } from "../data/addresses.ts";
import { storePlans, usePlans } from "./stored-plan.ts";
import { isSectionCode, newPlan, shownPlan, type StoredPlan, withShown } from "./term-plans.ts";

const sorted = (texts: readonly string[]) => [...new Set(texts)].sort();
const codesIn = (list = "") => sorted(list.split(",").filter(isSectionCode));
const keyOf = ({ codes, courses }: Pick<StoredPlan, "codes" | "courses">) =>
  `${sorted(codes).join()};${sorted(courses).join()}`;

/** Marks an entry of the browser's history as written by this view for one of the reader's plans. */
interface Entry {
  /** The name of the plan. */
  readonly plan?: string;
}
const entryPlan = (): string | undefined => (history.state as Entry | null)?.plan;

/**
 * Returns the plan of the address, and true if it is the reader's own. Each change of the plan is an entry of the
 * browser's history, so that the back button undoes it.
 */
export function useShownPlan(term: string) {
  const { query, route, url } = useLocation();
  const { plans } = usePlans(term);
  const mine = shownPlan(plans);
  const { sections, courses, locked } = query;
  const given =
    sections === undefined && courses === undefined
      ? undefined
      : newPlan([], {
          codes: codesIn(sections),
          courses: sorted((courses ?? "").split(",").filter(Boolean)),
          locked: codesIn(locked).filter((code) => codesIn(sections).includes(code)),
        });
  const isMine = given === undefined || keyOf(given) === keyOf(mine) || entryPlan() !== undefined;
  /** The key of the reader's plan when the address was last compared; undefined while another plan is shown. */
  const last = useRef<string>(undefined);
  useEffect(() => {
    // This view has changed the address, and is about to be rendered again.
    if (url !== globalThis.location.pathname + globalThis.location.search) return;
    const previous = last.current;
    const mineKey = keyOf(mine);
    last.current = isMine ? mineKey : undefined;
    if (!isMine) return;
    const shown = given ?? newPlan();
    const index = plans.plans.findIndex(({ name }) => name === entryPlan());
    const isNavigation = previous === mineKey && index >= 0;
    if (keyOf(shown) !== mineKey && isNavigation) {
      const { codes, courses: names } = shown;
      last.current = keyOf(shown);
      storePlans(term, withShown({ ...plans, shown: index }, { codes, courses: names }));
      return;
    }
    if (keyOf(shown) !== mineKey)
      route(
        planAddress(term, sorted(mine.codes), sorted(mine.courses)),
        previous === undefined || entryPlan() === undefined,
      );
    if (entryPlan() !== mine.name) history.replaceState({ plan: mine.name } satisfies Entry, "");
  });
  return { plan: isMine ? mine : given, isMine };
}
