/** The products of a run, one after the other. A product that fails keeps what is published of it; the others are published. */
import type { System } from "../config.ts";
import type { Product } from "../contract/documents/manifest.ts";
import type { TableName } from "../contract/tables.ts";
import { GuardError, UpstreamError } from "../errors.ts";
import { calendarStep, readCalendar } from "../products/calendar.ts";
import { catalogueStep } from "../products/catalogue.ts";
import type { ProductStep, RunContext } from "../products/context.ts";
import { enrollmentStep } from "../products/enrollment/enrollment.ts";
import { gradesStep } from "../products/grades/grades.ts";
import { historyStep } from "../products/history.ts";
import { instructorsStep } from "../products/instructors.ts";
import { larcStep } from "../products/larc.ts";
import { scheduleStep, TermsFailed } from "../products/schedule/schedule.ts";
import type { ProductReport } from "../contract/documents/run-report.ts";
import { createTally } from "../contract/documents/tally.ts";
import { changedTables } from "./source-change.ts";

/** Grades look up sections, instructors are matched with the names in sections, and the calendar decides which terms are over. */
const STEPS: readonly ProductStep[] = [
  calendarStep,
  scheduleStep,
  gradesStep,
  catalogueStep,
  instructorsStep,
  larcStep,
  historyStep,
  enrollmentStep,
];

/** The tables that a product stages piece by piece. */
const TABLES_OF: Readonly<Partial<Record<Product, readonly TableName[]>>> = {
  calendar: ["calendar"],
  grades: ["grades"],
  larc: ["larc"],
  history: ["courses", "instructors"],
  enrollment: ["enrollment_history", "enrollment_periods", "enrollment_imports"],
};

export interface ProductsOutcome {
  readonly reports: readonly ProductReport[];
  /** Products that failed as a whole: what was published of them stays. */
  readonly unchanged: ReadonlySet<Product>;
}

/** `changed` are the systems whose data comes from another campus now. */
export async function runProducts(context: RunContext, changed: readonly System[]): Promise<ProductsOutcome> {
  await readCalendar(context);
  const reports: ProductReport[] = [];
  const unchanged = new Set<Product>();
  for (const step of STEPS) {
    const outcome = await runStep(step, context, changedTables(changed, step.product));
    reports.push(outcome.report);
    if (outcome.isRestored) unchanged.add(step.product);
  }
  return { reports, unchanged };
}

interface StepOutcome {
  readonly report: ProductReport;
  readonly isRestored: boolean;
}

/** `changed` are tables that start empty. They get their published files back when the step fails. */
async function runStep(step: ProductStep, context: RunContext, changed: readonly TableName[]): Promise<StepOutcome> {
  const { log, staging } = context;
  const tally = createTally(step.product);
  const began = performance.now();
  const before = staging.files();
  try {
    if (!(await step.plan(context))) return { report: tally.report("skipped", 0), isRestored: false };
    log.info("building", { product: step.product });
    for (const table of changed) staging.replaceTable(table, []);
    await step.run(context, tally);
    const report = tally.report("published", performance.now() - began);
    log.info("built", { product: step.product, read: report.read, kept: report.kept, ms: report.ms });
    return { report, isRestored: false };
  } catch (error) {
    const inPart = error instanceof TermsFailed && context.crawled.length > 0;
    const restored = inPart ? [] : new Set([...(TABLES_OF[step.product] ?? []), ...changed]);
    for (const table of restored)
      staging.replaceTable(
        table,
        before.filter((file) => file.table === table),
      );
    const words = error instanceof Error ? error.message : String(error);
    const expected = error instanceof UpstreamError || error instanceof GuardError || error instanceof TermsFailed;
    log.error("a product failed; what is published of it stays", {
      product: step.product,
      cause: expected ? words : String((error as Error)?.stack ?? error),
    });
    return { report: tally.report("failed", performance.now() - began, words), isRestored: !inPart };
  }
}
