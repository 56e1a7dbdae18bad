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

/** Section codes and set phrases are ASCII. */
const webResults = (response: UpstreamResponse) => parseWebResults(response.body.toString("latin1"));

/** Parses a response in one go, for a crawl. */
export const syncReaders: ScheduleReaders = {
  page: (response, term) => parseScheduleXml(responseText(response, "xml"), term),
  webResults,
};

/** Yields to the event loop between chunks, for a server. */
export const yieldingReaders: ScheduleReaders = {
  async page(response: UpstreamResponse, term: Term): Promise<SchedulePage> {
    const text = responseText(response, "xml");
    const reader = openScheduleReader(term);
    for (let offset = 0; offset < text.length; offset += CHUNK_LENGTH) {
      reader.write(text.slice(offset, offset + CHUNK_LENGTH));
      await nextTurn();
    }
    return reader.close();
  },
  webResults,
};

export const readListing = (response: UpstreamResponse): Listing => parseListing(responseText(response));
