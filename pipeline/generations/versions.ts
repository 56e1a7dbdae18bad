/** The contract versions of the published generations. An older one is migrated; a newer one is never overwritten. */
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UsageError } from "../errors.ts";
import { diskReader, type DiskReader } from "./disk-reader.ts";
import { type Generation, listGenerations } from "./generation.ts";
import { DamagedGeneration, isOlder, OtherContract, readManifest, readPointer } from "./manifest.ts";

/**
 * The snapshots with a readable manifest: the current one, then the others, newest first. Their files were not checked.
 * @throws UsageError when one of them is of a newer contract
 */
export async function readPublishedVersions(artifacts: string, disk: DiskReader = diskReader): Promise<Generation[]> {
  const pointer = await accepted("current.json", () => readPointer(artifacts, disk, isOlder));
  const all: Generation[] = [];
  if (pointer) all.push({ folder: artifacts, manifest: pointer.snapshot, retained: pointer.retained });
  for (const { id, generation, name } of await listGenerations(artifacts, disk)) {
    if (pointer?.snapshot.id === id && pointer.snapshot.generation === generation) continue;
    const manifest = await accepted(name, () => readManifest(artifacts, name, disk, isOlder));
    if (manifest) all.push({ folder: artifacts, manifest, retained: [] });
  }
  return all;
}

/** Undefined for what is missing or damaged. @throws UsageError for what is of a newer contract */
async function accepted<T>(what: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OtherContract) refuseNewer(what, error.contract);
    if (!(error instanceof DamagedGeneration)) throw error;
    return undefined;
  }
}

/** @throws UsageError */
export function refuseNewer(what: string, contract: number): never {
  throw new UsageError(
    `${what} was written by a newer version of this program (contract version ${contract}, this one knows ${CONTRACT_VERSION}): nothing was changed. ` +
      "Run the newer version, or move it away to go on without it",
  );
}
