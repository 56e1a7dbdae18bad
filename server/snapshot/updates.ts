/**
 * Which snapshot is served: the current one as soon as it is published; where that one does not load at startup, an
 * older one.
 */
import { stat } from "node:fs/promises";
import { type Freshness, isMade } from "../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../pipeline/contract/tables.ts";
import type { Log } from "../../pipeline/log.ts";
import { NO_FRESHNESS, readFreshness } from "../../pipeline/store/freshness.ts";
import {
  type PublishedSnapshot,
  listPublished,
  readCurrentName,
  readLocalManifest,
  readLocalPointer,
} from "../../pipeline/store/published.ts";
import { verifyFiles } from "../../pipeline/store/file-check.ts";
import { layoutOf, nameOf } from "../../pipeline/store/layout.ts";
import { refusal } from "../../pipeline/store/versions.ts";
import { DamagedSnapshot, OtherContract } from "../../pipeline/store/manifest.ts";

/** A new snapshot must be served within half a second. */
const POLL_MS = 100;
/** A damaged pointer is rejected under this name. */
const POINTER = "current.json";
/** A rejected snapshot is retried after this time: a disk may recover. */
const RETRY_MS = 10_000;

interface Rejection {
  readonly folderName: string;
  readonly why: string;
  readonly isOtherContract: boolean;
  /** A time of `Date.now()`. */
  readonly at: number;
}

/** Checks regularly, one check at a time; the first check is the caller's. */
export function startUpdates({
  artifactsDir,
  verified,
  pollMs = POLL_MS,
  servedName,
  serve,
  log,
  onFreshness,
  onReject,
}: {
  artifactsDir: string;
  /** Receives the keys of the files of the snapshot that was read last, which need no second hash. */
  verified: Set<string>;
  pollMs?: number | undefined;
  /** The folder of the served snapshot; undefined = none is served. */
  servedName: () => string | undefined;
  /**
   * Returns until when the next load waits. `isFallback`: the current snapshot does not load. @throws when this one
   * does not either
   */
  serve: (published: PublishedSnapshot, folderName: string, isFallback: boolean) => Promise<number>;
  log: Log;
  /** Called with that of the served snapshot. */
  onFreshness: (freshness: Freshness) => void;
  onReject: () => void;
}) {
  let rejected: Rejection | undefined;
  let lastRejected: { why: string; at: string } | undefined;
  let fresh = NO_FRESHNESS;
  /** The version of the freshness that was read last. */
  let freshVersion: string | undefined;

  /** The name of the current snapshot, as the pointer of that version has it. */
  let published: { readonly version: string | undefined; readonly name: Promise<string | undefined> } | undefined;
  let isStart = true;
  /** A time of `performance.now()`. */
  let restUntil = -Infinity;

  async function readVerified(name: string): Promise<PublishedSnapshot> {
    const folder = artifactsDir;
    const pointer = await readLocalPointer(folder).catch(() => undefined);
    const isCurrent = pointer !== undefined && nameOf(pointer.snapshot) === name;
    const manifest = isCurrent ? pointer.snapshot : await readLocalManifest(folder, name);
    const files = manifest.files.filter((file) => !isMade(file));
    const keys = await verifyFiles(folder, files, (key) => verified.has(key));
    verified.clear();
    for (const key of keys) verified.add(key);
    return { folder, manifest, retained: isCurrent ? pointer.retained : [] };
  }

  const isRecentlyRejected = (name: string): boolean =>
    rejected?.folderName === name && Date.now() - rejected.at < RETRY_MS;

  /** Rejects a snapshot; where none is served, the newest older one that loads is. */
  async function reject(folderName: string, error: unknown): Promise<void> {
    const isServing = servedName() !== undefined;
    const why = reasonOf(error) ?? `${folderName} does not load`;
    if (rejected?.folderName !== folderName) {
      const outcome = isServing ? "generation rejected, still serving the last good one" : "generation rejected";
      log.error(outcome, { why, cause: String(error).slice(0, 300) });
      lastRejected = { why, at: new Date().toISOString() };
      onReject();
    }
    rejected = { folderName, why, at: Date.now(), isOtherContract: error instanceof OtherContract };
    if (!isServing) await fallBack(folderName);
  }

  async function fallBack(rejectedName: string): Promise<void> {
    for (const { name: older } of await listPublished(artifactsDir)) {
      if (older === rejectedName) continue;
      try {
        restUntil = await serve(await readVerified(older), older, true);
        return;
      } catch {
        log.warn("cannot load the older generation either", { generation: older });
      }
    }
  }

  /** Undefined when nothing is published, or the pointer is damaged. The pointer is read again when it was replaced. */
  async function publishedName(): Promise<string | undefined> {
    const version = await versionOf(layoutOf(artifactsDir).pointer);
    if (version === undefined || published?.version !== version)
      published = { version, name: readCurrentName(artifactsDir) };
    return published.name.catch(rejectPointer);
  }

  async function rejectPointer(error: unknown): Promise<undefined> {
    if (!(error instanceof DamagedSnapshot)) throw error;
    if (isRecentlyRejected(POINTER)) return;
    published = undefined;
    await reject(POINTER, error);
  }

  async function checkOnce(): Promise<void> {
    const version = await versionOf(layoutOf(artifactsDir).freshness);
    const isKnown = (name: string) =>
      name === servedName() ? version === freshVersion && !rejected : isRecentlyRejected(name);
    const name = await publishedName();
    // A start without a pointer serves the newest snapshot that loads; later, a first publication is only incomplete.
    if (name === undefined && isStart && (await listPublished(artifactsDir)).length > 0)
      await rejectPointer(new DamagedSnapshot(`${POINTER} is missing`));
    isStart = false;
    if (name === undefined || isKnown(name)) return;
    // Read first, because it is written last: it must never be newer than the snapshot it describes.
    const next = version === freshVersion ? fresh : await readFreshness(artifactsDir).catch(() => fresh);
    const folderName = await publishedName();
    if (folderName === undefined) return;
    if (folderName !== servedName()) {
      try {
        restUntil = await serve(await readVerified(folderName), folderName, false);
      } catch (error) {
        return reject(folderName, error);
      }
      rejected = undefined;
    } else if (rejected?.folderName !== folderName) {
      // One that was served early and does not load is being replaced.
      rejected = undefined;
    }
    freshVersion = version;
    onFreshness((fresh = next));
  }

  let waiting = 0;
  let checks = Promise.resolve();
  /** Checks for a new snapshot; resolves after a check that began now or later. */
  function check(): Promise<void> {
    waiting++;
    checks = checks
      .then(checkOnce)
      .catch((error: unknown) => log.error("cannot check for a new generation", { cause: String(error).slice(0, 300) }))
      .finally(() => waiting--);
    return checks;
  }
  const timer = setInterval(() => {
    if (waiting === 0 && performance.now() >= restUntil) void check();
  }, pollMs);

  return {
    check,
    rejected: () => rejected,
    lastRejected: () => lastRejected,
    /**
     * For a snapshot that was served before it was loaded, and does not load: serves the newest older one that does.
     */
    async giveUp(folderName: string, error: unknown): Promise<void> {
      await reject(folderName, error);
      await fallBack(folderName);
    },
    /** Resolves when no check is running. */
    async close(): Promise<void> {
      clearInterval(timer);
      await checks;
    },
  };
}

/** Differs when the file was replaced; undefined = there is none. */
async function versionOf(path: string): Promise<string | undefined> {
  const about = await stat(path, { bigint: true }).catch(() => undefined);
  return about && `${about.ino} ${about.size} ${about.mtimeNs}`;
}

/** For the operator; undefined for an unexpected error. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof OtherContract)) return error instanceof DamagedSnapshot ? error.message : undefined;
  const { contract } = error;
  // Clients read it: the folder's path is not for them.
  return (
    refusal("the published data", "ARTIFACTS_DIR", error) ??
    `the published data is of contract version ${contract}, this server reads ${CONTRACT_VERSION}: run \`make refresh\` to migrate it`
  );
}
