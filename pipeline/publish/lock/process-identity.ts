/** Which process is this, and does it still live? A number alone does not say: ids are reused, and a killed process can linger. */
import { readFile, readlink } from "node:fs/promises";

export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the kernel's ticks since boot; null where the system does not tell. */
  readonly started: string | null;
  /** The machine's current boot and the process-id namespace (containers have their own); null where the system does not tell. */
  readonly machine: string | null;
}

export async function identifyThisProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, started: (await statusOf(process.pid))?.started ?? null, machine: await thisMachine() };
}

/**
 * True only when the process surely lives no more: same boot, same namespace, and its id is free, or belongs to a zombie or to a
 * process that started later. False when it lives or nobody can say from here.
 */
export async function isSurelyDead(identity: ProcessIdentity): Promise<boolean> {
  if (identity.machine === null || identity.machine !== (await thisMachine())) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const status = await statusOf(identity.pid);
  if (!status) return false;
  // Z: killed, but its parent has not asked for its exit status yet; X: on its way out.
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

/** From /proc/<pid>/stat: the state is the first field after the name in parentheses, the start time the twentieth. */
async function statusOf(pid: number): Promise<{ state: string; started: string } | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] && fields[19] ? { state: fields[0], started: fields[19] } : undefined;
  } catch {
    return undefined;
  }
}
