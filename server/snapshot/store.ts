/**
 * Which snapshot is served. The store watches `current`; a new generation is verified and loaded beside the old one, then new requests get it,
 * running ones finish on the old one, and what nobody uses any more is freed. A generation that does not load is refused: the last good one stays.
 */
import type { Freshness } from "../../pipeline/contract/manifest.ts";
import type { Log } from "../../pipeline/log.ts";
import {
  type Generation,
  GenerationRefused,
  listGenerations,
  NO_FRESHNESS,
  OtherContract,
  readCurrentName,
  readFreshness,
  readGeneration,
  type VerifiedFiles,
} from "./generation.ts";
import { type DirectoryWatch, watchDirectory } from "./watch-directory.ts";
import type { Pool } from "../duckdb/pool.ts";
import { createSnapshot, type Derivation, type Snapshot } from "./snapshot.ts";
import { createTableCache, type Droppable } from "./table-cache.ts";

/** What is looked at when it changes, in the artifacts folder. */
const WATCHED_ENTRIES = new Set(["current", "freshness.json"]);
/** A flip is noticed at once; in a storm of them requests get as much time as loading the last one took, but a flip never waits longer than this. */
const MAX_REST_MS = 250;
/** A refused generation is tried again after this time: a disk may recover. */
const RETRY_REFUSED_MS = 10_000;

/** Keeps a snapshot whole beyond the promise, for a body that is still being sent; returns how to let it go, which may be called again. */
export type Stay = () => () => void;

export interface Store {
  /** Runs `use` on the current snapshot, which stays whole until the returned promise ends; undefined before the first publication. */
  withSnapshot<T>(use: (snapshot: Snapshot, stay: Stay) => Promise<T>): Promise<T> | undefined;
  /** The id of what is served, and why a newer generation is not; `lastRefused` stays when a later one is served. */
  state(): {
    id: string | undefined;
    generation: number | undefined;
    refused: string | undefined;
    lastRefused: { why: string; at: string } | undefined;
  };
  current(): Snapshot | undefined;
  /** Why nothing is served, where waiting would not help; undefined while something is. */
  mismatch(): string | undefined;
  freshness(): Freshness;
  /** Looks for a new generation; resolves after a look that began now or later. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Told when a snapshot comes into service (and what was served before), and when one is refused for the first time. */
export interface StoreEvents {
  swapped(before: string | undefined): void;
  refused(): void;
  /** Nobody uses this snapshot any more, and nobody will. */
  freed?(id: string): void;
}

interface Held {
  name: string;
  snapshot: Snapshot;
  users: number;
  retired: boolean;
}

/** Opens the store on an artifacts folder, with what is there already loaded. */
export async function openStore({
  artifactsDir,
  pool,
  log,
  compat,
  derivations = [],
  notice = watchDirectory(artifactsDir, WATCHED_ENTRIES),
  events,
}: {
  artifactsDir: string;
  pool: Pool;
  log: Log;
  compat: boolean;
  /** Made for each snapshot after it has come into service. */
  derivations?: readonly Derivation<Droppable>[];
  /** How it hears of changes. */
  notice?: DirectoryWatch;
  events?: StoreEvents;
}): Promise<Store> {
  const verified: VerifiedFiles = new Set();
  const memory = createTableCache();
  const loadingPool = await pool.reserve(1);
  let held: Held | undefined;
  let refused: { name: string; why: string; at: number; isOtherContract: boolean } | undefined;
  let lastRefused: { why: string; at: string } | undefined;
  let fresh = NO_FRESHNESS;
  let servedSince = -Infinity;
  let loadMs = 0;
  let looking: Promise<void> | undefined;
  let lookingAgain: Promise<void> | undefined;

  function use(one: Held): () => void {
    let isUsed = true;
    one.users++;
    return () => {
      if (!isUsed) return;
      isUsed = false;
      one.users--;
      release(one);
    };
  }
  function release(one: Held): void {
    if (!one.retired || one.users > 0) return;
    one.snapshot.free();
    if (one.snapshot.id !== held?.snapshot.id) events?.freed?.(one.snapshot.id);
  }

  async function swapTo(generation: Generation, folderName: string): Promise<void> {
    const began = performance.now();
    const snapshot = await createSnapshot({
      generation,
      memory,
      pool,
      loadingPool,
      compat,
      derivations,
      before: held?.snapshot,
    });
    const old = held;
    held = { name: folderName, snapshot, users: 0, retired: false };
    servedSince = performance.now();
    loadMs = servedSince - began;
    log.info("serving a snapshot", { id: snapshot.id, generation: generation.manifest.generation });
    events?.swapped(old?.snapshot.id);
    // Before the old one goes, for they share what has not changed. What fails here fails again, and is told, when somebody asks for it.
    const done = use(held);
    void snapshot
      .prepare()
      .catch(() => undefined)
      .finally(done);
    if (old) {
      old.retired = true;
      release(old);
    }
  }

  /** Before anything is served, an older generation is better than none. */
  async function fallBack(refusedName: string): Promise<void> {
    for (const older of (await listGenerations(artifactsDir)).filter((name) => name !== refusedName)) {
      try {
        await swapTo(await readGeneration(artifactsDir, older, verified), older);
        return;
      } catch {
        log.warn("an older generation does not load either", { generation: older });
      }
    }
  }

  async function lookOnce(): Promise<void> {
    // Read first, for it is written last; it is told with the snapshot that it is of, never with the one before.
    const next = await readFreshness(artifactsDir, fresh);
    const folderName = await readCurrentName(artifactsDir);
    if (folderName === undefined) return;
    if (folderName === held?.name) {
      fresh = next;
      refused = undefined;
      return;
    }
    if (refused?.name === folderName && Date.now() - refused.at < RETRY_REFUSED_MS) return;
    try {
      await swapTo(await readGeneration(artifactsDir, folderName, verified), folderName);
      fresh = next;
      refused = undefined;
    } catch (error) {
      const why = error instanceof GenerationRefused ? error.message : `${folderName} does not load`;
      if (refused?.name !== folderName) {
        const outcome = held ? "a generation is refused, the last good one stays" : "a generation is refused";
        log.error(outcome, { why, cause: String(error).slice(0, 300) });
        lastRefused = { why, at: new Date().toISOString() };
        events?.refused();
      }
      refused = { name: folderName, why, at: Date.now(), isOtherContract: error instanceof OtherContract };
      if (!held) await fallBack(folderName);
    }
  }

  function look(): Promise<void> {
    if (looking) {
      // The look under way may have missed what changed meanwhile; one more, after it, is for all who ask until then.
      lookingAgain ??= looking.then(() => {
        lookingAgain = undefined;
        return look();
      });
      return lookingAgain;
    }
    looking = lookOnce()
      .catch((error: unknown) =>
        log.error("looking for a new generation failed", { cause: String(error).slice(0, 300) }),
      )
      .finally(() => (looking = undefined));
    return looking;
  }
  // Heard from the beginning: what is flipped while the first one loads is not missed.
  let later: NodeJS.Timeout | undefined;
  const stopNoticing = notice(() => {
    const rest = servedSince + Math.min(loadMs, MAX_REST_MS) - performance.now();
    if (rest <= 0) void look();
    else
      later ??= setTimeout(() => {
        later = undefined;
        void look();
      }, rest);
  });
  await look();

  return {
    withSnapshot(ask) {
      const one = held;
      return one && ask(one.snapshot, () => use(one)).finally(use(one));
    },
    state: () => ({
      id: held?.snapshot.id,
      generation: held?.snapshot.generation.manifest.generation,
      refused: refused?.why,
      lastRefused,
    }),
    current: () => held?.snapshot,
    mismatch: () => (!held && refused?.isOtherContract ? refused.why : undefined),
    freshness: () => fresh,
    look,
    async close() {
      stopNoticing();
      clearTimeout(later);
      await (lookingAgain ?? looking);
    },
  };
}
