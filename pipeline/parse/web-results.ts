/** The schedule system's response for people, read only for what its XML cannot say: whether nothing matched, or too much. */
import { SCHEDULE_SYSTEM, type WebResults } from "../contract/schedule-page.ts";
import { UPSTREAM_SECTION_LIMIT } from "../contract/vocabulary.ts";
import { UpstreamBadResponse } from "../errors.ts";

/** `Your query matched more than 900 sections`: the system's own words. */
const TOO_MANY = new RegExp(String.raw`more\s+than\s+${UPSTREAM_SECTION_LIMIT}\b`, "i");

/** `No courses matched your search criteria for this term.` */
const NOTHING = /\bno\s+(?:courses?|classes|sections?|results?|match(?:es)?)\b[^<]{0,60}\b(?:match(?:ed|es)?|found)\b/i;

/** A section's row begins with its code in a cell of its own. */
const SECTION_CELL = /<td\b[^>]*>(?:\s|&nbsp;|<(?!\/?td\b)[^>]*>)*(\d{5})(?:\s|&nbsp;|<(?!\/?td\b)[^>]*>)*<\/td>/gi;

/**
 * Reads the page.
 * @throws UpstreamBadResponse when the page is cut off or says none of the three, as an error page does
 */
export function parseWebResults(html: string): WebResults {
  if (TOO_MANY.test(html)) return { kind: "tooMany" };
  const codes = [...html.matchAll(SECTION_CELL)].map((found) => found[1] as string);
  if (codes.length > 0) return { kind: "sections", codes };
  if (NOTHING.test(html) && /<\/html\s*>/i.test(html)) return { kind: "none" };
  throw new UpstreamBadResponse(SCHEDULE_SYSTEM, "the page says neither what matched nor that nothing did");
}
