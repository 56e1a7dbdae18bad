/** The reader's plans, in the browser's storage; the address of `/plan` can hold another one. */
import { useEffect, useState } from "preact/hooks";
import { isStored, readStored, store } from "../data/storage.ts";
import { readTermPlans, type StoredPlan, shownPlan, type TermPlans, withShown } from "./term-plans.ts";

const KEY = "plans";
const CHANGED = "plan-changed";

type Plans = Readonly<Record<string, unknown>>;

/** Text that cannot be read, such as another program's, is no plan. */
function readPlans(): Plans {
  try {
    const plans: unknown = JSON.parse(readStored(KEY) ?? "{}");
    return plans !== null && typeof plans === "object" ? (plans as Plans) : {};
  } catch {
    return {};
  }
}

export const plansOf = (term: string): TermPlans => readTermPlans(readPlans()[term]);
/** The courses of all plans by term, such as `2026 Fall`. */
export const plannedCourses = (): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(readPlans()).map(([term, plans]) => [
      term,
      readTermPlans(plans).plans.flatMap(({ courses }) => courses),
    ]),
  );
export const planOf = (term: string): StoredPlan => shownPlan(plansOf(term));

interface Removed {
  readonly term: string;
  /** The removed item, such as `COMPSCI 161 Lec A`. */
  readonly what: string;
  readonly before: TermPlans;
}
let lastRemoved: Removed | undefined;

/** `removed` names what can be brought back until the next change. */
export function storePlans(term: string, plans: TermPlans, removed?: string): void {
  lastRemoved = removed === undefined ? undefined : { term, what: removed, before: plansOf(term) };
  store(KEY, JSON.stringify({ ...readPlans(), [term]: plans }));
  dispatchEvent(new Event(CHANGED));
}

/** Changes the shown plan of a term. */
export const storePlan = (term: string, change: Partial<StoredPlan>, removed?: string): void =>
  storePlans(term, withShown(plansOf(term), change), removed);

export function undoRemoval(term: string): void {
  if (lastRemoved?.term === term) storePlans(term, lastRemoved.before);
}

const readState = (term: string) => ({
  plans: plansOf(term),
  isStored: isStored(KEY),
  removed: lastRemoved?.term === term ? lastRemoved.what : undefined,
});

/** The plans of a term as state. */
export function usePlans(term: string) {
  const [state, setState] = useState(() => readState(term));
  useEffect(() => {
    const read = () => setState(readState(term));
    read();
    addEventListener(CHANGED, read);
    // Another tab has changed it.
    addEventListener("storage", read);
    return () => {
      removeEventListener(CHANGED, read);
      removeEventListener("storage", read);
    };
  }, [term]);
  return state;
}

/** The codes of the shown plan of a term as state. */
export const usePlan = (term: string): StoredPlan => shownPlan(usePlans(term).plans);
