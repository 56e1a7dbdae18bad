/**
 * One run: every product that is due, then one flip that publishes all of it. A product that fails takes nothing with it: the others are published,
 * and what was published of it stays.
 */
import { join } from "node:path";
import { guardSource, movedSystems, tablesOf, withoutSystems } from "./another-campus.ts";
import { campusToday } from "./contract/campus-time.ts";
import type { Product } from "./contract/manifest.ts";
import type { TableName } from "./contract/tables.ts";
import { mannersFor, type PipelineConfig, type System } from "./config.ts";
import { GuardError, UpstreamError } from "./errors.ts";
import type { Log } from "./log.ts";
import { nextFreshness } from "./next-freshness.ts";
import { calendarStep, readCalendar } from "./products/calendar.ts";
import { catalogueStep } from "./products/catalogue.ts";
import type { ProductStep, RunContext, RunMode } from "./products/context.ts";
import { enrollmentStep } from "./products/enrollment.ts";
import { gradesStep } from "./products/grades.ts";
import { historyStep } from "./products/history.ts";
import { instructorsStep } from "./products/instructors.ts";
import { larcStep } from "./products/larc.ts";
import { scheduleStep, TermsFailed } from "./products/schedule.ts";
import type { Progress } from "./progress.ts";
import { openDatabase } from "./publish/database.ts";
import { readFreshness, writeFreshness } from "./publish/freshness.ts";
import { readBase } from "./publish/generation.ts";
import { acquireLock } from "./publish/lock.ts";
import { collect, collectLeftovers } from "./publish/retention.ts";
import { createStaging } from "./publish/staging.ts";
import { createTally, type ProductReport } from "./report.ts";
import { type RunReport, writeRunReport } from "./run-report.ts";
import { createClient } from "./sources/http.ts";
import { openSource } from "./source.ts";

export interface RunOptions {
  readonly config: PipelineConfig;
  readonly mode: RunMode;
  readonly now: () => Date;
  readonly log: Log;
  readonly progress: Progress;
}

/** In this order: grades look sections up, people are named as the sections name them, terms are over when the calendar says so. */
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

/** What a product stages: taken back when it fails as a whole. */
const TABLES_OF: Readonly<Partial<Record<Product, readonly TableName[]>>> = {
  calendar: ["calendar"],
  grades: ["grades"],
  larc: ["larc"],
  history: ["courses", "instructors"],
  enrollment: ["enrollment_history", "enrollment_imports"],
};

/**
 * Runs, publishes, and writes the report; the report's `failed` says whether the exit status is 1.
 * @throws LockedError when another run is alive
 */
export async function runPipeline(options: RunOptions): Promise<RunReport> {
  const { config, mode, now, log } = options;
  const began = performance.now();
  const startedAt = now();
  const lock = await acquireLock(join(config.artifactsDir, "lock"));
  const closing: (() => Promise<void> | void)[] = [() => lock.release()];
  try {
    const base = await readBase(config.artifactsDir);
    if (base.damage)
      log.warn("what is published is damaged; starting from the newest sound generation", {
        cause: base.damage.message,
      });
    guardSource(config, mode, base.generation?.manifest.source ?? {});
    for (const problem of await collectLeftovers(config.artifactsDir))
      log.warn("what a dead run left cannot be removed", { problem });
    const staging = createStaging(config.artifactsDir, base);
    closing.push(() => staging.discard());
    const source = await openSource(config, log);
    closing.push(() => source.close());
    const publishedSource = base.generation?.manifest.source ?? {};
    const moved = movedSystems(publishedSource, source.names);
    for (const table of tablesOf(moved)) staging.replaceTable(table, []);
    await staging.disk.mkdir(staging.tempFolder);
    const database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder: staging.tempFolder });
    closing.push(() => database.close());

    const clients = new Map<System, ReturnType<typeof createClient>>();
    const context: RunContext = {
      ...options,
      today: campusToday(startedAt),
      addresses: source.addresses,
      sourceName: source.nameOf,
      client(system) {
        const known = clients.get(system);
        if (known) return known;
        const client = createClient(system, mannersFor(source.addresses[system] as URL, config));
        clients.set(system, client);
        return client;
      },
      staging,
      database,
      landingFolder: join(config.dataDir, "landing"),
      freshness: withoutSystems(await readFreshness(config.artifactsDir), moved),
      calendar: [],
      crawled: [],
      afterPublish: [],
    };
    await readCalendar(context);

    const products: ProductReport[] = [];
    for (const step of STEPS) products.push(await runStep(step, context));

    const publication = await publish(context, source.names, publishedSource, () => lock.assertHeld());
    await lock.assertHeld();
    for (const settle of context.afterPublish) await settle();
    await writeFreshness(config.artifactsDir, nextFreshness(context, products));
    const disk = await collect(config.artifactsDir, { now: now(), ownFolder: staging.folder });
    const report: RunReport = {
      mode,
      source: source.names,
      startedAt: startedAt.toISOString(),
      ms: Math.round(performance.now() - began),
      snapshot: publication.id,
      changed: publication.changed,
      products: products.filter(({ status }) => status !== "skipped"),
      disk: {
        generations: disk.generations,
        keptBytes: disk.keptBytes,
        freedBytes: disk.freedBytes,
        problems: disk.problems,
      },
      failed: products.some(({ status, damaged }) => status === "failed" || damaged.length > 0),
    };
    await writeRunReport(config.artifactsDir, report, log);
    return report;
  } finally {
    options.progress.stop();
    for (const close of closing.toReversed()) {
      try {
        await close();
      } catch (error) {
        log.warn("cleaning up after the run failed", { cause: String(error) });
      }
    }
  }
}

async function runStep(step: ProductStep, context: RunContext): Promise<ProductReport> {
  const { log, staging } = context;
  const tally = createTally(step.product);
  const began = performance.now();
  const before = staging.files();
  try {
    if (!(await step.plan(context))) return tally.report("skipped", 0);
    log.info("building", { product: step.product });
    await step.run(context, tally);
    const report = tally.report("published", performance.now() - began);
    log.info("built", { product: step.product, read: report.read, kept: report.kept, ms: report.ms });
    return report;
  } catch (error) {
    if (!(error instanceof TermsFailed)) {
      for (const table of TABLES_OF[step.product] ?? [])
        staging.replaceTable(
          table,
          before.filter((file) => file.table === table),
        );
    }
    const words = error instanceof Error ? error.message : String(error);
    const expected = error instanceof UpstreamError || error instanceof GuardError || error instanceof TermsFailed;
    log.error("a product failed; what is published of it stays", {
      product: step.product,
      cause: expected ? words : String((error as Error)?.stack ?? error),
    });
    return tally.report("failed", performance.now() - began, words);
  }
}

async function publish(
  context: RunContext,
  source: Record<string, string>,
  before: Record<string, string>,
  assertHeld: () => Promise<void>,
) {
  const { log, now, staging } = context;
  const publication = await staging.publish({ source: { ...before, ...source }, now: now(), assertHeld });
  log.info(publication.changed ? "published a snapshot" : "nothing changed: the snapshot stays", {
    id: publication.id,
    generation: publication.generation.manifest.generation,
  });
  return publication;
}
