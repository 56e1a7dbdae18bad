/** The contract versions of the published generations. An older one is migrated; a newer one is never overwritten. */
import { join } from "node:path";
import { manifest as manifestSchema } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UsageError } from "../errors.ts";
import { type Disk, nodeDisk } from "../publish/disk.ts";
import { type Generation, generationNames } from "../publish/generation.ts";
import { generationName, layoutOf } from "../publish/layout.ts";

/** A generation with a readable manifest. Its files were not checked. */
export interface PublishedVersion extends Generation {
  readonly name: string;
}

/** The current generation, then the others, newest first. @throws UsageError when one of them is of a newer contract */
export async function readPublishedVersions(artifacts: string, disk: Disk = nodeDisk): Promise<PublishedVersion[]> {
  const { current, generations } = layoutOf(artifacts);
  const inService = await disk.readlink(current).catch(() => "");
  const names = (await generationNames(generations, disk)).map(({ name }) => name).toReversed();
  const found: PublishedVersion[] = [];
  for (const name of names) {
    const folder = join(generations, name);
    const read = await readJson(join(folder, "manifest.json"), disk);
    const contract = (read as { contract?: unknown } | null | undefined)?.contract;
    if (typeof contract === "number" && contract > CONTRACT_VERSION) refuseNewer(`generation ${name}`, contract);
    const checked = manifestSchema.safeParse(read);
    if (!checked.success || generationName(checked.data.generation, checked.data.id) !== name) continue;
    found.push({ name, folder, manifest: checked.data });
  }
  const isCurrent = ({ name }: PublishedVersion) => inService === `generations/${name}`;
  return [...found.filter(isCurrent), ...found.filter((one) => !isCurrent(one))];
}

/** @throws UsageError */
export function refuseNewer(what: string, contract: number): never {
  throw new UsageError(
    `${what} was written by a newer version of this program (contract version ${contract}, this one knows ${CONTRACT_VERSION}): nothing was changed. ` +
      "Run the newer version, or move it away to go on without it",
  );
}

async function readJson(path: string, disk: Disk): Promise<unknown> {
  try {
    return JSON.parse(await disk.readFile(path));
  } catch {
    return undefined;
  }
}
