/** Servers under measurement are processes of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Starts a script as a process of its own; it is ready when a line of it matches, and the first group is its address. */
export async function start(
  path: string,
  args: string[],
  env: Record<string, string>,
  ready: RegExp,
): Promise<{ base: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ["--import", "tsx", script(path), ...args], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const lines = createInterface({ input: path.includes("bare") ? child.stdout : child.stderr });
  for await (const line of lines) {
    const found = ready.exec(line);
    if (found) return { base: found[1] as string, child };
  }
  throw new Error(`${path} ended before it listened`);
}

/** Ends it, and waits until it has. */
export async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** The memory that a process holds now and the most that it ever held, in MB, where the system tells. */
export async function memoryOf({ pid }: ChildProcess): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1000);
  return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
}
