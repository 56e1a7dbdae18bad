/**
 * One run at a time. The lock is a folder of numbered claims; the highest one counts.
 *
 * A claim is taken by creating the next number, which only one contender can do; nobody ever removes or replaces the claim of another,
 * so that a take-over has no moment at which two hold the lock or none does. A claim lives as long as its heartbeat (the file's
 * modification time) advances.
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LockedError } from "../../errors.ts";
import { identifyThisProcess, isSurelyDead, type ProcessIdentity } from "./process-identity.ts";

export interface LockOptions {
  /** How often the holder shows that it lives, in milliseconds. */
  readonly beatMs?: number;
  /** How long a heartbeat may stand still before the lock counts as abandoned, in milliseconds. */
  readonly leaseMs?: number;
}

export interface Lock {
  /** Throws LockedError when another run took the lock over, or when this one could not show for a whole lease that it lives. */
  assertHeld(): Promise<void>;
  /** Gives the lock back; a second call does nothing. Never fails, so that it hides no other error. */
  release(): Promise<void>;
}

interface Claim extends ProcessIdentity {
  readonly token: string;
  readonly taken: string;
  readonly released: boolean;
}

/**
 * Takes the lock in the folder `path`. Throws LockedError as soon as the present holder shows that it lives (about one beat).
 * A dead holder on this machine is replaced at once, one elsewhere (or one that hangs) after its lease.
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
    // A contender that was slow to look may have claimed a number that was used up and cleared away meanwhile.
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
  // Beats go to the file that was opened here: they cannot revive a claim that was cleared away.
  const handle = await open(claimPath(path, mine), "r+");
  let lastBeat = performance.now();
  let beating: Promise<void> | undefined;
  const timer = setInterval(() => void (beating ??= beat(handle).finally(() => (beating = undefined))), beatMs);
  timer.unref();
  async function beat(to: FileHandle): Promise<void> {
    const at = performance.now();
    try {
      const now = new Date();
      await to.utimes(now, now);
      lastBeat = at;
    } catch {
      // A disk that does not take the beat: assertHeld notices when that lasts for a lease.
    }
  }
  let released = false;
  return {
    async assertHeld() {
      if (released) throw new LockedError("the lock was given back already");
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
        // The number stays: the next holder takes a higher one.
        const draft = draftPath(path, claim.token);
        await writeFile(draft, JSON.stringify({ ...claim, released: true }));
        await rename(draft, claimPath(path, mine));
      } catch {
        // A disk that takes no word: without a heartbeat the lease runs out.
      }
    },
  };
}

/** Returns when claim `number` holds no longer; throws LockedError when its holder lives. */
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

/** True when this contender got the number. A link appears with its whole content or not at all. */
async function createClaim(path: string, number: number, claim: Claim): Promise<boolean> {
  const draft = draftPath(path, claim.token);
  await writeFile(draft, JSON.stringify(claim));
  try {
    await link(draft, claimPath(path, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

const claimPath = (path: string, number: number): string => join(path, String(number));
const draftPath = (path: string, token: string): string => join(path, `draft-${token}`);

async function claimNumbers(path: string): Promise<number[]> {
  return (await readdir(path)).filter((name) => /^[1-9]\d{0,14}$/.test(name)).map(Number);
}

/** Undefined when it went meanwhile, or is no claim: neither keeps anybody out. */
async function readClaim(file: string): Promise<Claim | undefined> {
  try {
    const found = JSON.parse(await readFile(file, "utf8")) as Partial<Claim> | null;
    return typeof found?.pid === "number" && typeof found.token === "string" ? (found as Claim) : undefined;
  } catch {
    return undefined;
  }
}

async function beatOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}

/** Drafts of contenders that died while claiming. */
async function clearDrafts(path: string, token: string, leaseMs: number): Promise<void> {
  for (const name of await readdir(path)) {
    if (!name.startsWith("draft-") || name === `draft-${token}`) continue;
    const modified = await beatOf(join(path, name));
    if (modified !== undefined && Date.now() - modified > 2 * leaseMs) await rm(join(path, name), { force: true });
  }
}
