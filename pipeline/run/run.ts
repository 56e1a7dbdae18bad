/**
 * One run: every product that is due, then one flip that publishes all of it. A product that fails takes nothing with it: the others are published,
 * and what was published of it stays.
 */
import { join } from "node:path";
import { IRREPLACEABLE_TABLES } from "../contract/tables.ts";
import { guardSource, movedSystems, movedTables, namesAfter, type Sources, withoutSystems } from "./source-change.ts";
import { mendBase } from "./base-repair.ts";
import { concludeMending } from "./base-outcome.ts";
import { campusToday } from "../contract/campus-time.ts";
import type { Product } from "../contract/manifest.ts";
import { requestPolicyFor, type PipelineConfig, type System } from "../config.ts";
import type { Log } from "../log.ts";
import { migratePublished } from "../migrations/migrate.ts";
import { nextFreshness } from "./next-freshness.ts";
import { calendarStep, readCalendar } from "../products/calendar.ts";
import { catalogueStep } from "../products/catalogue.ts";
import type { ProductStep, RunContext, RunMode } from "../products/context.ts";
import { enrollmentStep } from "../products/enrollment.ts";
import { gradesStep } from "../products/grades.ts";
import { historyStep } from "../products/history.ts";
import { instructorsStep } from "../products/instructors.ts";
import { larcStep } from "../products/larc.ts";
import { scheduleStep } from "../products/schedule.ts";
import type { Progress } from "../crawl/progress.ts";
import { backUpDaily, backUpForGood } from "../publish/backup/backup.ts";
import { openDatabase } from "../publish/database.ts";
import { readFreshness, writeFreshness } from "../publish/freshness.ts";
import { readBase } from "../publish/generation.ts";
import { acquireLock } from "../publish/lock.ts";
import { collect, collectLeftovers } from "../publish/retention.ts";
import { createStaging } from "../publish/staging.ts";
import type { ProductReport, RunReport } from "../contract/run-report.ts";
import { readReportedSource, writeRunReport } from "./run-report.ts";
import { restoreHistory } from "./restore-history.ts";
import { runStep } from "./run-step.ts";
import { createClient } from "../sources/http.ts";
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
    const today = campusToday(startedAt);
    const migrated = await migratePublished({
      ...config,
      now: startedAt,
      today,
      allowLoss: config.allowShrink,
      log,
      assertHeld: () => lock.assertHeld(),
    });
    const base = await readBase(config.artifactsDir);
    const reported = base.unreadable === undefined ? {} : await readReportedSource(config.artifactsDir);
    const publishedSource = base.generation?.manifest.source ?? reported;
    guardSource(config, mode, publishedSource);
    for (const problem of await collectLeftovers(config.artifactsDir))
      log.warn("what a dead run left cannot be removed", { problem });
    const staging = createStaging(config.artifactsDir, base);
    closing.push(() => staging.discard());
    const source = await openSource(config, log);
    closing.push(() => source.close());
    const moved = movedSystems(publishedSource, source.names);
    await staging.disk.mkdir(staging.tempFolder);
    const database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder: staging.tempFolder });
    closing.push(() => database.close());

    const { dataDir } = config;
    const restored = base.generation
      ? undefined
      : await restoreHistory({ dataDir, today, source: source.names, staging, database });
    for (const note of restored?.notes ?? []) log.warn("nothing published can be read", { note });

    const mending = { base, staging, log, connection: database.connection };
    const places = {
      artifacts: config.artifactsDir,
      backup: join(config.dataDir, "backup"),
      isOurs: (from: Sources) => !movedSystems(from, { ...source.names, ...publishedSource }).includes("schedule"),
      disk: staging.disk,
    };
    const mendings = await mendBase({ ...mending, places });
    const freshness = withoutSystems(await readFreshness(config.artifactsDir), moved);

    const clients = new Map<System, ReturnType<typeof createClient>>();
    const context: RunContext = {
      ...options,
      // Where nothing can be read there is nothing to refresh.
      mode: base.generation ? mode : "build",
      today,
      addresses: source.addresses,
      sourceName: source.nameOf,
      client(system) {
        const known = clients.get(system);
        if (known) return known;
        const client = createClient(system, requestPolicyFor(source.addresses[system] as URL, config));
        clients.set(system, client);
        return client;
      },
      staging,
      database,
      landingFolder: join(config.dataDir, "landing"),
      freshness,
      isBehind: base.damage !== undefined,
      calendar: [],
      crawled: [],
      afterPublish: [],
    };
    const displaced =
      base.generation && moved.includes("schedule")
        ? await backUpForGood({ dataDir, generation: base.generation, now: startedAt, today })
        : undefined;
    await readCalendar(context);

    const products: ProductReport[] = [];
    const unchanged = new Set<Product>();
    for (const step of STEPS) {
      const outcome = await runStep(step, context, movedTables(moved, step.product));
      products.push(outcome.report);
      if (outcome.restored) unchanged.add(step.product);
    }

    const mended = concludeMending(mendings, { ...mending, freshness }, products, config.allowShrink);
    const isNothing = !base.generation && staging.files().every(({ table }) => IRREPLACEABLE_TABLES.includes(table));
    const withheld = isNothing ? "no product has anything" : mended.withheld;
    const sources = namesAfter(publishedSource, source.names, moved, unchanged);
    const publication = withheld === undefined ? await publish(context, sources, () => lock.assertHeld()) : undefined;
    await lock.assertHeld();
    if (publication) {
      for (const settle of context.afterPublish) await settle();
      await writeFreshness(config.artifactsDir, nextFreshness(context, mended.products));
    }
    // While something is not mended, nothing that may help goes.
    const kept = publication ? {} : { keepGenerations: Infinity };
    const disk = await collect(config.artifactsDir, { now: now(), ownFolder: staging.folder, ...kept });
    const backup =
      publication && (await backUpDaily({ dataDir, generation: publication.generation, now: now(), today }));
    for (const problem of backup?.problems ?? []) log.error("a backup is not as it should be", { problem });
    const history = {
      notes: [...(migrated?.notes ?? []), ...(restored?.notes ?? [])],
      problems: [migrated, restored, displaced].flatMap((part) => part?.problems ?? []),
    };
    const report: RunReport = {
      mode,
      source: source.names,
      startedAt: startedAt.toISOString(),
      ms: Math.round(performance.now() - began),
      snapshot: publication?.id ?? base.generation?.manifest.id ?? "",
      base: mended.base,
      changed: publication?.changed ?? false,
      products: mended.products.filter(({ status }) => status !== "skipped"),
      disk: {
        generations: disk.generations,
        keptBytes: disk.keptBytes,
        freedBytes: disk.freedBytes,
        problems: disk.problems,
      },
      ...(withheld === undefined ? {} : { withheld }),
      ...(migrated || restored || displaced ? { history } : {}),
      ...(backup ? { backup } : {}),
      failed:
        withheld !== undefined ||
        backup?.failed === true ||
        history.problems.length > 0 ||
        mended.products.some(({ status, damaged }) => status === "failed" || damaged.length > 0),
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

async function publish(context: RunContext, source: Readonly<Record<string, string>>, assertHeld: () => Promise<void>) {
  const { log, now, staging } = context;
  const publication = await staging.publish({ source, now: now(), assertHeld });
  log.info(publication.changed ? "published a snapshot" : "nothing changed: the snapshot stays", {
    id: publication.id,
    generation: publication.generation.manifest.generation,
  });
  return publication;
}
