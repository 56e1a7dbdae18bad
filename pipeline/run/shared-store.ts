/**
 * The store that several machines may publish to (`PUBLISH_TO`). It is the source of truth: a run builds on its current
 * snapshot, and the artifacts folder follows only when the store has the new one. While it is unreachable, runs publish
 * in the folder alone, and the next run catches up.
 */
import type { PipelineConfig } from "../settings/pipeline.ts";
import { isSameCampus, sampleSizeOf } from "../contract/sample-campus.ts";
import type { Freshness, Manifest } from "../contract/documents/manifest.ts";
import type { StoreReport } from "../contract/documents/run-report.ts";
import { CONTRACT_VERSION, IRREPLACEABLE_TABLES } from "../contract/tables.ts";
import { LockedError, UpstreamError, UsageError } from "../errors.ts";
import { copyLocked } from "../store/copy-to-artifacts.ts";
import { readForgotten } from "../forget/tombstones.ts";
import type { Forgotten } from "../forget/tombstones.ts";
import type { Base } from "../store/open.ts";
import type { PublishedSnapshot } from "../store/published.ts";
import { backUpForGood } from "../backup/backup.ts";
import { backupsBelow, storeBackups } from "../backup/stored-backups.ts";
import { campusToday } from "../contract/campus-time.ts";
import { completeCurrent } from "../lake/complete.ts";
import { goOnFrom, located, type LocatedSnapshot, publish, publishFreshness, readContinued } from "../store/publish.ts";
import { readInService } from "../store/versions.ts";
import { readListing } from "../lake/listing.ts";
import type { Log } from "../log.ts";
import { openStore } from "../store/open-store.ts";
import type { Store, StoreReader } from "../store/store.ts";
import type { StoredPointer } from "../store/pointer.ts";

export interface SharedStoreOptions {
  readonly config: PipelineConfig;
  readonly now: () => Date;
  readonly log: Log;
  /** Checks the lock of the artifacts folder. */
  readonly assertHeld: () => Promise<void>;
  /** Overrides the configured store. */
  readonly store?: Store;
}

export type SharedStore = NonNullable<Awaited<ReturnType<typeof openSharedStore>>>;

/** For unchanged data, the time of the last check is written once a day instead of every hour. */
const REFRESH_MS = 24 * 3_600_000;

/** Returns undefined without `PUBLISH_TO`. @throws UsageError when the store is empty and lacks a guarantee */
export async function openSharedStore({ assertHeld, config, log, now, ...options }: SharedStoreOptions) {
  const { artifactsDir, aws, dataDir, publishTo, retain } = config;
  if (publishTo === undefined) return undefined;
  const store = options.store ?? openStore(publishTo, { aws });
  const { name } = store;
  const problems: string[] = [];
  const notes: string[] = [];
  /** The last current snapshot that was read; undefined when nothing was published, or nothing could be read. */
  let current: StoredPointer | undefined;
  let published: Manifest | undefined;
  /** The snapshot of the store that the artifacts folder builds on. */
  let continued = await readContinued(artifactsDir, store);

  /** A failure in the store fails the run, but does not prevent its publication here. */
  async function attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      log.error("the store has a problem", { store: name, problem: error.message });
      if (!problems.includes(error.message)) problems.push(error.message);
      return false;
    }
  }

  /** The publisher that overtook this one does the rest. */
  function leaveToOther(error: unknown): void {
    if (!(error instanceof LockedError)) throw error;
    log.info("another publisher goes on", { store: name });
  }

  const isContinued = (): boolean => current === undefined || current.snapshot.id === continued;

  async function continueFrom(id: string): Promise<void> {
    if (continued !== id) await goOnFrom(artifactsDir, store, id);
    continued = id;
  }

  async function put(snapshot: LocatedSnapshot, freshness: Freshness): Promise<void> {
    await store.probe();
    await store.exclusively(async (assertExclusive) => {
      const held = async () => {
        await assertHeld();
        await assertExclusive();
      };
      published = await publish(store, { ...snapshot, freshness, previous: current, assertHeld: held });
      current = await readInService(store);
    });
  }

  let isReachable = await attempt(async () => {
    current = await readInService(store);
    if (current === undefined) await store.probe();
  });
  if (current) {
    guardCampus(config, current, name);
    guardForgotten(current, await readForgotten(dataDir), name);
  }

  return {
    /**
     * Before a run: copies the snapshot of another publisher. A local snapshot that was never published there is kept
     * as a backup.
     * @returns true when the artifacts folder has another snapshot now
     * @throws UsageError for data of another campus
     */
    async adopt({ damage, published: local }: Base): Promise<boolean> {
      if (current === undefined) return false;
      const pointer = current;
      const { contract, id, source } = pointer.snapshot;
      // A snapshot that is damaged here is copied again.
      if (local?.manifest.id === id ? damage === undefined : isContinued()) {
        await continueFrom(id);
        return false;
      }
      if (contract < CONTRACT_VERSION)
        throw new UsageError(
          `${name} has a snapshot of contract version ${contract}, which is not in ${artifactsDir}: run this version once where it was published`,
        );
      if (local && !isSameCampus(local.manifest.source, source))
        throw new UsageError(`${name} has data of another campus than ${artifactsDir}: publish to another place`);
      if (local && local.manifest.id !== continued && local.manifest.id !== id) await keep(local);
      const { signal } = new AbortController();
      return attempt(async () => {
        await copyLocked(pointer, { artifacts: artifactsDir, from: store, signal, now, log, retain }, assertHeld);
        log.info("goes on from the snapshot in the store", { store: name, id });
        await continueFrom(id);
      });
    },

    /** The stores that objects can be read from, with the backups there; none while the store is unreachable. */
    places: (): StoreReader[] => (current ? [store, backupsBelow(store)] : []),

    /**
     * Publishes a snapshot that is not in service yet.
     * @throws LockedError when another publisher was faster; UsageError when the store lacks a guarantee
     */
    async publish(snapshot: LocatedSnapshot, freshness: Freshness): Promise<void> {
      await attempt(async () => {
        if (!isReachable) current = await readInService(store);
        isReachable = true;
        // Another publisher's snapshot is copied by the next run; nothing is published over it.
        if (!isContinued()) throw new LockedError(`another publisher published to ${name} in the meantime`);
        await put(snapshot, freshness);
      });
    },

    /** After the run: publishes a snapshot that is not there yet, and the data derived from it. */
    async finish(local: PublishedSnapshot, freshness: Freshness): Promise<void> {
      if (!isReachable) return;
      await attempt(async () => {
        if (!published && isContinued() && current?.snapshot.id !== local.manifest.id)
          await put(located(local), freshness);
        if (published) await continueFrom(published.id);
        else if (current && lastLooked(current) < now().getTime() - REFRESH_MS) {
          await store.probe();
          await publishFreshness(store, freshness, current);
          current = await readInService(store);
        }
        const [newest] = (await readListing(store)).snapshots;
        if (newest?.id === current?.snapshot.id && newest?.generation === current?.snapshot.generation) return;
        await store.exclusively(async (assertExclusive) => {
          const options = { now: now(), retain, assertHeld: assertExclusive };
          const { restored } = await completeCurrent(artifactsDir, store, options);
          for (const note of restored) log.warn("another program wrote to the store", { store: name, note });
          notes.push(...restored);
        });
      }).catch(leaveToOther);
    },

    /** Copies the day's backup of recorded history, once it is taken. */
    async backUp(): Promise<void> {
      const mark = (await readForgotten(dataDir))?.mark;
      const copyAll = async () => void problems.push(...(await storeBackups(store, { dataDir, mark }, now())));
      await attempt(copyAll).catch(leaveToOther);
    },

    report: (): StoreReport => ({
      name,
      snapshot: current?.snapshot.id ?? null,
      problems: [...problems],
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
    }),
  };

  /** Keeps a backup of history that was recorded while the store was unreachable and another publisher continued. */
  async function keep(local: PublishedSnapshot): Promise<void> {
    if (local.manifest.files.every(({ table }) => !IRREPLACEABLE_TABLES.includes(table))) return;
    const backup = await backUpForGood({ dataDir, published: local, now: now() });
    problems.push(
      `another publisher went on from an older snapshot: what was recorded up to ${local.manifest.id} is in a backup of ${campusToday(now())}`,
      ...backup.problems,
    );
  }
}

function guardCampus({ sample }: PipelineConfig, { snapshot: { source } }: StoredPointer, name: string): void {
  const real = Object.values(source).find((from) => sampleSizeOf(from) === undefined);
  if (sample !== undefined && real !== undefined)
    throw new UsageError(`no address is configured, but the data in ${name} comes from ${real}`);
}

/** A run with another list would bring data back that was taken down. */
function guardForgotten({ snapshot: { forgotten } }: StoredPointer, local: Forgotten | undefined, name: string): void {
  if (forgotten === local?.mark) return;
  if (local && (local.isPending || forgotten === undefined))
    throw new UsageError(`${name} still has what was taken down here: run \`make forget\` again`);
  throw new UsageError(
    `something was taken down in ${name} by another machine: copy its data/forgotten.json into the data folder here`,
  );
}

/** A store without times counts as last checked long ago. */
const lastLooked = ({ freshness }: StoredPointer): number =>
  Math.max(0, ...Object.values(freshness?.products ?? {}).map((time) => Date.parse(time) || 0));
