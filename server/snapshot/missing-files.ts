/** Whether the published files of the current generation are still there: they are read when they are first needed, and somebody may delete them before. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isMade } from "../../pipeline/contract/documents/manifest.ts";
import type { Generation } from "./generation.ts";

/** The tables of which a file is missing, as seen at most `maxAgeMs` ago. */
export type MissingTables = (generation: Generation, maxAgeMs?: number) => Promise<ReadonlySet<string>>;

export function createMissingTables(): MissingTables {
  let last: { generation: Generation; at: number; missing: Promise<ReadonlySet<string>> } | undefined;
  return (generation, maxAgeMs = 0) => {
    const now = performance.now();
    if (last?.generation !== generation || now - last.at > maxAgeMs)
      last = { generation, at: now, missing: findMissing(generation) };
    return last.missing;
  };
}

async function findMissing({ folder, manifest }: Generation): Promise<ReadonlySet<string>> {
  const files = manifest.files.filter((file) => !isMade(file));
  const isThere = await Promise.all(
    files.map(({ path, bytes }) =>
      stat(join(folder, path)).then(
        ({ size }) => size === bytes,
        () => false,
      ),
    ),
  );
  return new Set(files.filter((_, i) => !isThere[i]).map(({ table }) => table));
}
