/**
 * Allows a single run at a time. The lock is a folder of numbered claims, of which the highest is valid. A contender
 * claims the lock by creating the next number, which only one can do. No claim is removed or replaced by another
 * process, so a take-over never leaves two holders. A claim is alive while its heartbeat, the file's modification time,
 * advances.
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LockedError } from "../errors.ts";
import { readRegularFile } from "../regular-files.ts";
import { isLinkRefused } from "./disk.ts";
import { identifyThisProcess, isSurelyDead, type ProcessIdentity } from "./process-identity.ts";

export interface LockOptions {
  /** The interval of the heartbeat, in milliseconds. */
  readonly beatMs?: number;
  /** A lock without a heartbeat for this long counts as abandoned, in milliseconds. */
  readonly leaseMs?: number;
}

export interface Lock {
  /** Checks the lock. @throws LockedError when another run took it over, or the heartbeat failed for a whole lease */
  assertHeld(): Promise<void>;
  /** Idempotent. Never fails, so that it hides no other error. */
  release(): Promise<void>;
}

interface Claim extends ProcessIdentity {
  readonly token: string;
  readonly taken: string;
  readonly released: boolean;
}

/**
 * Takes the lock in the folder `path`. A dead holder on this machine is replaced at once; a holder elsewhere, or one
 * that hangs, after its lease.
 * @throws LockedError as soon as the holder shows a heartbeat
 */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<Lock> {
  const { beatMs = 500, leaseMs = 5000 } = options;
  await mkdir(path, { recursive: true });
  const token = randomUUID();
  const identity = await identifyThisProcess();
  const claim: Claim = { ...identity, token, taken: new Date().toISOString(), released: false };
  for (;;) {
    const highest = Math.max(0, ...(await claimNumbers(path)));
    if (highest > 0) await waitUntilFree(path, highest, beatMs, leaseMs);
    const mine = highest + 1;
    if (!(await createClaim(path, mine, claim))) continue;
    // A slow contender may have claimed a number that was used and removed in the meantime.
    const numbers = await claimNumbers(path);
    if (Math.max(...numbers) > mine) {
      await rm(claimPath(path, mine), { force: true });
      continue;
    }
    for (const number of numbers) if (number < mine) await rm(claimPath(path, number), { force: true });
    await clearDrafts(path, token, leaseMs);
    return hold(path, mine, claim, beatMs, leaseMs);
  }
}

async function hold(path: string, mine: number, claim: Claim, beatMs: number, leaseMs: number): Promise<Lock> {
  // Use the open file: a heartbeat must not recreate a removed claim.
  const handle = await open(claimPath(path, mine), "r+");
  let lastBeat = performance.now();
  let beating: Promise<void> | undefined;
  const timer = setInterval(() => void (beating ??= beat(handle).finally(() => (beating = undefined))), beatMs);
  timer.unref();
  async function beat(to: FileHandle): Promise<void> {
    const startedAt = performance.now();
    try {
      const now = new Date();
      await to.utimes(now, now);
      lastBeat = startedAt;
    } catch {
      // assertHeld fails when this lasts for a lease.
    }
  }
  let released = false;
  return {
    async assertHeld() {
      if (released) throw new LockedError("the lock was already released");
      if (performance.now() - lastBeat > leaseMs)
        throw new LockedError("this run was stalled for longer than its lease");
      if (Math.max(0, ...(await claimNumbers(path))) !== mine) throw new LockedError("another run took over the lock");
    },
    async release() {
      if (released) return;
      released = true;
      clearInterval(timer);
      await beating;
      try {
        await handle.close();
        // The number remains; the next holder takes a higher one.
        const draft = draftPath(path, claim.token);
        await writeFile(draft, JSON.stringify({ ...claim, released: true }));
        await rename(draft, claimPath(path, mine));
      } catch {
        // Without a heartbeat the lease expires.
      }
    },
  };
}

/** Returns when claim `number` is no longer valid. @throws LockedError when its holder is alive */
async function waitUntilFree(path: string, number: number, beatMs: number, leaseMs: number): Promise<void> {
  const file = claimPath(path, number);
  const started = performance.now();
  const seen = await beatOf(file);
  for (;;) {
    const claim = await readClaim(file);
    if (!claim || claim.released || (await isSurelyDead(claim))) return;
    if ((await beatOf(file)) !== seen) {
      throw new LockedError(`another run holds the lock: process ${claim.pid}, since ${claim.taken}`);
    }
    if (performance.now() - started > leaseMs) return;
    await sleep(Math.min(100, beatMs));
  }
}

/** True when this contender got the number. A hard link appears with its whole content or not at all. */
async function createClaim(path: string, number: number, claim: Claim): Promise<boolean> {
  const draft = draftPath(path, claim.token);
  await writeFile(draft, JSON.stringify(claim));
  try {
    await link(draft, claimPath(path, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    if (!isLinkRefused(error)) throw error;
    return createUnlinked(claimPath(path, number), claim);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Creates the claim on file systems without hard links; a claim that a kill cuts off does not count. */
async function createUnlinked(path: string, claim: Claim): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(claim), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

const claimPath = (path: string, number: number): string => join(path, String(number));
const draftPath = (path: string, token: string): string => join(path, `draft-${token}`);

async function claimNumbers(path: string): Promise<number[]> {
  return (await readdir(path)).filter((name) => /^[1-9]\d{0,14}$/.test(name)).map(Number);
}

/** Returns undefined when it was removed in the meantime, or is not a claim. */
async function readClaim(file: string): Promise<Claim | undefined> {
  try {
    const claim = JSON.parse((await readRegularFile(file)).toString()) as Partial<Claim> | null;
    return typeof claim?.pid === "number" && typeof claim.token === "string" ? (claim as Claim) : undefined;
  } catch {
    return undefined;
  }
}

async function beatOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}

/** Removes drafts of contenders that died while claiming. */
async function clearDrafts(path: string, token: string, leaseMs: number): Promise<void> {
  for (const name of await readdir(path)) {
    if (!name.startsWith("draft-") || name === `draft-${token}`) continue;
    const modified = await beatOf(join(path, name));
    if (modified !== undefined && Date.now() - modified > 2 * leaseMs) await rm(join(path, name), { force: true });
  }
}
