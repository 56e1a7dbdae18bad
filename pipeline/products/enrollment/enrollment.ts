/**
 * Enrollment history: operators' files, then, for every term that this run accepted, a snapshot of the campus day of
 * its crawl. The day's last run determines its value; a day without a run is a gap. **Output:** enrollment_history and
 * enrollment_periods of each term, enrollment_imports.
 */
import { type Term, termName } from "../../contract/vocabulary.ts";
import { GuardError } from "../../errors.ts";
import { hasEnrollmentFiles } from "../../sources/enrollment-files.ts";
import type { ProductStep, CrawledTermTimes, RunContext } from "../context.ts";
import { changedParts, isSettled } from "../settled.ts";
import { findImports, importHistory } from "./enrollment-import.ts";
import { recordTerm } from "./enrollment-recording.ts";
import { campusToday, nextDay } from "../../contract/campus-time.ts";
import type { Tally } from "../../contract/documents/tally.ts";

export const enrollmentStep: ProductStep = {
  product: "enrollment",
  tables: ["enrollment_history", "enrollment_periods", "enrollment_imports"],
  plan: async ({ config, crawled }) => crawled.length > 0 || (await hasEnrollmentFiles(config.dataDir)),
  async run(context, tally) {
    const { staging } = context;
    // A day is added to earlier days, which must be sound.
    const lost = staging.lost().filter(({ table }) => table === "enrollment_history" || table === "enrollment_periods");
    if (lost.length > 0 && !context.config.allowShrink)
      throw new GuardError("recorded history is damaged and there is no copy of it: nothing is recorded on top");
    checkDays(context, tally);
    const files = await findImports(context, tally);
    if (files.length > 0) await importHistory(context, files, tally);
    const isRecorded = files.length === 0 ? recordedTerms(context) : () => false;
    for (const { term, ...times } of context.crawled) {
      if (isRecorded(term, dayOfCrawl(times))) continue;
      try {
        await recordTerm(context, term, dayOfCrawl(times), tally);
      } catch (error) {
        if (!(error instanceof GuardError)) throw error;
        tally.damage(`${termName(term)}: ${error.message}`);
      }
    }
    return {};
  },
};

/** Tells terms whose day the last run recorded with the same sections. */
function recordedTerms(context: RunContext): (term: Term, day: string) => boolean {
  if (!isSettled(context, "enrollment")) return () => false;
  const changed = changedParts(context, "sections").map(({ published, staged }) => (staged ?? published)?.partition);
  return ({ year, quarter }, day) => {
    const last = context.freshness.terms[termName({ year, quarter })];
    const isSameDay = last !== undefined && campusToday(new Date(last)) === day;
    return isSameDay && !changed.some((part) => part?.year === year && part.quarter === quarter);
  };
}

/** The campus day under which a crawl is recorded. */
const dayOfCrawl = ({ startedAt }: CrawledTermTimes): string => campusToday(new Date(startedAt));

/**
 * A wrong clock must not invent days, so it is compared with the upstream's. Without an upstream's Date, a gap since
 * the last published run is noted: the clock may be wrong, or the machine was off.
 * @throws GuardError when a day is later than that of the upstream's clock
 */
function checkDays({ crawled, staging }: RunContext, tally: Tally): void {
  const createdAt = staging.base?.manifest.createdAt;
  const lastRun = createdAt && campusToday(new Date(createdAt));
  for (const { term, ...times } of crawled) {
    const day = dayOfCrawl(times);
    if (times.upstreamDate !== undefined) {
      const theirs = campusToday(new Date(times.upstreamDate));
      if (day > theirs)
        throw new GuardError(
          `this computer's clock says ${day}, the schedule system's ${theirs}: the day is not recorded`,
        );
    } else if (lastRun && day > nextDay(lastRun)) {
      tally.note(
        "recorded more than a day after the last published run, and the schedule system has no clock to compare with",
        `${termName(term)}: ${day} after ${lastRun}`,
      );
    }
  }
}
