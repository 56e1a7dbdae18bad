/** Learning-assistance (LARC) pages: a page per term, `<address>/202392,s1`. */
import { type Quarter, type Term, termName } from "../contract/vocabulary.ts";
import type { Tally } from "../contract/documents/tally.ts";
import type { Client } from "./client/http.ts";
import { asFolder } from "./client/page-address.ts";
import { responseText } from "./client/page-text.ts";
import { type Walked, walkPages } from "./client/page-walk.ts";

const FIRST_YEAR = 2019;

/**
 * URL suffixes after the year. Fall's changed after 2022, and old years vary: both are tried. The ten-week session has
 * none.
 */
const SUFFIXES: readonly (readonly [quarter: Quarter, suffixes: readonly string[]])[] = [
  ["Winter", ["03,1"]],
  ["Spring", ["14,1"]],
  ["Summer1", ["25,s1"]],
  ["Summer2", ["76,s2"]],
  ["Fall", ["92,s1", "92,1"]],
];
const LAST_YEAR_OF_OLD_FALL = 2022;

/** The name of a term's page in `damaged`. */
export const tutorialsOf = (term: Term): string => `tutorials of ${termName(term)}`;

interface Tutorials {
  readonly groups: readonly unknown[];
  readonly unreadable: readonly unknown[];
}

/**
 * Fetches every term from 2019 to `lastYear`, oldest first; terms without tutorials or without a page are left out. A
 * `file:` address is a folder of pages with those names, with or without `.html`.
 * @throws UpstreamError when every page fails; a single failure is named in the tally and in `damaged`
 */
export async function walkLarc<Page extends Tutorials>(
  client: Client,
  url: URL,
  parse: (html: string) => Page,
  lastYear: number,
  tally: Tally,
): Promise<Walked<{ term: Term; page: Page }>> {
  const folder = asFolder(url);
  const terms = tutorialTerms(lastYear);
  const { pages, damaged } = await walkPages(
    terms,
    ({ term }) => tutorialsOf(term),
    async ({ term, names }) => {
      for (const name of url.protocol === "file:" ? names.flatMap((n) => [n, `${n}.html`]) : names) {
        const page = await readTerm(client, new URL(name, folder), parse);
        if (page && page.groups.length + page.unreadable.length > 0) return { term, page };
      }
      return undefined;
    },
    tally,
  );
  return { pages: pages.filter((page) => page !== undefined), damaged };
}

/** Every term that may have tutorials, oldest first, with the possible names of its page. */
export function tutorialTerms(lastYear: number): { term: Term; names: string[] }[] {
  const terms: { term: Term; names: string[] }[] = [];
  for (let year = FIRST_YEAR; year <= lastYear; year++) {
    for (const [quarter, suffixes] of SUFFIXES) {
      const names = year <= LAST_YEAR_OF_OLD_FALL ? suffixes.toReversed() : suffixes;
      terms.push({ term: { year: String(year), quarter }, names: names.map((suffix) => `${year}${suffix}`) });
    }
  }
  return terms;
}

/** Returns undefined on 404. */
function readTerm<Page>(client: Client, url: URL, parse: (html: string) => Page): Promise<Page | undefined> {
  return client.request({ url, accept: [404], follow: true }, (response) =>
    response.status === 404 ? undefined : parse(responseText(response)),
  );
}
