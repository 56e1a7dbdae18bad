/** The registrar's academic calendar: a page per academic year, whose address follows from the year. */
import { join } from "node:path";
import { decodeText } from "../text/decode-text.ts";
import { FIRST_TERM } from "../contract/vocabulary.ts";
import { UpstreamBadResponse } from "../errors.ts";
import type { Tally } from "../contract/documents/tally.ts";
import { readRegularFile } from "../regular-files.ts";
import type { Client } from "./client/http.ts";
import { asFolder, linkFrom, pageAt } from "./client/page-address.ts";
import { responseText } from "./client/page-text.ts";
import { type Walked, walkPages } from "./client/page-walk.ts";

export interface CalendarParsers<Page> {
  /** The index page → addresses of years' pages, as printed. */
  index(html: string): readonly string[];
  /** Parses a year's page; `firstYear` is the year in its heading. */
  year(html: string): Page & { readonly firstYear?: number };
}

/**
 * Fetches every academic year that the index lists, and also the unlisted years from `FIRST_TERM`'s to the year that
 * begins in `lastYear`, for which 404 means "not published yet". A `file:` address is a folder of that form, or a
 * single page.
 * @throws UpstreamError when every page fails; a single failure is reported as damage and named in `damaged`
 */
export async function walkCalendar<Page>(
  client: Client,
  url: URL,
  parse: CalendarParsers<Page>,
  lastYear: number,
  tally: Tally,
): Promise<Walked<Page & { readonly firstYear: number }>> {
  if (/\.html?$/i.test(url.pathname) && url.protocol === "file:") {
    const page = await readYear(client, url, parse);
    return { pages: page ? [page] : [], damaged: [] };
  }
  const folder = asFolder(url);
  const index = pageAt(folder);
  // Without an accessible index the addresses follow from the years.
  const links = await client.request({ url: index, accept: [403, 404], follow: true }, (response) =>
    response.status === 200 ? parse.index(responseText(response)) : [],
  );
  const addresses = new Map<number, { url: URL; listed: boolean }>();
  // Summer 2014 is on the page of the academic year 2013–14.
  for (let year = Number(FIRST_TERM.year) - 1; year <= lastYear; year++) {
    addresses.set(year, { url: new URL(pathOfYear(year), folder), listed: false });
  }
  for (const href of links) {
    const link = linkFrom(index, href, folder);
    const year = /(\d{4})-\d{2,4}\/[^/]+$/.exec(link?.pathname ?? "")?.[1];
    if (link && year) addresses.set(Number(year), { url: link, listed: true });
  }
  const years = [...addresses].sort(([a], [b]) => a - b);
  const { pages, damaged } = await walkPages(
    years,
    ([year]) => `calendar of ${year}`,
    ([year, address]) => readYear(client, address.url, parse, year, address.listed ? [] : [404]),
    tally,
  );
  const published = pages.filter((page) => page !== undefined);
  if (published.length === 0) throw new UpstreamBadResponse(client.system, "there is no calendar of any year");
  return { pages: published, damaged };
}

/** `2023-2024/quarterly23-24.html` */
function pathOfYear(year: number): string {
  const short = (y: number): string => String(y % 100).padStart(2, "0");
  return `${year}-${year + 1}/quarterly${short(year)}-${short(year + 1)}.html`;
}

/** Returns undefined for a missing page, if 404 is accepted. */
function readYear<Page>(
  client: Client,
  url: URL,
  parse: CalendarParsers<Page>,
  year?: number,
  accept: readonly number[] = [],
): Promise<(Page & { readonly firstYear: number }) | undefined> {
  return client.request({ url, accept, follow: true }, (response) => {
    if (response.status === 404) return undefined;
    const page = parse.year(responseText(response));
    // The terms' years follow from it: a page for another year would shift every term.
    const firstYear = page.firstYear ?? year;
    if (firstYear === undefined || (year !== undefined && firstYear !== year))
      throw new UpstreamBadResponse(
        client.system,
        `the page is of ${firstYear ?? "an unknown year"}, not of ${year ?? "a known one"}`,
      );
    return { ...page, firstYear };
  });
}

/** The text of `calendar.csv` in the data folder; undefined when there is none. @throws UpstreamBadResponse */
export async function readCalendarCsv(dataDir: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readRegularFile(join(dataDir, "calendar.csv"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new UpstreamBadResponse("calendar", "calendar.csv cannot be read", { cause: error });
  }
  return decodeText({ system: "calendar", bytes, kind: "csv" });
}
