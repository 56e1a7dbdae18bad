/** One product of a run: what it staged is taken back when it fails as a whole. */
import type { Product } from "../contract/manifest.ts";
import type { TableName } from "../contract/tables.ts";
import { GuardError, UpstreamError } from "../errors.ts";
import type { ProductStep, RunContext } from "../products/context.ts";
import { TermsFailed } from "../products/schedule.ts";
import type { ProductReport } from "../contract/run-report.ts";
import { createTally } from "../contract/tally.ts";

/** The tables that a product stages piece by piece. */
const TABLES_OF: Readonly<Partial<Record<Product, readonly TableName[]>>> = {
  calendar: ["calendar"],
  grades: ["grades"],
  larc: ["larc"],
  history: ["courses", "instructors"],
  enrollment: ["enrollment_history", "enrollment_periods", "enrollment_imports"],
};

export interface StepOutcome {
  readonly report: ProductReport;
  /** It failed, and what was published of it is what will be published of it. */
  readonly restored: boolean;
}

/**
 * Runs a step. `moved` are tables whose data comes from another campus now: what is published of them does not stand beside the new, but it stays
 * when nothing new comes.
 */
export async function runStep(
  step: ProductStep,
  context: RunContext,
  moved: readonly TableName[],
): Promise<StepOutcome> {
  const { log, staging } = context;
  const tally = createTally(step.product);
  const began = performance.now();
  const before = staging.files();
  try {
    if (!(await step.plan(context))) return { report: tally.report("skipped", 0), restored: false };
    log.info("building", { product: step.product });
    for (const table of moved) staging.replaceTable(table, []);
    await step.run(context, tally);
    const report = tally.report("published", performance.now() - began);
    log.info("built", { product: step.product, read: report.read, kept: report.kept, ms: report.ms });
    return { report, restored: false };
  } catch (error) {
    const inPart = error instanceof TermsFailed && context.crawled.length > 0;
    const taken = inPart ? [] : new Set([...(TABLES_OF[step.product] ?? []), ...moved]);
    for (const table of taken)
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
    return { report: tally.report("failed", performance.now() - began, words), restored: !inPart };
  }
}
