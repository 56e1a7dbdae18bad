/**
 * Performs a run: lock, migrate, open the base, repair it, build the products that are due, publish, back up, report.
 */
import { campusToday } from "../contract/campus-time.ts";
import type { RunReport } from "../contract/documents/run-report.ts";
import { closedText } from "../settings/pipeline.ts";
import { finishTakeDown } from "../forget/forget.ts";
import { readForgotten } from "../forget/tombstones.ts";
import { valueWithoutNames } from "../forget/names-in-text.ts";
import { type Migrated, migratePublished } from "../migrations/migrate.ts";
import { backUpForGood } from "../backup/backup.ts";
import { findFormerLists } from "../backup/backups.ts";
import { readFreshness } from "../store/freshness.ts";
import { retentionText } from "../contract/retention.ts";
import { nodeDisk } from "../disk/disk.ts";
import { lockArtifacts } from "../store/own-folders.ts";
import { createCleanup, openRun, type RunOptions, createRunContext } from "./open-run.ts";
import { publishRun } from "./publish-run.ts";
import { restoreLost } from "./lost-files.ts";
import { concludeRestoration } from "./lost-files-outcome.ts";
import { runProducts } from "./run-products.ts";
import { openSharedStore } from "./shared-store.ts";
import { writeRunReport } from "./run-report.ts";
import { closedSystems, nextSources, withoutSources } from "./source.ts";

/**
 * Publishes everything that is due and writes the report. Its `failed` means exit status 1.
 * @throws LockedError when another run is alive
 */
export async function runPipeline(options: RunOptions): Promise<RunReport> {
  const { config, mode, now, log, progress } = options;
  const { artifactsDir, dataDir, allowShrink } = config;
  const began = performance.now();
  const startedAt = now();
  const today = campusToday(startedAt);
  const lock = await lockArtifacts(config);
  const assertHeld = () => lock.assertHeld();
  const cleanup = createCleanup(log);
  cleanup.add(() => lock.release());
  progress.begin("setup");
  for (const system of config.closed) log.info(closedText(system));
  try {
    const migration = { artifactsDir, dataDir, now: startedAt, allowLoss: allowShrink, log, assertHeld };
    const migrated = await migratePublished(migration);
    const takenDown = await finishTakeDown({ config, now: startedAt, log, assertHeld });
    const forgotten = await readForgotten(dataDir);
    const store = await openSharedStore({ config, now, log, assertHeld });
    const opened = await openRun({ ...options, forgotten }, store, cleanup);
    const { base, changed, places, publishedSource, source } = opened;
    const restorations = await restoreLost(opened, { config, today, log });
    const freshness = withoutSources(await readFreshness(artifactsDir), changed);
    const replaced =
      base.published && changed.includes("schedule")
        ? await backUpForGood({ dataDir, published: base.published, now: startedAt })
        : undefined;

    const prepared = createRunContext({ ...options, forgotten }, opened, { today, freshness });
    progress.end("done", base.published ? `snapshot ${base.published.manifest.id}` : "nothing is published yet");
    const { advice, context, reports, unchanged } = await runProducts(prepared, changed, progress);
    progress.begin("publish");
    const outcome = concludeRestoration(restorations, opened, freshness, allowShrink, reports);
    const sources = nextSources(publishedSource, source.names, changed, unchanged);
    const { publication, withheld, disk, backup } = await publishRun(context, outcome, sources, {
      assertHeld,
      places,
      store,
    });
    if (publication) progress.end("done", `snapshot ${publication.id}${publication.changed ? "" : ", as before"}`);
    else progress.end("failed", `nothing: ${withheld}`);

    const steps = [migrated, takenDown, restorations.restoredHistory, await noteFormerLists(dataDir)];
    const history = {
      notes: steps.flatMap((step) => step?.notes ?? []),
      problems: [...steps, replaced].flatMap((step) => step?.problems ?? []),
    };
    const hasHistory = [...steps, replaced].some((step) => step !== undefined);
    const { generations, keptBytes, freedBytes, problems } = disk;
    const report: RunReport = {
      mode,
      source: source.names,
      startedAt: startedAt.toISOString(),
      ms: Math.round(performance.now() - began),
      snapshot: publication?.id ?? base.published?.manifest.id ?? "",
      base: outcome.base,
      changed: publication?.changed ?? false,
      products: outcome.products.filter(({ status }) => status !== "skipped"),
      ...closedSystems(config),
      disk: {
        generations,
        keptBytes,
        freedBytes,
        problems,
        retain: retentionText(config.retain),
      },
      ...(advice.length === 0 ? {} : { advice: [...advice] }),
      ...(withheld === undefined ? {} : { withheld }),
      ...(hasHistory ? { history } : {}),
      ...(backup ? { backup } : {}),
      ...(store ? { store: store.report() } : {}),
      failed:
        withheld !== undefined ||
        backup?.failed === true ||
        (store?.report().problems.length ?? 0) > 0 ||
        history.problems.length > 0 ||
        outcome.products.some(({ status, damaged }) => status === "failed" || damaged.length > 0),
    };
    // Fetched data may name people and exports that appear nowhere else any more.
    const said = forgotten ? valueWithoutNames(report, forgotten) : report;
    await writeRunReport(artifactsDir, said, log);
    return said;
  } finally {
    progress.stop();
    await cleanup.run();
  }
}

async function noteFormerLists(dataDir: string): Promise<Migrated | undefined> {
  const [first, ...others] = await findFormerLists(dataDir, nodeDisk);
  if (first === undefined) return undefined;
  const lists = others.length === 0 ? first : `${first} and ${others.length} more`;
  return { notes: [`backups of an older layout are neither read nor removed: ${lists}`], problems: [] };
}
