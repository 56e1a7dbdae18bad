/** The plans of one term, of which one is shown, and how they change. */

export interface StoredPlan {
  readonly name: string;
  /** `COMPSCI 161`: courses that stay on the plan without a section. */
  readonly courses: readonly string[];
  /** The codes of the chosen sections. */
  readonly codes: readonly string[];
  /** The chosen sections that a search for schedules keeps. */
  readonly locked: readonly string[];
}

export interface TermPlans {
  /** The index of the shown plan. */
  readonly shown: number;
  /** At least one. */
  readonly plans: readonly StoredPlan[];
}

export const MAX_NAME = 40;
/** A letter each. */
const MAX_PLANS = 26;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export const isSectionCode = (text: unknown): text is string => typeof text === "string" && /^\d{5}$/.test(text);
const isCourse = (text: unknown): text is string => typeof text === "string" && /^\S.{0,30} \S{1,10}$/.test(text);
const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

const nextName = (plans: readonly StoredPlan[]): string =>
  `Plan ${[...LETTERS].find((letter) => !plans.some(({ name }) => name === `Plan ${letter}`)) ?? plans.length + 1}`;

export const newPlan = (
  plans: readonly StoredPlan[] = [],
  { courses = [], codes = [], locked = [] }: Partial<StoredPlan> = {},
): StoredPlan => ({ name: nextName(plans), courses, codes, locked });

export const NO_PLANS: TermPlans = { shown: 0, plans: [newPlan()] };

const listOf = <T>(value: unknown, isItem: (item: unknown) => item is T): T[] =>
  Array.isArray(value) ? unique(value.filter(isItem)) : [];

function readPlan(value: unknown, previous: readonly StoredPlan[]): StoredPlan | undefined {
  if (value === null || typeof value !== "object") return undefined;
  const { name, courses, codes, locked } = value as Record<string, unknown>;
  const isName = typeof name === "string" && name.trim() !== "";
  return {
    name: isName ? name.slice(0, MAX_NAME) : nextName(previous),
    courses: listOf(courses, isCourse),
    codes: listOf(codes, isSectionCode),
    locked: listOf(locked, isSectionCode),
  };
}

/**
 * Reads the stored plans of a term; anything else is no plan. A list of codes is a plan of an earlier version of this
 * site.
 */
export function readTermPlans(value: unknown): TermPlans {
  if (Array.isArray(value)) return { shown: 0, plans: [newPlan([], { codes: listOf(value, isSectionCode) })] };
  if (value === null || typeof value !== "object") return NO_PLANS;
  const { shown, plans: stored } = value as Record<string, unknown>;
  const plans: StoredPlan[] = [];
  for (const item of Array.isArray(stored) ? stored.slice(0, MAX_PLANS) : []) {
    const plan = readPlan(item, plans);
    if (plan) plans.push(plan);
  }
  if (plans.length === 0) return NO_PLANS;
  return { shown: typeof shown === "number" && shown in plans ? shown : 0, plans };
}

export const shownPlan = ({ shown, plans }: TermPlans): StoredPlan => plans[shown] ?? newPlan();

/** The shown plan becomes another one. A section that leaves it is not locked either. */
export function withShown(all: TermPlans, change: Partial<StoredPlan>): TermPlans {
  const { name, courses, codes, locked } = { ...shownPlan(all), ...change };
  const next = {
    name: name.trim().slice(0, MAX_NAME) || shownPlan(all).name,
    courses: unique(courses),
    codes: unique(codes),
    locked: unique(locked).filter((code) => codes.includes(code)),
  };
  return { ...all, plans: all.plans.map((plan, i) => (i === all.shown ? next : plan)) };
}

/** A new plan, shown; without room for one, the last one becomes it. */
export function withNew(all: TermPlans, content: Partial<StoredPlan> = {}): TermPlans {
  const kept = all.plans.slice(0, MAX_PLANS - 1);
  return {
    shown: kept.length,
    plans: [...kept, { ...newPlan(kept, content), ...(content.name ? { name: content.name } : {}) }],
  };
}

/** Without the shown plan; the last one leaves an empty one. */
export function withoutShown({ shown, plans }: TermPlans): TermPlans {
  const others = plans.filter((_, i) => i !== shown);
  return others.length === 0 ? NO_PLANS : { shown: Math.min(shown, others.length - 1), plans: others };
}
