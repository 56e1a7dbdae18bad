/** Identifies a process beyond its id: ids are reused, and a killed process can remain as a zombie. */
import { readFile, readlink } from "node:fs/promises";

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in kernel ticks since boot; null if /proc is missing. */
  readonly started: string | null;
  /** Boot id and process-id namespace (each container has one); null if /proc is missing. */
  readonly machine: string | null;
}

export async function identifyThisProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, started: (await statusOf(process.pid))?.started ?? null, machine: await thisMachine() };
}

/**
 * True only when the process has certainly ended: same boot, same namespace, and its id is free, or belongs to a zombie
 * or to a process that started later. False when it is alive or its state is unknown.
 */
export async function isSurelyDead(identity: ProcessIdentity): Promise<boolean> {
  if (identity.machine === null || identity.machine !== (await thisMachine())) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: alive, under another user.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const status = await statusOf(identity.pid);
  if (!status) return false;
  // Z: a zombie that its parent has not reaped; X: exiting.
  return (
    status.state === "Z" || status.state === "X" || (identity.started !== null && status.started !== identity.started)
  );
}

async function thisMachine(): Promise<string | null> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()} ${await readlink("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}

/** Reads /proc/<pid>/stat: the state is the first field after the name in parentheses, the start time the twentieth. */
async function statusOf(pid: number): Promise<{ state: string; started: string } | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] && fields[19] ? { state: fields[0], started: fields[19] } : undefined;
  } catch {
    return undefined;
  }
}
