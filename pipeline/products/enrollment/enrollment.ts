/**
 * Enrollment history: operators' files, then a snapshot of the campus day of its crawl for every term that this run accepted. The day's last run gives its
 * value; a day without a run is a gap.
 * **Output:** enrollment_history and enrollment_periods of each term, enrollment_imports.
 */
import { termName } from "../../contract/vocabulary.ts";
import { GuardError } from "../../errors.ts";
import { hasEnrollmentFiles } from "../../sources/enrollment-files.ts";
import type { ProductStep } from "../context.ts";
import { findImports, importHistory } from "./enrollment-import.ts";
import { recordTerm } from "./enrollment-recording.ts";
import { checkDays, dayOfCrawl } from "./recorded-day.ts";

export const enrollmentStep: ProductStep = {
  product: "enrollment",
  plan: async ({ config, crawled }) => crawled.length > 0 || (await hasEnrollmentFiles(config.dataDir)),
  async run(context, tally) {
    const { staging } = context;
    // A day is added to those before it, which must be sound.
    const lost = staging
      .damaged()
      .filter(({ table }) => table === "enrollment_history" || table === "enrollment_periods");
    if (lost.length > 0 && !context.config.allowShrink)
      throw new GuardError("recorded history is damaged and there is no copy of it: nothing is recorded on top");
    checkDays(context, tally);
    const files = await findImports(context, tally);
    if (files.length > 0) await importHistory(context, files, tally);
    for (const { term, ...times } of context.crawled) {
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
