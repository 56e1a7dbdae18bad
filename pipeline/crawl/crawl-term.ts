/**
 * The crawl of a term: every department, then every GE category; each is written to its landing file when it is
 * complete. **Output:** landing files of landed_sections, headings and landed_ge.
 */
import { SCHEDULE_SYSTEM } from "../contract/schedule-page.ts";
import type { Department } from "../contract/rows/listing.ts";
import { GE_CATEGORIES, termName, type Term } from "../contract/vocabulary.ts";
import { sumUnknown, type UnknownField } from "../contract/source-fields.ts";
import { UpstreamBadResponse } from "../errors.ts";
import {
  openTermLanding,
  type PublishedAs,
  type TermLanding,
  type TermLandingOptions,
  type Unit,
} from "../landing/term-landing.ts";
import { replayMemo, type UnitMemo } from "../landing/unit-memo.ts";
import type { Log } from "../log.ts";
import type { Tally } from "../contract/documents/tally.ts";
import { hashOf, landDepartment, type LandedUnit, landGe, type UnitCrawl } from "./land-unit.ts";

export interface TermCrawlOptions extends UnitCrawl {
  /** The folder of all schedule landings. */
  landingRoot: string;
  /** Identifies the upstream when a crawl is resumed: its address, or the sample campus's name. */
  source: string;
  /** The maximum age of a crawl that is resumed, in milliseconds. */
  maxAgeMs: number;
  now: () => Date;
  tally: Tally;
  log: Log;
  /** False or absent: a term without sections is an error. */
  allowEmpty?: boolean;
  /** Removes taken-down data from the landed rows. */
  withoutForgotten?: TermLandingOptions["withoutForgotten"];
  /** False to parse every page again. */
  isReused?: boolean;
  /** Called for each finished unit (a department, a GE category), including those of a resumed crawl. */
  onUnit?: (done: number, all: number) => void;
  signal?: AbortSignal;
}

export interface CrawledTerm {
  term: Term;
  /** When the crawl began, ISO 8601. */
  startedAt: string;
  sections: number;
  /** Unknown fields in its pages. */
  unknown: readonly UnknownField[];
  /** A hash of the crawled pages' hashes, in the order of departments and categories. */
  sha256: string;
  /** Landing files, except those of departments without sections. */
  departmentPaths: string[];
  gePaths: string[];
  /** The published files that were made from equal pages; undefined when a page changed. */
  published: PublishedAs | undefined;
  /** Keeps the landing files for the next crawl. */
  keep(published: PublishedAs): Promise<void>;
  /** Removes the landing files. */
  discard(): Promise<void>;
}

/**
 * Crawls a term, or resumes an interrupted crawl of it: only missing units are fetched.
 * @throws UpstreamError when a unit fails; finished units are kept for the next run. UpstreamBadResponse when there is
 *   no department, or no section in any of them; then nothing is kept
 */
export async function crawlTerm(options: TermCrawlOptions): Promise<CrawledTerm> {
  const {
    term,
    departments,
    landingRoot: root,
    source,
    maxAgeMs,
    now,
    tally,
    log,
    allowEmpty = false,
    onUnit,
    withoutForgotten,
    isReused,
  } = options;
  if (departments.length === 0) throw new UpstreamBadResponse(SCHEDULE_SYSTEM, "there is no department to crawl");
  const landing = await openTermLanding({ root, term, source, departments, maxAgeMs, now, withoutForgotten, isReused });
  const all = departments.length + GE_CATEGORIES.length;
  let done = 0;
  let reused = 0;
  async function finish(unit: Unit, land: () => Promise<LandedUnit>): Promise<UnitMemo> {
    const sealed = await landing.sealed(unit);
    const landed = sealed ? { memo: sealed, isReused: false } : await land();
    if (landed.isReused) reused++;
    onUnit?.(++done, all);
    return landed.memo;
  }

  const landed = await allOrNone(departments, options.signal, ({ deptCode }, signal) =>
    finish({ department: deptCode }, () => landDepartment(options, landing, deptCode, signal)),
  );
  const memos = await keepFirst(landing, term, departments, landed);
  const codes = new Set(memos.flatMap((memo) => memo.codes));
  if (codes.size === 0 && !allowEmpty) {
    // Let the next run fetch everything again.
    await landing.discard();
    throw new UpstreamBadResponse(SCHEDULE_SYSTEM, `${termName(term)} has no section in any of its departments`);
  }
  const ge = await allOrNone(GE_CATEGORIES, options.signal, (category, signal) =>
    finish({ category }, () => landGe(options, landing, category, signal)),
  );

  for (const memo of memos) replayMemo(memo, tally);
  for (const [i, category] of GE_CATEGORIES.entries()) {
    for (const code of ge[i]?.codes ?? []) {
      // The section was added between the two searches, or belongs to a department that the form does not list.
      if (!codes.has(code))
        tally.note("a section of a GE search that no department has", `${termName(term)} ${code} ${category}`);
    }
  }
  log.info("crawled", { term: termName(term), sections: codes.size, since: landing.startedAt });
  const filled = departments.filter((_, i) => (memos[i]?.codes.length ?? 0) > 0).map(({ deptCode }) => deptCode);
  return {
    term,
    startedAt: landing.startedAt,
    sections: codes.size,
    unknown: sumUnknown(memos),
    sha256: hashOf([...memos, ...ge].map(({ received }) => received)),
    departmentPaths: filled.map((department) => landing.pathOf({ department })),
    gePaths: GE_CATEGORIES.filter((_, i) => (ge[i]?.codes.length ?? 0) > 0).map((category) =>
      landing.pathOf({ category }),
    ),
    published: reused === all ? landing.published : undefined,
    keep: landing.keep,
    discard: landing.discard,
  };
}

/** A section code belongs to the first department of a term that lists it; all others drop it. */
async function keepFirst(
  landing: TermLanding,
  term: Term,
  departments: readonly Department[],
  memos: readonly UnitMemo[],
): Promise<UnitMemo[]> {
  const owners = new Map<string, string>();
  const kept: UnitMemo[] = [];
  for (const [i, memo] of memos.entries()) {
    const department = departments[i]?.deptCode ?? "";
    const taken = new Set(memo.codes.filter((code) => owners.has(code)));
    for (const code of memo.codes) if (!taken.has(code)) owners.set(code, department);
    if (taken.size === 0) kept.push(memo);
    else {
      const dropped = [...taken].map((code) => ({
        reason: "a section code that another department has",
        name: `${termName(term)} ${department} ${code}: of ${owners.get(code)}`,
      }));
      // Equal pages would not bring back the codes that the other department gives up.
      const { content: _content, ...others } = memo;
      const rest: UnitMemo = {
        ...others,
        codes: memo.codes.filter((code) => !taken.has(code)),
        dropped: [...memo.dropped, ...dropped],
      };
      await landing.removeSections(department, taken, rest);
      kept.push(rest);
    }
  }
  return kept;
}

/**
 * Runs the work for all items at once; when a call fails, all others are aborted. Settles when no work is running any
 * more.
 * @throws the first failure
 */
async function allOrNone<Item, Result>(
  items: readonly Item[],
  outer: AbortSignal | undefined,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failed = new AbortController();
  const signal = outer ? AbortSignal.any([outer, failed.signal]) : failed.signal;
  const failures: unknown[] = [];
  const settled = await Promise.allSettled(
    items.map((item) =>
      work(item, signal).catch((error: unknown) => {
        failures.push(error);
        failed.abort();
        throw error;
      }),
    ),
  );
  if (failures.length > 0) throw failures[0];
  return settled.map((result) => (result as PromiseFulfilledResult<Result>).value);
}
