/** The contract versions of the published generations. An older one is migrated; a newer one is never overwritten. */
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UsageError } from "../errors.ts";
import { diskReader, type DiskReader } from "./disk-reader.ts";
import { type Generation, generationFolder, listGenerations, readCurrentName } from "./generation.ts";
import { DamagedGeneration, OtherContract, readOlderManifest } from "./manifest.ts";

/**
 * The generations with a readable manifest: the current one, then the others, newest first. Their files were not checked.
 * @throws UsageError when one of them is of a newer contract
 */
export async function readPublishedVersions(artifacts: string, disk: DiskReader = diskReader): Promise<Generation[]> {
  const current = await readCurrentName(artifacts, disk).catch(() => undefined);
  const all: Generation[] = [];
  for (const { name } of await listGenerations(artifacts, disk)) {
    const folder = generationFolder(artifacts, name);
    try {
      const one = { folder, manifest: await readOlderManifest(folder, disk) };
      if (name === current) all.unshift(one);
      else all.push(one);
    } catch (error) {
      if (error instanceof OtherContract) refuseNewer(`generation ${name}`, error.contract);
      if (!(error instanceof DamagedGeneration)) throw error;
    }
  }
  return all;
}

/** @throws UsageError */
export function refuseNewer(what: string, contract: number): never {
  throw new UsageError(
    `${what} was written by a newer version of this program (contract version ${contract}, this one knows ${CONTRACT_VERSION}): nothing was changed. ` +
      "Run the newer version, or move it away to go on without it",
  );
}
