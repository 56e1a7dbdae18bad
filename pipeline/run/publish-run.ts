/**
 * Publishes the staged files of a run, then performs the steps that depend on it: freshness, retention, the daily
 * backup.
 */
import { IRREPLACEABLE_TABLES, PRODUCT_OF, type TableName } from "../contract/tables.ts";
import { isFirstOfDay, type RunContext } from "../products/context.ts";
import { recordChanges } from "../products/record-changes.ts";
import { recordSources } from "../products/record-sources.ts";
import { backUpDaily } from "../backup/backup.ts";
import { fillEarlier } from "../backup/lost-objects.ts";
import { stageDerived } from "../publish/derive.ts";
import { NO_FRESHNESS, writeFreshness } from "../store/freshness.ts";
import type { LocatedSnapshot } from "../store/publish.ts";
import { collectArtifacts } from "../store/collect-artifacts.ts";
import type { Outcome } from "./lost-files-outcome.ts";
import { programId } from "./program-id.ts";
import { closedSystems, type Sources, systemOf } from "./source.ts";
import type { SharedStore } from "./shared-store.ts";
import type { Freshness, WithheldPart } from "../contract/documents/manifest.ts";
import type { StoreReader } from "../store/store.ts";
import { termName } from "../contract/vocabulary.ts";
import type { ProductReport } from "../contract/documents/run-report.ts";

interface Publishing {
  readonly assertHeld: () => Promise<void>;
  /** As in OpenRun. */
  readonly places: readonly StoreReader[];
  readonly store: SharedStore | undefined;
}

/** Its `withheld` is the reason why nothing was published. */
export async function publishRun(
  context: RunContext,
  outcome: Outcome,
  source: Sources,
  { assertHeld, places, store }: Publishing,
) {
  const { config, log, now, staging } = context;
  const { artifactsDir, dataDir } = config;
  // Recorded history alone is not published: it stays in its backup.
  const isNothing = !staging.base && staging.files().every(({ table }) => IRREPLACEABLE_TABLES.includes(table));
  const withheld = isNothing ? "no product has anything" : outcome.withheld;
  const id = withheld === undefined ? staging.nextId() : undefined;
  if (id !== undefined) {
    await recordChanges(context, id);
    await recordSources(context);
    await stageDerived(context.database.connection, staging, (problem) =>
      log.error("a file made from others is left out", { problem }),
    );
  }
  const freshness = nextFreshness(context, outcome.products);
  const publishFirst = (snapshot: LocatedSnapshot) => store?.publish(snapshot, freshness) ?? Promise.resolve();
  // A first run that is killed right after it has published must not look like a finished build.
  if (withheld === undefined && !staging.base && freshness.olderTerms !== undefined)
    await writeFreshness(artifactsDir, { ...NO_FRESHNESS, olderTerms: freshness.olderTerms }, staging.disk);
  const publication =
    withheld === undefined ? await staging.publish({ source, now: now(), assertHeld, publishFirst }) : undefined;
  await assertHeld();
  if (publication) {
    log.info(publication.changed ? "published a snapshot" : "nothing changed: the snapshot stays", {
      id: publication.id,
      generation: publication.published.manifest.generation,
    });
    for (const finish of context.afterPublish) await finish();
    await writeFreshness(artifactsDir, freshness, staging.disk);
    await store?.finish(publication.published, freshness);
  }
  // While something is lost, any snapshot may have a copy of it.
  const kept = publication ? {} : { keepGenerations: Infinity };
  const collected = await collectArtifacts(artifactsDir, {
    now: now(),
    retain: config.retain,
    disk: staging.disk,
    ownFolders: [staging.folder],
    ...kept,
  });
  if (collected.foreign.length > 0)
    log.warn("what no manifest names is removed", { paths: collected.foreign.join(", ") });
  // The first run of a campus day verifies all earlier snapshots.
  const isWhole = isFirstOfDay(context.freshness, context.today);
  const isSuspected = (path: string) => isWhole || collected.missing.includes(path);
  const lost =
    isWhole || collected.missing.length > 0
      ? await fillEarlier(artifactsDir, isSuspected, places, { disk: staging.disk, log })
      : [];
  const backup =
    publication &&
    (await backUpDaily({
      dataDir,
      now: now(),
      disk: staging.disk,
      published: publication.published,
      places,
    }));
  if (backup?.taken) await store?.backUp();
  for (const problem of backup?.problems ?? []) log.error("the backup has a problem", { problem });
  return { publication, withheld, disk: { ...collected, problems: [...collected.problems, ...lost] }, backup };
}

const HOUR_MS = 3_600_000;

/** The freshness before the run, updated with what the run checked. */
function nextFreshness(context: RunContext, products: readonly ProductReport[]): Freshness {
  const { accepted, crawled, freshness, now, remembered, since } = context;
  const checkedAt = now();
  // The history step publishes the catalogue and the directory.
  const isLost = products.some(({ product, status }) => product === "history" && status === "failed");
  const looked = products.filter(
    ({ product, status }) => status === "published" && !(isLost && ["catalogue", "instructors"].includes(product)),
  );
  const times = Object.fromEntries(looked.map(({ product }) => [product, checkedAt.toISOString()]));
  const damaged = looked.filter((report) => report.damaged.length > 0).map(({ product }) => product as string);
  const timesOf = (terms: RunContext["crawled"]) =>
    Object.fromEntries(terms.map(({ term, startedAt }) => [termName(term), startedAt]));
  const acceptances = Object.fromEntries([...accepted].map((part) => [part, checkedAt.toISOString()]));
  // While the form is unread, the remaining terms are unknown.
  const olderTerms = context.olderTerms ?? freshness.olderTerms ?? 0;
  const isUnfinished = since !== undefined || (context.olderTerms === undefined && freshness.olderTerms !== undefined);
  return {
    products: { ...freshness.products, ...times },
    incomplete: [...(freshness.incomplete ?? []).filter((product) => !(product in times)), ...damaged],
    terms: { ...freshness.terms, ...timesOf(crawled) },
    endedDepartments: { ...freshness.endedDepartments, ...timesOf(crawled.filter(({ withEnded }) => withEnded)) },
    accepted: { ...freshness.accepted, ...acceptances },
    remembered: {
      ...freshness.remembered,
      ...Object.fromEntries([...remembered].filter(([title]) => !context.withheld.has(title))),
    },
    withheld: withheldNow(context),
    ...closedSystems(context.config),
    ...(isUnfinished ? { olderTerms } : {}),
    program: programId(),
    nextRefresh: new Date(checkedAt.getTime() + HOUR_MS).toISOString(),
  };
}

/**
 * A part stays withheld until a run stages it, or finds it unchanged. A system that is gone sends nothing newer, so its
 * published data is final.
 */
function withheldNow({ config, freshness, now, remembered, staging, withheld }: RunContext): WithheldPart[] {
  const previous = new Map((freshness.withheld ?? []).map((part) => [part.title, part]));
  const isFinal = ({ table }: WithheldPart) => {
    const system = systemOf(PRODUCT_OF[table as TableName]);
    return system !== undefined && config.closed.includes(system);
  };
  const stay = [...previous]
    .filter(([title, part]) => !remembered.has(title) && !withheld.has(title) && !isFinal(part))
    .map(([, part]) => part);
  const refused = [...withheld].map(([title, part]) => {
    const { year, quarter } = part.partition;
    const checked =
      freshness.terms[year && quarter ? termName({ year, quarter }) : ""] ??
      freshness.products[PRODUCT_OF[part.table as TableName]] ??
      staging.base?.manifest.createdAt;
    return { ...part, since: previous.get(title)?.since ?? checked ?? now().toISOString() };
  });
  return [...stay, ...refused].filter(({ table, partition }) => staging.find(table as TableName, partition));
}
