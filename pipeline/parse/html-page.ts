/** Parses HTML pages: detects truncation, and extracts text as rendered. */
import type { Cheerio, CheerioAPI } from "cheerio";
import { UpstreamBadResponse } from "../errors.ts";
import { parseTree } from "./html-tree.ts";

export type Page = CheerioAPI;
const everything = (page: Page) => page("*");
export type Elements = ReturnType<typeof everything>;
export type Element = Extract<Elements extends Cheerio<infer Node> ? Node : never, { readonly tagName: string }>;

/** Replaces `<br>` in the text: a character that does not occur in pages. */
export const LINE_BREAK = "\v";

/**
 * Loads a page with source positions, which `requireWhole` needs. @throws UpstreamBadResponse when it is beyond a limit
 */
export function parsePage(system: string, html: string): Page {
  const page = parseTree(system, html);
  page("br").text(LINE_BREAK);
  return page;
}

/** Collapses white space of any kind to a blank, as a browser shows it; no-break spaces too. */
const tidy = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The text, with `<br>` as a blank. */
export function textOf(elements: Elements): string {
  return tidy(elements.text().replaceAll(LINE_BREAK, "\n"));
}

/** The non-empty lines of the text, split at `<br>`. */
export function linesOf(elements: Elements): string[] {
  return elements.text().split(LINE_BREAK).map(tidy).filter(Boolean);
}

/**
 * Checks that the required elements exist and are not truncated.
 * @throws UpstreamBadResponse
 */
export function requireWhole(system: string, what: string, elements: Elements): void {
  if (elements.length === 0) throw new UpstreamBadResponse(system, `the page has no ${what}`);
  const cutOff = elements
    .toArray()
    .some(({ sourceCodeLocation: location }) => !location || !("endTag" in location) || !location.endTag);
  if (cutOff) throw new UpstreamBadResponse(system, `the page ends inside its ${what}`);
}
