/** A small file system in memory, for tests that fill it; few users may mount one. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEGABYTES = 3;

export const mount = (...parameters: string[]) => void execFileSync("mount", parameters, { stdio: "pipe" });
export const mountSmall = (path: string) => mount("-t", "tmpfs", "-o", `size=${MEGABYTES}m`, "tmpfs", path);
export const unmount = (path: string) => void execFileSync("umount", ["-l", path]);

/** It is tried, and undone at once. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "may-mount-"));
  try {
    mountSmall(folder);
    unmount(folder);
    return true;
  } catch {
    process.stdout.write("skipped: this user may not mount a file system\n");
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
