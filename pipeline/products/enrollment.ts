/**
 * Enrollment history: what operators' files tell of the past, then one snapshot of the campus day for every term that this run crawled and accepted.
 * The day's latest run is that day's value; a day without a run is an honest gap.
 * **Output:** enrollment_history and enrollment_periods of each term, enrollment_imports.
 */
import { termName } from "../contract/vocabulary.ts";
import { GuardError } from "../errors.ts";
import { hasEnrollmentFiles } from "../sources/enrollment-files.ts";
import type { ProductStep } from "./context.ts";
import { findImports, importHistory } from "./enrollment-import.ts";
import { recordTerm } from "./enrollment-recording.ts";

export const enrollmentStep: ProductStep = {
  product: "enrollment",
  plan: async ({ config, crawled }) => crawled.length > 0 || (await hasEnrollmentFiles(config.dataDir)),
  async run(context, tally) {
    const files = await findImports(context, tally);
    if (files.length > 0) await importHistory(context, files, tally);
    for (const { term } of context.crawled) {
      try {
        await recordTerm(context, term, tally);
      } catch (error) {
        if (!(error instanceof GuardError)) throw error;
        tally.damage(`${termName(term)}: ${error.message}`);
      }
    }
  },
};
