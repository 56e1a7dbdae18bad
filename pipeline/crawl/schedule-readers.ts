/** Connects the schedule's parsers to its source. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SchedulePage } from "../contract/schedule-page.ts";
import type { Term } from "../contract/vocabulary.ts";
import { parseListing, type Listing } from "../parse/schedule/listing-html.ts";
import { openScheduleReader, parseScheduleXml } from "../parse/schedule/schedule-xml.ts";
import { parseWebResults } from "../parse/schedule/web-results.ts";
import type { UpstreamResponse } from "../sources/client/exchange.ts";
import { responseText } from "../sources/client/page-text.ts";
import type { ScheduleReaders } from "../sources/schedule.ts";

/** Characters parsed between two yields: about 2 ms. */
const CHUNK_LENGTH = 100_000;

/** Section codes and set phrases: all of it is ASCII. */
const webResults = (response: UpstreamResponse) => parseWebResults(response.body.toString("latin1"));

/** For a crawl: parses a response in one go. */
export const syncReaders: ScheduleReaders = {
  page: (response, term) => parseScheduleXml(responseText(response, "xml"), term),
  webResults,
};

/** For a server: yields to the event loop between chunks. */
export const yieldingReaders: ScheduleReaders = {
  async page(response: UpstreamResponse, term: Term): Promise<SchedulePage> {
    const text = responseText(response, "xml");
    const reader = openScheduleReader(term);
    for (let at = 0; at < text.length; at += CHUNK_LENGTH) {
      reader.write(text.slice(at, at + CHUNK_LENGTH));
      await nextTurn();
    }
    return reader.close();
  },
  webResults,
};

export const readListing = (response: UpstreamResponse): Listing => parseListing(responseText(response));
