/** Which generation is served: the current one as soon as it is published; where that one does not load at startup, an older one. */
import { isDeepStrictEqual } from "node:util";
import type { Freshness } from "../../../pipeline/contract/documents/manifest.ts";
import type { Log } from "../../../pipeline/log.ts";
import { NO_FRESHNESS, readFreshness } from "../../../pipeline/generations/freshness.ts";
import {
  type Generation,
  generationFolder,
  listGenerations,
  readCurrentName,
} from "../../../pipeline/generations/generation.ts";
import { verifyFiles } from "../../../pipeline/generations/file-check.ts";
import { readManifest } from "../../../pipeline/generations/manifest.ts";
import { createRejections, type Rejections } from "./rejection.ts";
import { startUpdateChecks, type UpdateChecks } from "./update-checks.ts";
import { type DirectoryWatch, watchDirectory } from "./watch-directory.ts";

/** Entries of the artifacts folder whose changes trigger a check. */
const WATCHED_ENTRIES = new Set(["current", "freshness.json"]);

export interface Updates extends UpdateChecks {
  /** What was rejected. */
  readonly rejections: Pick<Rejections, "current" | "last">;
  /** For a generation that was served before it was loaded, and does not load: serves the newest older one that does. */
  giveUp(folderName: string, error: unknown): Promise<void>;
}

/** Watches at once; the first check is the caller's. */
export function startUpdates({
  artifactsDir,
  verified,
  watch = watchDirectory(artifactsDir, WATCHED_ENTRIES),
  servedName,
  serve,
  log,
  onFreshness,
  onReject,
}: {
  artifactsDir: string;
  /** Receives the keys of the files of the generation that was read last, which need no second hash. */
  verified: Set<string>;
  watch?: DirectoryWatch | undefined;
  /** The folder of the served generation; undefined = none is served. */
  servedName: () => string | undefined;
  /** Returns until when the next load waits. `isFallback`: the current generation does not load. @throws when this one does not either */
  serve: (generation: Generation, folderName: string, isFallback: boolean) => Promise<number>;
  log: Log;
  /** Called with that of the served snapshot. */
  onFreshness: (freshness: Freshness) => void;
  /** Once for each rejected generation. */
  onReject: () => void;
}): Updates {
  const rejections = createRejections(log, onReject);
  let fresh = NO_FRESHNESS;
  const refresh = (next: Freshness) => onFreshness((fresh = next));

  /** A time of `performance.now()`. */
  let restUntil = -Infinity;

  async function readVerified(name: string): Promise<Generation> {
    const folder = generationFolder(artifactsDir, name);
    const manifest = await readManifest(folder);
    const keys = await verifyFiles(folder, manifest.files, (key) => verified.has(key));
    verified.clear();
    for (const key of keys) verified.add(key);
    return { folder, manifest };
  }

  async function fallBack(rejectedName: string): Promise<void> {
    for (const { name: older } of await listGenerations(artifactsDir)) {
      if (older === rejectedName) continue;
      try {
        restUntil = await serve(await readVerified(older), older, true);
        return;
      } catch {
        log.warn("cannot load the older generation either", { generation: older });
      }
    }
  }

  async function checkOnce(): Promise<void> {
    // Read first, because it is written last: it must never be newer than the snapshot it describes.
    const read = await readFreshness(artifactsDir).catch(() => fresh);
    // Caches compare it by identity.
    const next = isDeepStrictEqual(read, fresh) ? fresh : read;
    const folderName = await readCurrentName(artifactsDir).catch(() => undefined);
    if (folderName === undefined) return;
    if (folderName === servedName()) {
      refresh(next);
      // One that was served early and does not load is being replaced.
      if (rejections.current()?.folderName !== folderName) rejections.clear();
      return;
    }
    if (rejections.isRecent(folderName)) return;
    try {
      restUntil = await serve(await readVerified(folderName), folderName, false);
      refresh(next);
      rejections.clear();
    } catch (error) {
      const isServing = servedName() !== undefined;
      rejections.reject(folderName, error, isServing);
      if (!isServing) await fallBack(folderName);
    }
  }

  const checks = startUpdateChecks({
    watch,
    check: () =>
      checkOnce().catch((error: unknown) =>
        log.error("cannot check for a new generation", { cause: String(error).slice(0, 300) }),
      ),
    restMs: () => restUntil - performance.now(),
  });
  return {
    ...checks,
    rejections,
    giveUp(folderName, error) {
      rejections.reject(folderName, error, true);
      return fallBack(folderName);
    },
  };
}
