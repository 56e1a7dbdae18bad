/** The schedule system's HTML results, which distinguish "none" from "too many" where the XML cannot. */
import { SCHEDULE_SYSTEM, type WebResults } from "../../contract/schedule-page.ts";
import { UPSTREAM_SECTION_LIMIT } from "../../contract/vocabulary.ts";
import { UpstreamBadResponse } from "../../errors.ts";

/** `Your query matched more than 900 sections` */
const TOO_MANY = new RegExp(String.raw`more\s+than\s+${UPSTREAM_SECTION_LIMIT}\b`, "i");

/** `No courses matched your search criteria for this term.` */
const NOTHING = /\bno\s+(?:courses?|classes|sections?|results?|match(?:es)?)\b[^<]{0,60}\b(?:match(?:ed|es)?|found)\b/i;

/** A section's row begins with its code. */
const SECTION_CELL = /<td\b[^<>]*>(?:\s|&nbsp;|<(?!\/?td\b)[^<>]*>)*(\d{5})(?:\s|&nbsp;|<(?!\/?td\b)[^<>]*>)*<\/td>/gi;

/** Parses the page. @throws UpstreamBadResponse when the page is truncated or an error page */
export function parseWebResults(html: string): WebResults {
  if (TOO_MANY.test(html)) return { kind: "tooMany" };
  const codes = [...html.matchAll(SECTION_CELL)].map((match) => match[1] as string);
  if (codes.length > 0) return { kind: "sections", codes };
  if (NOTHING.test(html) && /<\/html\s*>/i.test(html)) return { kind: "none" };
  throw new UpstreamBadResponse(SCHEDULE_SYSTEM, "the page says neither what matched nor that nothing did");
}
