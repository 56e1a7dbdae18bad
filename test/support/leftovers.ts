/** The possible remains of a test run on the machine: processes, mounted file systems, a folder. */
import { execFileSync, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Empty if there is no `ps`, as in some small containers. */
export function processes(): Process[] {
  const { stdout } = spawnSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 1 << 26 });
  return [...(stdout ?? "").matchAll(/^\s*(\d+)\s+(\d+)\s(.*)$/gm)].map(([, pid, parent, command = ""]) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}

/** The processes that a process started, and those that they started. */
export function descendants(pid: number, all = processes()): Process[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...descendants(child.pid, all)]);
}

export function kill(list: readonly Process[]): void {
  for (const { pid } of list)
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
}

/**
 * Removes a folder of this run with the processes that use it and the mounts in it; returns the commands of the
 * processes.
 */
export function removeFolder(folder: string): string[] {
  const left = processes().filter(({ command }) => command.includes(folder));
  kill(left);
  const { stdout } = spawnSync("mount", [], { encoding: "utf8" });
  for (const [, path = ""] of (stdout ?? "").matchAll(/ on (\S+) (?:type )?/g))
    if (path.startsWith(`${folder}/`)) execFileSync("umount", ["-l", path]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  return left.map(({ command }) => command);
}
