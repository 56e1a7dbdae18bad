/** The reader's plan: section codes of a term, in the browser's storage; the address of `/plan` can hold another one. */
import { useEffect, useState } from "preact/hooks";
import { readStored, store } from "../data/storage.ts";

const KEY = "plans";
const CHANGED = "plan-changed";

type Plans = Readonly<Record<string, readonly string[]>>;

export const isSectionCode = (text: unknown): text is string => typeof text === "string" && /^\d{5}$/.test(text);

/** What cannot be read, such as a text of another program on this host, is no plan. */
function readPlans(): Plans {
  try {
    const plans: unknown = JSON.parse(readStored(KEY) ?? "{}");
    return plans !== null && typeof plans === "object" ? (plans as Plans) : {};
  } catch {
    return {};
  }
}

export function planOf(term: string): readonly string[] {
  const codes: unknown = readPlans()[term];
  return Array.isArray(codes) ? codes.filter(isSectionCode) : [];
}

export function storePlan(term: string, codes: readonly string[]): void {
  store(KEY, JSON.stringify({ ...readPlans(), [term]: [...new Set(codes)] }));
  dispatchEvent(new Event(CHANGED));
}

/** The plan of a term as state, and how to change it. */
export function usePlan(term: string) {
  const [codes, setCodes] = useState(() => planOf(term));
  useEffect(() => {
    const read = () => setCodes(planOf(term));
    read();
    addEventListener(CHANGED, read);
    // Another tab has changed it.
    addEventListener("storage", read);
    return () => {
      removeEventListener(CHANGED, read);
      removeEventListener("storage", read);
    };
  }, [term]);
  return {
    codes,
    has: (code: string) => codes.includes(code),
    toggle: (code: string) =>
      storePlan(term, codes.includes(code) ? codes.filter((one) => one !== code) : [...codes, code]),
  };
}
