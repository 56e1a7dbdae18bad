/** The contract versions of published data: an older one is migrated, any other one is refused and never changed. */
import { join } from "node:path";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UsageError } from "../errors.ts";
import { diskReader, type DiskReader } from "../disk/disk.ts";
import { readPointer, type StoredPointer } from "./pointer.ts";
import { type PublishedSnapshot, listPublished, readLocalManifest, readLocalPointer } from "./published.ts";
import type { StoreReader } from "./store.ts";
import { parseSnapshotName } from "./layout.ts";
import { DamagedSnapshot, isOlder, OtherContract } from "./manifest.ts";

/**
 * The snapshots with a readable manifest: the current one, then the others, newest first. Their files were not checked.
 * @throws UsageError when one of them is of a version that is refused
 */
export async function readPublishedVersions(
  artifacts: string,
  disk: DiskReader = diskReader,
): Promise<PublishedSnapshot[]> {
  const pointer = await accepted("the current snapshot", artifacts, () => readLocalPointer(artifacts, disk, isOlder));
  // Before the first release each snapshot had its own folder.
  if (!pointer && (await disk.readdir(join(artifacts, "generations"))).some((name) => parseSnapshotName(name)))
    throw new UsageError(unreleased("what is published", artifacts));
  const all: PublishedSnapshot[] = [];
  if (pointer) all.push({ folder: artifacts, manifest: pointer.snapshot, retained: pointer.retained });
  for (const { id, generation, name } of await listPublished(artifacts, disk)) {
    if (pointer?.snapshot.id === id && pointer.snapshot.generation === generation) continue;
    const manifest = await accepted(`snapshot ${name}`, artifacts, () =>
      readLocalManifest(artifacts, name, disk, isOlder),
    );
    if (manifest) all.push({ folder: artifacts, manifest, retained: [] });
  }
  return all;
}

/**
 * The pointer of a store that this program publishes to; undefined before the first publication.
 * @throws UsageError when its contract version is refused; UpstreamError
 */
export async function readInService(store: StoreReader): Promise<StoredPointer | undefined> {
  try {
    const pointer = await readPointer(store);
    return typeof pointer === "object" ? pointer : undefined;
  } catch (error) {
    if (error instanceof OtherContract) expectReadable("the snapshot", store.name, error);
    throw error;
  }
}

/** Returns undefined for a missing or damaged document. @throws UsageError for a contract version that is refused */
async function accepted<T>(what: string, place: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OtherContract) expectReadable(what, place, error);
    if (!(error instanceof DamagedSnapshot)) throw error;
    return undefined;
  }
}

/**
 * Explains why data is refused, and the remedy; undefined for an older version, which can be migrated.
 * @param what names the data, such as `the snapshot`
 * @param place the folder or bucket
 */
export function refusal(what: string, place: string, { contract, isUnreleased }: OtherVersion): string | undefined {
  if (isUnreleased) return unreleased(what, place);
  if (contract <= CONTRACT_VERSION) return undefined;
  return (
    `${what} in ${place} was written by a newer version of this program (contract version ${contract}, this one reads ` +
    `${CONTRACT_VERSION}): nothing of it was changed. Run the newer version, or move it away to go on without it`
  );
}

type OtherVersion = Pick<OtherContract, "contract" | "isUnreleased">;

/** @throws UsageError when data is refused; parameters as for `refusal` */
export function expectReadable(what: string, place: string, version: OtherVersion): void {
  const refused = refusal(what, place, version);
  if (refused !== undefined) throw new UsageError(refused);
}

/** Documents from before the first release are neither read nor migrated: the contract starts again at 1. */
const unreleased = (what: string, place: string): string =>
  `${what} in ${place} was written by a version of this program from before its first release: nothing of it was changed. ` +
  `Move ${place} away and build anew; "Upgrade" in pipeline/README.md says how recorded enrollment history is imported`;
