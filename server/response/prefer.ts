/** `Prefer: handling=strict` (RFC 7240 §4.4): unknown parameters are errors. */

/**
 * Matches list elements; commas within quoted strings do not separate. Unambiguous on malformed input, so that matching
 * takes linear time.
 */
const PREFERENCES = /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^",])+/g;
const HANDLING = /^\s*handling\s*(?:=\s*"?([^\s;"]*)"?\s*)?(?:;|$)/i;

/** True if a Prefer header requests strict handling; the first `handling` counts (RFC 7240 §2). */
export function isStrict(prefer: string | null | undefined): boolean {
  const handling = prefer
    ?.match(PREFERENCES)
    ?.map((preference) => HANDLING.exec(preference))
    .find(Boolean);
  return handling?.[1]?.toLowerCase() === "strict";
}

/** Header values and whether they request strict handling. Tests run them, and RULES.md shows them. */
export const PREFER_EXAMPLES = [
  ["handling=strict", true],
  ['respond-async, handling="strict"', true],
  ["HANDLING=Strict; wait=10", true],
  ["handling=lenient", false],
  ["handling=lenient, handling=strict", false],
  ["strict", false],
] as const;

export const STRICT = "handling=strict";

export const appliedPreference = (strict: boolean): Record<string, string> =>
  strict ? { "Preference-Applied": STRICT } : {};
