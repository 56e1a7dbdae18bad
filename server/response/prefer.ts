/** The preference `handling` of RFC 7240 §4.4: with `strict` an unknown parameter is an error. */

/** Elements of the header's list; a comma inside quotation marks separates nothing. Whatever is missing at the end, there is one way to read it. */
const PREFERENCES = /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^",])+/g;
const HANDLING = /^\s*handling\s*(?:=\s*"?([^\s;"]*)"?\s*)?(?:;|$)/i;

/** Whether a Prefer header asks for it; of several the first counts (RFC 7240 §2). Names and the value are matched ignoring case. */
export function isStrict(prefer: string | null | undefined): boolean {
  const handling = prefer
    ?.match(PREFERENCES)
    ?.map((preference) => HANDLING.exec(preference))
    .find(Boolean);
  return handling?.[1]?.toLowerCase() === "strict";
}

/** The preference as a header's value. */
export const STRICT = "handling=strict";

/** What an answer says of the preference that it heeds. */
export const appliedPreference = (strict: boolean): Record<string, string> =>
  strict ? { "Preference-Applied": STRICT } : {};
