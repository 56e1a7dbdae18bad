/** Wires the schedule's parsers to its source. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SchedulePage } from "../contract/schedule-page.ts";
import type { Term } from "../contract/vocabulary.ts";
import { parseListing, type Listing } from "../parse/listing-html.ts";
import { openScheduleReader, parseScheduleXml } from "../parse/schedule-xml.ts";
import { parseWebResults } from "../parse/web-results.ts";
import { decodeXml } from "../parse/xml-encoding.ts";
import { charsetOf, type Answer } from "../sources/http.ts";
import type { ScheduleReaders } from "../sources/schedule.ts";

/** How much of an answer a server reads before it looks after its other work: about two milliseconds' worth. */
const PIECE = 100_000;

const webResults = (answer: Answer) => parseWebResults(answer.body.toString("latin1"));

/** For a crawl: an answer is read in one go. */
export const syncReaders: ScheduleReaders = {
  page: (answer, term) => parseScheduleXml(answer.body, term, charsetOf(answer)),
  webResults,
};

/** For a server: reading an answer never holds up other requests for long. */
export const yieldingReaders: ScheduleReaders = {
  async page(answer: Answer, term: Term): Promise<SchedulePage> {
    const text = decodeXml(answer.body, charsetOf(answer));
    const reader = openScheduleReader(term);
    for (let at = 0; at < text.length; at += PIECE) {
      reader.write(text.slice(at, at + PIECE));
      await nextTurn();
    }
    return reader.close();
  },
  webResults,
};

/** Reads the search form. */
export function readListing(answer: Answer): Listing {
  const charset = charsetOf(answer)?.toLowerCase();
  return parseListing(answer.body.toString(charset === "iso-8859-1" ? "latin1" : "utf8"));
}
