/** The reader's plan: section codes of a term, in the browser's storage; the address of `/plan` can hold another one. */
import { useEffect, useState } from "preact/hooks";
const KEY = "plans";
const CHANGED = "plan-changed";
function readPlans() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
export const planOf = (term) => readPlans()[term] ?? [];
export function storePlan(term, codes) {
  localStorage.setItem(KEY, JSON.stringify({ ...readPlans(), [term]: [...new Set(codes)] }));
  dispatchEvent(new Event(CHANGED));
}
/** The plan of a term as state, and how to change it. */
export function usePlan(term) {
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
    has: (code) => codes.includes(code),
    toggle: (code) => storePlan(term, codes.includes(code) ? codes.filter((one) => one !== code) : [...codes, code]),
  };
}
