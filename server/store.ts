/**
 * Which snapshot is served. The store watches `current`; a new generation is verified and loaded beside the old one, then new requests get it,
 * running ones finish on the old one, and what nobody uses any more is freed. A generation that does not load is refused: the last good one stays.
 */
import type { Freshness } from "../pipeline/contract/manifest.ts";
import type { Log } from "../pipeline/log.ts";
import {
  type Generation,
  GenerationRefused,
  listGenerations,
  NOTHING_LOOKED_AT,
  readCurrentName,
  readFreshness,
  readGeneration,
  type Verified,
} from "./generation.ts";
import type { Pool } from "./pool.ts";
import { createSnapshot, type Snapshot } from "./snapshot.ts";
import { createTableMemory } from "./table-memory.ts";

/** The flip must be noticed within a second. */
const WATCH_MS = 250;
/** A refused generation is tried again after this time: a disk may recover. */
const RETRY_REFUSED_MS = 10_000;

export interface Store {
  /** Runs `use` on the current snapshot, which stays whole until the returned promise ends; undefined before the first publication. */
  withSnapshot<T>(use: (snapshot: Snapshot) => Promise<T>): Promise<T> | undefined;
  /** The id of what is served, and why a newer generation is not. */
  state(): { id: string | undefined; generation: number | undefined; refused: string | undefined };
  current(): Snapshot | undefined;
  freshness(): Freshness;
  /** Looks for a new generation now. */
  look(): Promise<void>;
  close(): Promise<void>;
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
  watchMs = WATCH_MS,
}: {
  artifactsDir: string;
  pool: Pool;
  log: Log;
  compat: boolean;
  watchMs?: number;
}): Promise<Store> {
  const verified: Verified = new Set();
  const memory = createTableMemory(pool);
  let held: Held | undefined;
  let refused: { name: string; why: string; at: number } | undefined;
  let fresh = NOTHING_LOOKED_AT;
  let looking: Promise<void> | undefined;

  const release = (one: Held): void => {
    if (one.retired && one.users === 0) void one.snapshot.free();
  };

  async function swapTo(generation: Generation, folderName: string): Promise<void> {
    const snapshot = await createSnapshot({ generation, memory, compat, before: held?.snapshot });
    const old = held;
    held = { name: folderName, snapshot, users: 0, retired: false };
    log.info("serving a snapshot", { id: snapshot.id, generation: generation.manifest.generation });
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
      if (refused?.name !== folderName)
        log.error("a generation is refused, the last good one stays", { why, cause: String(error).slice(0, 300) });
      refused = { name: folderName, why, at: Date.now() };
      if (!held) await fallBack(folderName);
    }
  }

  const look = (): Promise<void> => {
    looking ??= lookOnce()
      .catch((error: unknown) =>
        log.error("looking for a new generation failed", { cause: String(error).slice(0, 300) }),
      )
      .finally(() => (looking = undefined));
    return looking;
  };
  await look();
  const timer = setInterval(() => void look(), watchMs);

  return {
    withSnapshot(use) {
      const one = held;
      if (!one) return undefined;
      one.users++;
      return use(one.snapshot).finally(() => {
        one.users--;
        release(one);
      });
    },
    state: () => ({
      id: held?.snapshot.id,
      generation: held?.snapshot.generation.manifest.generation,
      refused: refused?.why,
    }),
    current: () => held?.snapshot,
    freshness: () => fresh,
    look,
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}
