/** Reads the Roman numerals of a catalogue's GE line. */
import { GE_CATEGORIES, type GeCategory } from "../contract/vocabulary.ts";

/** Numerals in the order of the categories; either case occurs, and a leading dot. */
const NUMERALS = ["Ia", "Ib", "II", "III", "IV", "Va", "Vb", "VI", "VII", "VIII"] as const;

/** `(II and (VA or VB))` → GE-2, GE-5A, GE-5B: every category that is named. */
export function readGeText(text: string): GeCategory[] {
  const named = new Set((text.match(/[IV]+\.?[ab]?/gi) ?? []).map((word) => word.replace(".", "").toLowerCase()));
  return GE_CATEGORIES.filter((_, i) => named.has((NUMERALS[i] as string).toLowerCase()));
}
