/** Reads the manifest of a generation, without a look at its files. */
import { basename, join } from "node:path";
import { type Manifest, manifest as manifestSchema } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { diskReader, type DiskReader, hasCode } from "./disk-reader.ts";
import { generationName } from "./layout.ts";
import { snapshotId } from "./snapshot-id.ts";

/** A broken link, an invalid manifest, or a missing or damaged file. The message is for the operator. */
export class DamagedGeneration extends Error {
  override name = "DamagedGeneration";
}

/** A sound generation of another contract version. */
export class OtherContract extends DamagedGeneration {
  override name = "OtherContract";
  constructor(
    message: string,
    readonly contract: number,
  ) {
    super(message);
  }
}

/** The manifest of a generation of this contract version. @throws DamagedGeneration, OtherContract */
export async function readManifest(folder: string, disk: DiskReader = diskReader): Promise<Manifest> {
  const manifest = await read(folder, disk, (contract) => contract === CONTRACT_VERSION);
  const { changesBefore, files, id } = manifest;
  if (snapshotId(files, changesBefore) !== id)
    throw new DamagedGeneration(`${placeOf(folder)}: the id is not that of its files`);
  return manifest;
}

/** Of this contract version or an older one. @throws DamagedGeneration, OtherContract for a newer one */
export const readOlderManifest = (folder: string, disk: DiskReader = diskReader): Promise<Manifest> =>
  read(folder, disk, (contract) => contract <= CONTRACT_VERSION);

/** @param name of the generation, or the path of its folder */
const placeOf = (name: string): string => `${basename(name)}/manifest.json`;

async function read(folder: string, disk: DiskReader, accepts: (contract: number) => boolean): Promise<Manifest> {
  const place = placeOf(folder);
  let found: unknown;
  try {
    found = JSON.parse(await disk.readFile(join(folder, "manifest.json")));
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) throw new DamagedGeneration(`${place} is missing`);
    if (error instanceof SyntaxError) throw new DamagedGeneration(`${place} is no JSON`);
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new DamagedGeneration(`${place} cannot be read (${code})`);
  }
  return parseManifest(found, basename(folder), accepts);
}

/** Checks a manifest as it was read, of the generation of that name. @throws DamagedGeneration, OtherContract unless `accepts` the version */
export function parseManifest(found: unknown, name: string, accepts: (contract: number) => boolean): Manifest {
  const place = placeOf(name);
  // Checked first: another version may have another schema.
  const contract = (found as { contract?: unknown } | null)?.contract;
  if (typeof contract === "number" && !accepts(contract))
    throw new OtherContract(`${place} is of contract version ${contract}, not ${CONTRACT_VERSION}`, contract);
  const checked = manifestSchema.safeParse(found);
  if (!checked.success) {
    const { path: at, message } = checked.error.issues[0] ?? { path: [], message: "" };
    throw new DamagedGeneration(`${place}: ${at.join(".")}: ${message}`);
  }
  const { generation, id } = checked.data;
  if (generationName(generation, id) !== name)
    throw new DamagedGeneration(`${name}: the manifest is that of ${generation}-${id}`);
  return checked.data;
}
