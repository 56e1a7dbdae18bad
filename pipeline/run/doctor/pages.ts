/** The contents of each system's first page, and the number of requests of a full crawl. */
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { PipelineConfig, System } from "../../settings/pipeline.ts";
import { createTally } from "../../contract/documents/tally.ts";
import { compareTerms, FIRST_TERM, GE_CATEGORIES } from "../../contract/vocabulary.ts";
import { readListing } from "../../crawl/schedule-readers.ts";
import { parseCalendarIndex, parseCalendarPage } from "../../parse/calendar-html.ts";
import { parseCatalogueIndex } from "../../parse/catalogue-html.ts";
import { parseDirectoryAnswer } from "../../parse/directory-json.ts";
import { parseLarcPage } from "../../parse/larc-html.ts";
import { parsePrerequisiteForm, parsePrerequisiteTable } from "../../parse/prerequisites-html.ts";
import { endedBefore } from "../../products/schedule/departments.ts";
import { coursesIndex } from "../../sources/catalogue.ts";
import type { Client } from "../../sources/client/http.ts";
import { asFolder, pageAt } from "../../sources/client/page-address.ts";
import { readPage, responseText } from "../../sources/client/page-text.ts";
import { openDirectory } from "../../sources/directory.ts";
import { tutorialTerms } from "../../sources/larc.ts";
import { readRecordsIndex } from "../../sources/records.ts";

export interface Offered {
  readonly offers: string;
  /** The minimum number of requests of a full crawl; undefined if the page does not determine it. */
  readonly requests: number | undefined;
}

interface LookOptions {
  readonly client: Client;
  readonly url: URL;
  readonly config: PipelineConfig;
  /** The next year, which may already have pages. */
  readonly lastYear: number;
}

const count = (number: number, singular: string, many = `${singular}s`): string =>
  `${number} ${number === 1 ? singular : many}`;

/** Each function sends a single request. @throws UpstreamError */
export const LOOKS: Readonly<Record<System, (options: LookOptions) => Promise<Offered>>> = {
  async schedule({ client, url, config }) {
    const { terms, departments } = await client.request({ url }, readListing);
    const isWanted = (term: (typeof terms)[number]) =>
      compareTerms(term, FIRST_TERM) >= 0 && (config.terms?.some((wanted) => compareTerms(wanted, term) === 0) ?? true);
    const wanted = terms.filter(isWanted);
    const searches = wanted.map((term) => {
      const isEnded = endedBefore(term);
      return departments.filter((department) => !isEnded(department)).length + GE_CATEGORIES.length;
    });
    const restricted = config.terms === undefined ? "" : `, ${wanted.length} of them in TERMS`;
    const offers = `the search form offers ${count(terms.length, "term")}${restricted} and ${count(departments.length, "department")}`;
    return { offers, requests: 1 + searches.reduce((sum, searched) => sum + searched, 0) };
  },
  async records({ client, url }) {
    const { length } = await readRecordsIndex(client, url, createTally("grades"));
    return { offers: `${count(length, "grade export")}`, requests: 1 + length };
  },
  async catalogue({ client, url }) {
    const { length } = await readPage(client, pageAt(coursesIndex(url)), parseCatalogueIndex);
    return { offers: `the index lists ${count(length, "department")}`, requests: 1 + length };
  },
  async prerequisites({ client, url }) {
    if (url.protocol === "file:") {
      const rows = await readPage(client, url, parsePrerequisiteTable);
      return { offers: count(rows.length, "course"), requests: 1 };
    }
    const { length } = await readPage(client, url, parsePrerequisiteForm);
    return { offers: `the form offers ${count(length, "department")}`, requests: 1 + length };
  },
  async directory({ client, url }) {
    const people = await openDirectory(client, url, parseDirectoryAnswer).lookUp("Smith");
    return { offers: `a search for Smith finds ${count(people.length, "person", "people")}`, requests: undefined };
  },
  async calendar({ client, url, lastYear }) {
    if (/\.html?$/i.test(url.pathname) && url.protocol === "file:") {
      const { firstYear } = await readPage(client, url, parseCalendarPage);
      return { offers: `the page of the academic year from ${firstYear ?? "an unknown year"}`, requests: 1 };
    }
    const years = lastYear - Number(FIRST_TERM.year) + 2;
    const index = { url: pageAt(asFolder(url)), accept: [403, 404], follow: true };
    return client.request(index, (response) => {
      if (response.status !== 200) return { offers: "no index; addresses follow from the years", requests: 1 + years };
      const { length } = parseCalendarIndex(responseText(response));
      return { offers: `the index lists ${count(length, "academic year")}`, requests: 1 + Math.max(length, years) };
    });
  },
  async larc({ client, url, lastYear }) {
    const terms = tutorialTerms(lastYear);
    if (url.protocol === "file:") {
      const { length } = await readdir(fileURLToPath(url));
      return { offers: `a folder with ${count(length, "page")}`, requests: length };
    }
    // A term that has begun, and whose page has only one name.
    const winter = terms.findLast(({ term }) => term.quarter === "Winter" && Number(term.year) < lastYear);
    const page = new URL(winter?.names[0] ?? "", asFolder(url));
    return client.request({ url: page, accept: [404], follow: true }, (response) => {
      if (response.status === 404) return { offers: `no page ${page.pathname}`, requests: terms.length };
      const { groups } = parseLarcPage(responseText(response));
      return { offers: `${page.pathname} has ${count(groups.length, "tutorial")}`, requests: terms.length };
    });
  },
};
