/** The contract versions of published data: an older one is migrated, any other one is refused and never changed. */
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UsageError } from "../errors.ts";
import { diskReader, type DiskReader } from "./disk-reader.ts";
import { type Generation, generationFolder, listGenerations, readCurrentName } from "./generation.ts";
import { DamagedGeneration, OtherContract, readOlderManifest } from "./manifest.ts";

/**
 * The first and the last contract version of data that was written before the first release, which starts again at 1.
 * That data is neither read nor migrated. Its number tells it apart as long as the released contract is at 1.
 */
const UNRELEASED_VERSIONS = [2, 9] as const;

/**
 * The generations with a readable manifest: the current one, then the others, newest first. Their files were not checked.
 * @throws UsageError when one of them is of a version that is refused
 */
export async function readPublishedVersions(artifacts: string, disk: DiskReader = diskReader): Promise<Generation[]> {
  const current = await readCurrentName(artifacts, disk).catch(() => undefined);
  const all: Generation[] = [];
  for (const { name } of await listGenerations(artifacts, disk)) {
    const folder = generationFolder(artifacts, name);
    try {
      const generation = { folder, manifest: await readOlderManifest(folder, disk) };
      if (name === current) all.unshift(generation);
      else all.push(generation);
    } catch (error) {
      if (error instanceof OtherContract) expectReadable(`generation ${name}`, artifacts, error.contract);
      if (!(error instanceof DamagedGeneration)) throw error;
    }
  }
  return all;
}

/**
 * Says why data of a contract version is refused, and what to do about it; undefined for a version that is read or migrated.
 * @param what of the place it is, such as `the snapshot`
 * @param place the folder or bucket
 */
export function refusal(what: string, place: string, contract: number): string | undefined {
  if (contract <= CONTRACT_VERSION) return undefined;
  const [first, last] = UNRELEASED_VERSIONS;
  const version = `(contract version ${contract}, this one reads ${CONTRACT_VERSION}): nothing of it was changed`;
  return contract >= first && contract <= last
    ? `${what} in ${place} was written by a version of this program from before its first release ${version}. ` +
        `Move ${place} away and build anew; "Upgrade" in pipeline/README.md says how recorded enrollment history is imported`
    : `${what} in ${place} was written by a newer version of this program ${version}. ` +
        "Run the newer version, or move it away to go on without it";
}

/** @throws UsageError when data of that contract version is refused; parameters as for `refusal` */
export function expectReadable(what: string, place: string, contract: number): void {
  const refused = refusal(what, place, contract);
  if (refused !== undefined) throw new UsageError(refused);
}
