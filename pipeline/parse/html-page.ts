/** One HTML page: loaded so that a cut-off shows, and its text as a reader sees it. */
import { load, type CheerioAPI } from "cheerio";
import { UpstreamBadResponse } from "../errors.ts";

export type Page = CheerioAPI;
const everything = (page: Page) => page("*");
/** Some elements of a page. */
export type Elements = ReturnType<typeof everything>;

/** What a `<br>` becomes inside the text: a character that pages do not hold. */
const LINE_BREAK = "\v";

/** Loads a page. Where an element's end did not arrive, `requireWhole` knows. */
export function parsePage(html: string): Page {
  const page = load(html, { sourceCodeLocationInfo: true });
  page("br").replaceWith(LINE_BREAK);
  return page;
}

/** No-break spaces are blanks; a line break of the source is one blank; blanks inside a line stay as they are printed. */
const tidy = (text: string): string =>
  text
    .replaceAll("\u00a0", " ")
    .replace(/\s*[\r\n]\s*/g, " ")
    .trim();

/** The text, `<br>` read as a blank. */
export function textOf(elements: Elements): string {
  return tidy(elements.text().replaceAll(LINE_BREAK, "\n"));
}

/** The text, cut at every `<br>`; empty lines are left out. */
export function linesOf(elements: Elements): string[] {
  return elements.text().split(LINE_BREAK).map(tidy).filter(Boolean);
}

/**
 * Shape check: what the page is read for must be there, and its end tags must have arrived.
 * @throws UpstreamBadResponse
 */
export function requireWhole(system: string, what: string, elements: Elements): void {
  if (elements.length === 0) throw new UpstreamBadResponse(system, `the page has no ${what}`);
  const cutOff = elements.toArray().some(({ sourceCodeLocation: at }) => !at || !("endTag" in at) || !at.endTag);
  if (cutOff) throw new UpstreamBadResponse(system, `the page ends inside its ${what}`);
}
