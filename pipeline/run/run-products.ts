/**
 * Builds the products of a run in sequence. A product that fails keeps its published data; the others are published.
 */
import type { System } from "../settings/pipeline.ts";
import type { Product } from "../contract/documents/manifest.ts";
import type { TableName } from "../contract/tables.ts";
import { GuardError, UpstreamError } from "../errors.ts";
import { calendarStep, readCalendar } from "../products/calendar.ts";
import { catalogueStep } from "../products/catalogue.ts";
import type { ProductStep, RunContext, StepResults } from "../products/context.ts";
import { enrollmentStep } from "../products/enrollment/enrollment.ts";
import { gradesStep } from "../products/grades/grades.ts";
import { historyStep } from "../products/history.ts";
import { instructorsStep } from "../products/instructors.ts";
import { larcStep } from "../products/larc.ts";
import { scheduleStep } from "../products/schedule/schedule.ts";
import type { ProductReport } from "../contract/documents/run-report.ts";
import { createTally } from "../contract/documents/tally.ts";
import { diskAdvice } from "./disk-need.ts";
import type { PhaseEnd, Progress } from "./progress.ts";
import { grouped } from "./run-report.ts";

/**
 * The order matters: grades look up sections, instructors are matched with the names in sections, and the calendar
 * decides which terms are over.
 */
export const STEPS: readonly ProductStep[] = [
  calendarStep,
  scheduleStep,
  gradesStep,
  catalogueStep,
  instructorsStep,
  larcStep,
  historyStep,
  enrollmentStep,
];

export interface ProductsOutcome {
  readonly reports: readonly ProductReport[];
  /** Products that failed as a whole: their published data stays. */
  readonly unchanged: ReadonlySet<Product>;
  /** The context with the results of all steps. */
  readonly context: RunContext;
  /** Advice about full disks. */
  readonly advice: readonly string[];
}

/** Runs all steps. `changed` are the systems whose data comes from another campus now. */
export async function runProducts(
  opened: RunContext,
  changed: readonly System[],
  progress: Progress,
): Promise<ProductsOutcome> {
  let context: RunContext = { ...opened, calendar: await readCalendar(opened) };
  const reports: ProductReport[] = [];
  const unchanged = new Set<Product>();
  const advice = new Set<string>();
  for (const step of STEPS) {
    progress.begin(step.product);
    const isOfAnother = step.system !== undefined && changed.includes(step.system);
    const outcome = await runStep(step, context, isOfAnother ? step.tables : []);
    const isClosed = step.system !== undefined && context.config.closed.includes(step.system);
    progress.end(...endOf(outcome.report, isClosed));
    context = withResults(context, outcome.results);
    reports.push(outcome.report);
    if (outcome.isRestored) unchanged.add(step.product);
    if (outcome.advice !== undefined) advice.add(outcome.advice);
  }
  return { reports, unchanged, context, advice: [...advice] };
}

function endOf({ status, kept, damaged }: ProductReport, isClosed: boolean): [PhaseEnd, string] {
  if (status === "failed") return ["failed", "what is published of it stays"];
  if (status === "skipped") return ["skipped", isClosed ? "the system is gone" : "not due"];
  const rows = kept === 0 ? "nothing new" : `${grouped(kept)} rows`;
  return damaged.length === 0 ? ["done", rows] : ["failed", `${rows}, ${damaged.length} damaged`];
}

function withResults(
  context: RunContext,
  { failed: _failed, crawled = [], received = [], afterPublish = [], ...data }: StepResults,
): RunContext {
  return {
    ...context,
    ...data,
    crawled: [...context.crawled, ...crawled],
    received: [...context.received, ...received],
    afterPublish: [...context.afterPublish, ...afterPublish],
  };
}

interface StepOutcome {
  readonly report: ProductReport;
  readonly results: StepResults;
  readonly isRestored: boolean;
  readonly advice?: string | undefined;
}

/** Runs a step. `changed` are tables that start empty. They get their published files back when the step fails. */
async function runStep(step: ProductStep, context: RunContext, changed: readonly TableName[]): Promise<StepOutcome> {
  const { log, staging } = context;
  const { product } = step;
  const tally = createTally(product);
  const began = performance.now();
  const filesBefore = staging.files();
  const fail = async (words: string, cause: string, results: StepResults): Promise<StepOutcome> => {
    const advice = await diskAdvice(words, context.config);
    const isRestored = (results.crawled ?? []).length === 0;
    for (const table of isRestored ? (step.keepsParts ? changed : step.tables) : [])
      staging.replaceTable(
        table,
        filesBefore.filter((file) => file.table === table),
      );
    log.error("a product failed; what is published of it stays", { product, cause });
    if (advice !== undefined) log.error(advice);
    return { report: tally.report("failed", performance.now() - began, words), results, isRestored, advice };
  };
  try {
    if (!(await step.plan(context))) return { report: tally.report("skipped", 0), results: {}, isRestored: false };
    log.info("building", { product });
    for (const table of changed) staging.replaceTable(table, []);
    const results = await step.run(context, tally);
    const failed = results.failed ?? [];
    if (failed.length > 0) return await fail(named(failed), named(failed), results);
    const report = tally.report("published", performance.now() - began);
    log.info("built", { product, read: report.read, kept: report.kept, ms: report.ms });
    return { report, results, isRestored: false };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    // An error of the operating system, such as a lack of disk or memory, needs no stack trace.
    const isExpected =
      error instanceof UpstreamError || error instanceof GuardError || (error instanceof Error && "code" in error);
    return await fail(words, isExpected ? words : String((error as Error)?.stack ?? error), {});
  }
}

const NAMED = 20;

const named = (failed: readonly string[]): string =>
  failed.slice(0, NAMED).join("; ") + (failed.length > NAMED ? `; and ${failed.length - NAMED} more terms` : "");
