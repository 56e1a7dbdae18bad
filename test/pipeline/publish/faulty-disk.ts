/** A disk that fails at a chosen step: the process dies there, or the step ends in an error of the file system. */
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";

/**
 * `kill-…`: nothing happens after that point, not even a clean-up; `kill-during` leaves half of the write. An error's
 * code: only that step fails (half of its write is there); `EROFS`: and every later step that changes anything.
 */
export type Fault = "kill-before" | "kill-during" | "kill-after" | "ENOSPC" | "EIO" | "EROFS";
export const FAULTS: readonly Fault[] = ["kill-before", "kill-during", "kill-after", "ENOSPC", "EIO", "EROFS"];

export class Killed extends Error {
  override name = "Killed";
}

const READING = new Set<keyof Disk>(["readFile", "readBytes", "readlink", "readdir", "stat", "digest"]);

export interface Step {
  readonly name: keyof Disk;
  /** The path that is changed: the new one of a rename or link. */
  readonly path: string;
}

/** The step that puts another snapshot into service: before it and after it are the states that matter most. */
export const isFlip = ({ name, path }: Step): boolean => name === "rename" && path.endsWith("/current.json");

/**
 * Counts every step that changes the disk from 0 and notes it; step number `at` fails. Without a plan nothing fails.
 */
export function faultyDisk(plan?: { at: number; fault: Fault }): { disk: Disk; steps: Step[] } {
  const steps: Step[] = [];
  let dead = false;
  let readOnly = false;
  const wrap = (name: keyof Disk) =>
    async function (...parameters: unknown[]): Promise<unknown> {
      const act = () => (nodeDisk[name] as (...all: unknown[]) => Promise<unknown>)(...parameters);
      if (dead) throw new Killed("after its death");
      if (READING.has(name)) return act();
      if (readOnly) throw refusal("EROFS");
      const number = steps.length;
      const path = pathOf(name, parameters);
      steps.push({ name, path });
      if (!plan || plan.at !== number) return act();
      if (plan.fault === "kill-after") await act();
      else if (plan.fault !== "kill-before") await half(name, path, parameters, act);
      if (plan.fault === "EROFS") readOnly = true;
      if (plan.fault.startsWith("kill")) {
        dead = true;
        throw new Killed(`at step ${number}, ${name}`);
      }
      throw refusal(plan.fault);
    };
  const names = Object.keys(nodeDisk) as (keyof Disk)[];
  return { disk: Object.fromEntries(names.map((name) => [name, wrap(name)])) as unknown as Disk, steps };
}

const refusal = (code: string) => Object.assign(new Error(`${code}: injected`), { code });

const TWO_PATHS: ReadonlySet<keyof Disk> = new Set(["link", "rename", "copyFile", "copyBytes", "symlink"]);

function pathOf(name: keyof Disk, parameters: unknown[]): string {
  return String(TWO_PATHS.has(name) ? parameters[1] : parameters[0]);
}

/** Only these steps can be cut in the middle; the kernel does all others at once. */
export const DIVISIBLE: ReadonlySet<keyof Disk> = new Set(["writeFile", "writtenBy", "copyFile", "copyBytes", "rm"]);

async function half(name: keyof Disk, path: string, parameters: unknown[], act: () => Promise<unknown>): Promise<void> {
  if (name === "writeFile") writeFileSync(path, String(parameters[1]).slice(0, 40));
  if (name === "writtenBy" || name === "copyFile" || name === "copyBytes") {
    await act();
    truncateSync(path, Math.floor(readFileSync(path).length / 2));
  }
  if (name === "rm" && (await nodeDisk.stat(path))?.kind === "folder") {
    const [first] = await nodeDisk.readdir(path);
    if (first) await nodeDisk.rm(`${path}/${first}`);
  }
}
