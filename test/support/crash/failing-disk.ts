/** A disk on which one change ends in an error of the file system, as a full or a broken one. */
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";

/** `EROFS`: each later change fails as well. */
export const CODES = ["ENOSPC", "EIO", "EROFS"] as const;

export interface Failure {
  /** The number of the change, from 0. */
  readonly step: number;
  readonly code: (typeof CODES)[number];
}

const READING = new Set<PropertyKey>(["readFile", "readBytes", "readlink", "readdir", "stat", "digest"]);

/** What is written when the error comes is half there. `changes` has the name and path of each change so far. */
export function failingDisk(failure?: Failure): { readonly disk: Disk; readonly changes: readonly string[] } {
  const changes: string[] = [];
  const act = async (name: PropertyKey, operation: (...all: unknown[]) => Promise<unknown>, parameters: unknown[]) => {
    const step = changes.length;
    const [first, second] = parameters.map(String);
    const path = (/^(link|rename|copy|symlink)/.test(String(name)) ? second : first) ?? "";
    changes.push(`${String(name)} ${path}`);
    const isBroken = failure?.code === "EROFS" ? step >= failure.step : step === failure?.step;
    if (!failure || !isBroken) return operation(...parameters);
    if (name === "writeFile") writeFileSync(path, String(second).slice(0, 40));
    if (name === "writtenBy" || name === "copyFile" || name === "copyBytes") {
      await operation(...parameters);
      truncateSync(path, Math.floor(readFileSync(path).length / 2));
    }
    if (name === "rm" && (await nodeDisk.stat(path))?.kind === "folder")
      for (const inner of (await nodeDisk.readdir(path)).slice(0, 1)) await nodeDisk.rm(`${path}/${inner}`);
    throw Object.assign(new Error(`${failure.code}: injected`), { code: failure.code });
  };
  const disk = new Proxy(nodeDisk, {
    get(target, name, receiver) {
      const operation: unknown = Reflect.get(target, name, receiver);
      if (typeof operation !== "function" || READING.has(name)) return operation;
      return (...parameters: unknown[]) => act(name, operation as (...all: unknown[]) => Promise<unknown>, parameters);
    },
  });
  return { disk, changes };
}
