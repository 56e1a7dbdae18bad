/** Live queries of the schedule system for a server's clients: coalesced and bounded in time. */
import type { Department } from "../contract/rows/listing.ts";
import { SCHEDULE_SYSTEM, type SourceSchool } from "../contract/schedule-page.ts";
import type { Heading, LandedSection, Section } from "../contract/rows/section.ts";
import { termName, type GeCategory, type Term } from "../contract/vocabulary.ts";
import type { Log } from "../log.ts";
import { toHeadings } from "../normalize/schedule/heading.ts";
import { REPEATED_CODE, toLandedSections } from "../normalize/schedule/section.ts";
import { createTally } from "../contract/documents/tally.ts";
import { yieldingReaders, readListing } from "./schedule-readers.ts";
import { createClient } from "../sources/client/http.ts";
import { toScheduleFields, type LiveQuery } from "../sources/live-query.ts";
import { searchSchedule, type ScheduleFields } from "../sources/schedule.ts";
import { createSingleFlight, type Wait } from "../sources/client/single-flight.ts";

export interface LiveOptions {
  scheduleUrl: URL;
  /** Timeout of a whole query, retries and splits included, in milliseconds. */
  timeoutMs: number;
  /** The largest response. Default: 50 MB. */
  maxBytes?: number;
  /** The most upstream requests in flight. */
  concurrency: number;
  log: Log;
  /** Minimum time between the starts of two requests, in milliseconds. */
  pauseMs?: number;
}

/** A result that concurrent callers share: do not modify it. */
export interface LiveResult {
  /** A superset of the matching sections, which the caller filters. geCategories holds only the requested category. */
  sections: readonly Section[];
  headings: readonly Heading[];
}

export interface Live {
  /** The address of the schedule system, without its secrets. */
  readonly address: string;
  /**
   * Queries the schedule system; equal concurrent queries are sent once.
   * @param signal aborts only this caller's wait
   * @throws UpstreamTimeout, UpstreamRefused, UpstreamBadResponse; a failure never looks like an empty result
   */
  query(query: LiveQuery, signal?: AbortSignal): Promise<LiveResult>;
}

/** The department list changes a few times a year. */
const LISTING_TTL_MS = 3_600_000;

export function createLive({ scheduleUrl, timeoutMs, maxBytes, concurrency, log, pauseMs = 0 }: LiveOptions): Live {
  const client = createClient(SCHEDULE_SYSTEM, {
    concurrency,
    pauseMs,
    timeoutMs,
    retries: 2,
    backoffMs: 250,
    backoffCapMs: 2_000,
    maxRetryAfterMs: timeoutMs / 2,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const results = createSingleFlight<LiveResult>(SCHEDULE_SYSTEM);
  const listings = createSingleFlight<readonly Department[]>(SCHEDULE_SYSTEM);
  let listing: { departments: readonly Department[]; until: number } | undefined;

  async function departments(wait: Wait): Promise<readonly Department[]> {
    if (listing && performance.now() < listing.until) return listing.departments;
    return listings.join("", wait, async (shared) => {
      const { departments: listed } = await client.request({ url: scheduleUrl, signal: shared }, readListing);
      listing = { departments: listed, until: performance.now() + LISTING_TTL_MS };
      return listed;
    });
  }

  /**
   * A cross-listed department has a starred name in the response; the form has its full name. Without the form, keep
   * the starred name.
   */
  async function toNamedHeadings(term: Term, schools: readonly SourceSchool[], wait: Wait): Promise<Heading[]> {
    const headings = toHeadings(term, schools);
    if (!headings.some(({ deptName }) => deptName.endsWith("*"))) return headings;
    const listed = await departments(wait).catch(() => []);
    return toHeadings(term, schools, new Map(listed.map(({ deptCode, deptName }) => [deptCode, deptName])));
  }

  async function search(query: LiveQuery, fields: readonly ScheduleFields[], wait: Wait & { signal: AbortSignal }) {
    const { signal } = wait;
    const pages = await Promise.all(
      fields.map((part) => searchSchedule(client, scheduleUrl, part, yieldingReaders, signal)),
    );
    const schools = pages.flat().flatMap((page) => page.schools);
    const { term, ge } = query;
    const tally = createTally("schedule");
    const sections = toLandedSections(term, schools, tally, { keepHidden: true }).map((row) => withGe(row, ge));
    const headings = await toNamedHeadings(term, schools, wait);
    for (const { reason, count, names } of tally.report("published", 0).dropped) {
      // Overlapping searches return the same section.
      if (reason !== REPEATED_CODE) log.warn(`live: ${reason}`, { term: termName(term), count, first: names[0] });
    }
    return { sections, headings };
  }

  return {
    address: scheduleUrl.origin + scheduleUrl.pathname,
    async query(query, signal) {
      const deadline = performance.now() + timeoutMs;
      const wait: Wait = signal ? { deadline, signal } : { deadline };
      const listed = query.department === undefined ? [] : await departments(wait);
      const codes = listed.map(({ deptCode }) => deptCode);
      const fields = toScheduleFields(query, codes);
      if (fields.length === 0) return { sections: [], headings: [] };
      return results.join(JSON.stringify(fields), wait, (shared) =>
        search(query, fields, { deadline, signal: shared }),
      );
    },
  };
}

/** Modifies the row instead of copying it, because there may be thousands. */
function withGe(row: LandedSection, ge: GeCategory | undefined): Section {
  return Object.assign(row, { geCategories: ge ? [ge] : [] });
}
