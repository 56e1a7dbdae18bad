/** The catalogue's line of general-education categories, `(II, Va)`, → codes. */
import { GE_CATEGORIES, type GeCategory } from "../contract/vocabulary.ts";

/** How the catalogue numbers the categories; capitals do not count (`VA` is `Va`). */
const ROMAN: Readonly<Record<string, GeCategory>> = {
  IA: "GE-1A",
  IB: "GE-1B",
  II: "GE-2",
  III: "GE-3",
  IV: "GE-4",
  VA: "GE-5A",
  VB: "GE-5B",
  VI: "GE-6",
  VII: "GE-7",
  VIII: "GE-8",
};

/** Whether a line of the catalogue is that line: a bracket or two, then a Roman numeral. */
export function isGeText(line: string): boolean {
  return /^\({1,2}\s*[IV]+[AaBb]?\b/.test(line);
}

/** Every category that the line names, however it joins them (`and`, `or`, commas, brackets), in the order of the vocabulary. */
export function geListOf(text: string): GeCategory[] {
  const named = new Set((text.match(/[A-Za-z.]+/g) ?? []).map((word) => ROMAN[word.replace(/\.$/, "").toUpperCase()]));
  return GE_CATEGORIES.filter((category) => named.has(category));
}
