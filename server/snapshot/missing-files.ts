/**
 * Checks if the published files of the current generation still exist: they are read on first use, and may be deleted
 * before.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isMade } from "../../pipeline/contract/documents/manifest.ts";
import type { Generation } from "./generation.ts";

/** Returns the tables with a missing file; the result is at most `maxAgeMs` old. */
export type MissingTables = (generation: Generation, maxAgeMs?: number) => Promise<ReadonlySet<string>>;

export function createMissingTables(): MissingTables {
  let last: { generation: Generation; checkedAt: number; missing: Promise<ReadonlySet<string>> } | undefined;
  return (generation, maxAgeMs = 0) => {
    const now = performance.now();
    if (last?.generation !== generation || now - last.checkedAt > maxAgeMs)
      last = { generation, checkedAt: now, missing: findMissing(generation) };
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
