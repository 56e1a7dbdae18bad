/** Asks the schedule system on behalf of a server's clients, who wait for it: shared, bounded, and given up while the upstream is down. */
import type { Department } from "../contract/listing.ts";
import { SCHEDULE_SYSTEM, type SourceSchool } from "../contract/schedule-page.ts";
import type { Heading, LandedSection, Section } from "../contract/section.ts";
import { termName, type GeCategory, type Term } from "../contract/vocabulary.ts";
import type { Log } from "../log.ts";
import { toHeadings } from "../normalize/heading.ts";
import { REPEATED_CODE, toLandedSections } from "../normalize/section.ts";
import { createTally } from "../contract/tally.ts";
import { yieldingReaders, readListing } from "./schedule-readers.ts";
import { createCircuitBreaker } from "../sources/circuit-breaker.ts";
import { createClient } from "../sources/http.ts";
import { fetchListings } from "../sources/listings.ts";
import { toScheduleFields, type LiveQuery } from "../sources/live-query.ts";
import { searchSchedule, type ScheduleFields } from "../sources/schedule.ts";
import { createSingleFlight, isAbandoned, type Wait } from "../sources/single-flight.ts";

export interface LiveOptions {
  scheduleUrl: URL;
  /** The longest that a question may take in all, repetitions and splits included, in milliseconds. */
  timeoutMs: number;
  /** Requests to the upstream under way at once, whatever our own load is. */
  concurrency: number;
  log: Log;
  /** Least time between the starts of two requests, in milliseconds. */
  pauseMs?: number;
}

/** Shared by all who asked the same: not to be changed. */
export interface LiveResult {
  /** At least every section that matches; the asker applies its filters. geCategories holds the category that was asked for, and no other. */
  sections: readonly Section[];
  headings: readonly Heading[];
}

export interface Live {
  /**
   * Asks the schedule system. Those who ask the same at the same time share its answer.
   * @param signal ends the wait of this asker, not of the others
   * @throws UpstreamTimeout, UpstreamRefused, UpstreamBadResponse; never an empty answer in place of a failure
   */
  ask(question: LiveQuery, signal?: AbortSignal): Promise<LiveResult>;
}

/** The department list changes a few times a year. */
const LISTING_MS = 3_600_000;

const BREAKER = { failures: 5, openMs: 5_000, clock: () => performance.now() };

export function createLive({ scheduleUrl, timeoutMs, concurrency, log, pauseMs = 0 }: LiveOptions): Live {
  const client = createClient(SCHEDULE_SYSTEM, {
    concurrency,
    pauseMs,
    timeoutMs,
    retries: 2,
    backoffMs: 250,
    backoffCapMs: 2_000,
    maxRetryAfterMs: timeoutMs / 2,
  });
  const breaker = createCircuitBreaker(BREAKER);
  const answers = createSingleFlight<LiveResult>(SCHEDULE_SYSTEM);
  const listings = createSingleFlight<readonly Department[]>(SCHEDULE_SYSTEM);
  let listing: { departments: readonly Department[]; until: number } | undefined;

  async function departments(wait: Wait): Promise<readonly Department[]> {
    if (listing && performance.now() < listing.until) return listing.departments;
    return listings.join("", wait, (shared) =>
      breaker.guard(
        async () => {
          const found = (await fetchListings(client, scheduleUrl, readListing, shared)).departments;
          listing = { departments: found, until: performance.now() + LISTING_MS };
          return found;
        },
        () => isAbandoned(shared),
      ),
    );
  }

  /** Nothing but a guest's name in an answer: the form knows the department's own. Without the form the guest's name has to do. */
  async function named(term: Term, schools: readonly SourceSchool[], wait: Wait): Promise<Heading[]> {
    const headings = toHeadings(term, schools);
    if (!headings.some(({ deptName }) => deptName.endsWith("*"))) return headings;
    const known = await departments(wait).catch(() => []);
    return toHeadings(term, schools, new Map(known.map(({ deptCode, deptName }) => [deptCode, deptName])));
  }

  async function answer(question: LiveQuery, fields: readonly ScheduleFields[], wait: Wait & { signal: AbortSignal }) {
    const { signal } = wait;
    const pages = await breaker.guard(
      () => Promise.all(fields.map((part) => searchSchedule(client, scheduleUrl, part, yieldingReaders, signal))),
      () => isAbandoned(signal),
    );
    const schools = pages.flat().flatMap((page) => page.schools);
    const { term, ge } = question;
    const tally = createTally("schedule");
    const sections = toLandedSections(term, schools, tally, { keepHidden: true }).map((row) => withGe(row, ge));
    const headings = await named(term, schools, wait);
    for (const { reason, count, names } of tally.report("published", 0).dropped) {
      // Several questions may well find the same section.
      if (reason !== REPEATED_CODE) log.warn(`live: ${reason}`, { term: termName(term), count, first: names[0] });
    }
    return { sections, headings };
  }

  return {
    async ask(question, signal) {
      const deadline = performance.now() + timeoutMs;
      const wait: Wait = signal ? { deadline, signal } : { deadline };
      const listed = question.department === undefined ? [] : await departments(wait);
      const codes = listed.map(({ deptCode }) => deptCode);
      const fields = toScheduleFields(question, codes);
      if (fields.length === 0) return { sections: [], headings: [] };
      return answers.join(JSON.stringify(fields), wait, (shared) =>
        answer(question, fields, { deadline, signal: shared }),
      );
    },
  };
}

/** The row itself becomes the section: there may be thousands. */
function withGe(row: LandedSection, ge: GeCategory | undefined): Section {
  return Object.assign(row, { geCategories: ge ? [ge] : [] });
}
