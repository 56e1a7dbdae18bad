/**
 * The schedule: the lists of the search form, then every term in scope.
 * **Output:** departments, terms; sections and headings of each term.
 */
import { crawlTerm, type CrawledTerm } from "../../crawl/crawl-term.ts";
import type { Source } from "../../contract/rows/source.ts";
import { compareTerms, FIRST_TERM, type Term, termName } from "../../contract/vocabulary.ts";
import { unknownFieldText } from "../../contract/source-fields.ts";
import { GuardError, UpstreamBadResponse, UpstreamError } from "../../errors.ts";
import { removeOtherLandings } from "../../landing/term-landing.ts";
import type { ListedDepartment } from "../../parse/schedule/listing-html.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { readListing } from "../../crawl/schedule-readers.ts";
import { type AcceptedTerm, DAY_MS, isDamaged, type ProductStep, type RunContext } from "../context.ts";
import { putListings, withdrawnTerms } from "../listings.ts";
import { refusalOf } from "../guard/refusals.ts";
import { acceptTerm } from "./accept-term.ts";
import { departmentsOf, noteTaughtAfterEnd } from "./departments.ts";
import { isOver } from "./term-scope.ts";
import { rowsWithoutForgotten } from "../../forget/file-rows.ts";

/** The maximum age of a crawl that is resumed, if the term is over, because it no longer changes. */
const OVER_MAX_AGE_MS = 7 * DAY_MS;
const CURRENT_MAX_AGE_MS = 3_600_000;

export const scheduleStep: ProductStep = {
  product: "schedule",
  system: "schedule",
  tables: [
    "departments",
    "terms",
    "sections",
    "headings",
    "enrollment_history",
    "enrollment_periods",
    "enrollment_imports",
    "changes",
  ],
  keepsParts: true,
  plan: ({ addresses }) => addresses.schedule !== undefined,
  async run(context, tally) {
    const { addresses, client, log } = context;
    const url = addresses.schedule as URL;
    const listing = await client("schedule").request({ url }, readListing);
    const offered = listing.terms.filter((term) => compareTerms(term, FIRST_TERM) >= 0).sort(compareTerms);
    if (offered.length === 0 || listing.departments.length === 0)
      throw new UpstreamBadResponse("schedule", "the form offers no term or no department");
    for (const field of listing.unknown)
      tally.damage(`the search form: ${unknownFieldText(field)}, and nothing of it is crawled`);
    if (!listing.hasCategories) tally.note("the search form has no list of general-education categories", "Breadth");
    await putListings(context, listing, tally);
    const failed = withdrawnTerms(context, offered).flatMap((term) => {
      const part = { table: "sections", partition: { year: term.year, quarter: term.quarter } } as const;
      const reason = { part, column: "offered", text: "the search form no longer offers it" };
      const refusal = refusalOf(context, [reason], tally);
      return refusal ? failure(term, refusal, tally, log) : [];
    });

    for (const term of context.config.terms ?? []) {
      if (!offered.some((other) => compareTerms(other, term) === 0))
        tally.note("a term of TERMS that the form does not offer", termName(term));
    }
    const beyond = new Set(offered.slice(0, -1).filter((term) => isBeyondHorizon(context, term)));
    const scope = offered.filter((term) => isInScope(context, term, beyond.has(term)));
    const olderTerms = [...beyond].filter((term) => isWanted(context, term) && !isPublished(context, term)).length;
    const results = {
      crawled: [] as AcceptedTerm[],
      received: [] as Source[],
      afterPublish: [] as (() => Promise<void>)[],
    };
    let accepting: Promise<void> = Promise.resolve();
    for (const term of scope) {
      try {
        const asked = await departmentsOf(context, term, listing);
        const crawled = await crawlOne(context, term, asked.departments, tally);
        await noteTaughtAfterEnd(context, crawled, asked.departments, tally);
        // The next term is crawled while this one is written.
        await accepting;
        accepting = acceptTerm(context, crawled, asked, tally).then(
          ({ accepted, source, published }) => {
            results.crawled.push(accepted);
            results.received.push(source);
            // A term that is over is not crawled every hour.
            const isLast = isOver(term, context.calendar, context.today);
            results.afterPublish.push(isLast ? crawled.discard : () => crawled.keep(published));
          },
          (error: unknown) => void failed.push(failure(term, error, tally, log)),
        );
      } catch (error) {
        failed.push(failure(term, error, tally, log));
        if (!(error instanceof UpstreamError)) break;
      }
    }
    await accepting;
    const current = results.crawled.map(({ term }) => term);
    results.afterPublish.push(() => removeOtherLandings(landingRoot(context), current));
    return { ...results, olderTerms, failed };
  },
};

function failure(term: Term, error: unknown, tally: Tally, log: RunContext["log"]): string {
  if (!(error instanceof UpstreamError) && !(error instanceof GuardError))
    log.error("a term failed", { term: termName(term), cause: String(error) });
  const words = `${termName(term)}: ${error instanceof Error ? error.message : String(error)}`;
  tally.damage(words);
  return words;
}

/** A damaged term is crawled again, even outside of TERMS; a term that is over only when it is not published. */
function isInScope(context: RunContext, term: Term, isBeyond: boolean): boolean {
  const { mode, calendar, today } = context;
  const { year, quarter } = term;
  if (isDamaged(context, "sections", { year, quarter }) || isDamaged(context, "headings", { year, quarter }))
    return true;
  if (!isWanted(context, term)) return false;
  if (!isOver(term, calendar, today) || wasCrawledSince(context, term)) return true;
  return !isBeyond && (mode === "build" || !isPublished(context, term));
}

/** True when the run is limited to terms that were not over by a later day. The newest term is always crawled. */
const isBeyondHorizon = ({ calendar, since }: RunContext, term: Term): boolean =>
  since !== undefined && isOver(term, calendar, since);

const isPublished = ({ staging }: RunContext, { year, quarter }: Term): boolean =>
  staging.find("sections", { year, quarter }) !== undefined;

const isWanted = ({ config }: RunContext, term: Term): boolean =>
  config.terms?.some((wanted) => compareTerms(wanted, term) === 0) ?? true;

/** True when the term was crawled after the base was published, so that the result is lost. */
const wasCrawledSince = ({ freshness, isBehind, staging }: RunContext, term: Term): boolean =>
  isBehind && (freshness.terms[termName(term)] ?? "") > (staging.base?.manifest.createdAt ?? "");

const landingRoot = ({ landingFolder }: RunContext): string => `${landingFolder}/schedule`;

function crawlOne(
  context: RunContext,
  term: Term,
  departments: readonly ListedDepartment[],
  tally: Tally,
): Promise<CrawledTerm> {
  const { addresses, calendar, client, config, forgotten, isThorough, log, now, onPart, sourceName } = context;
  const { staging, today } = context;
  const published = staging.find("sections", { year: term.year, quarter: term.quarter });
  return crawlTerm({
    client: client("schedule"),
    url: addresses.schedule as URL,
    term,
    departments,
    landingRoot: landingRoot(context),
    source: sourceName("schedule"),
    maxAgeMs: isOver(term, calendar, today) ? OVER_MAX_AGE_MS : CURRENT_MAX_AGE_MS,
    now,
    tally,
    log,
    // A recorded term that is over is never emptied, whatever is accepted.
    allowEmpty: (config.allowShrink && !isOver(term, calendar, today)) || (published?.rows ?? 0) === 0,
    onUnit: (done, all) => onPart(termName(term), done, all),
    withoutForgotten: forgotten && ((rows) => rowsWithoutForgotten(rows, forgotten)),
    isReused: !isThorough,
  });
}
