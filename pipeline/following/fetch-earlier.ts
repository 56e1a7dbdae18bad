/** Brings an earlier snapshot of the origin here, once it is asked for: files that are here are shared, the others downloaded. */
import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { allFiles, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UpstreamError } from "../errors.ts";
import { generationFolder, listGenerations } from "../generations/generation.ts";
import { isSound } from "../generations/file-check.ts";
import { layoutOf } from "../generations/layout.ts";
import { OtherContract } from "../generations/manifest.ts";
import { isLinkRefused, nodeDisk } from "../publish/disk.ts";
import { guardFolders } from "../publish/own-folders.ts";
import type { EarlierManifest } from "../stores/earlier.ts";
import type { StoreReader } from "../stores/store.ts";
import { expectContent, expectTables } from "./copy.ts";

/** As much again stays free, for what a server and a copy of the next snapshot need. */
const FREE_SHARE = 2;

/** There is no room for it. */
export class NoRoom extends UpstreamError {
  override name = "NoRoom";
}

/** The folder in which it is put together, below staging. */
export const fetchFolder = (artifacts: string, name: string): string =>
  join(layoutOf(artifacts).staging, `earlier-${name}`);

/**
 * Nothing has the generation's name until all of it is there and is what its manifest says.
 * @param name of its generation
 * @throws OtherContract; UpstreamError when a file cannot be fetched or is another; NoRoom
 * **Output:** a generation, which is not in service.
 */
export async function fetchEarlier(
  { manifest, keyOf }: EarlierManifest,
  name: string,
  { artifacts, from, signal }: { readonly artifacts: string; readonly from: StoreReader; readonly signal: AbortSignal },
): Promise<void> {
  if (manifest.contract !== CONTRACT_VERSION)
    throw new OtherContract(`${name} is of contract version ${manifest.contract}`, manifest.contract);
  const folder = fetchFolder(artifacts, name);
  const tree = join(folder, "generation");
  await guardFolders([layoutOf(artifacts).staging, folder]);
  await nodeDisk.rm(tree);
  const missing = await shareFiles(manifest, tree, artifacts);
  await expectRoom(missing, artifacts, from);
  const parts = join(folder, "parts");
  await nodeDisk.mkdir(parts);
  for (const file of missing) {
    const part = join(parts, `${file.sha256}.parquet`);
    await from.download(keyOf(file.path), file.bytes, part, signal);
    await expectContent(from, file, part);
    await nodeDisk.link(part, join(tree, file.path));
    await nodeDisk.syncFile(join(tree, file.path));
  }
  await expectTables(from, missing, { filesFolder: tree, tempFolder: join(folder, "temp") });
  await nodeDisk.writeFile(join(tree, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`);
  await nodeDisk.syncFile(join(tree, "manifest.json"));
  for (const below of new Set([".", ...manifest.files.map(({ path }) => dirname(path))]))
    await nodeDisk.syncFolder(join(tree, below));
  const place = generationFolder(artifacts, name);
  await nodeDisk.mkdir(dirname(place));
  await nodeDisk.rename(tree, place);
  await nodeDisk.syncFolder(dirname(place));
  await nodeDisk.rm(folder);
}

/** Links what another generation here has: a path names its content. @returns the other files */
async function shareFiles(manifest: Manifest, tree: string, artifacts: string): Promise<PublishedFile[]> {
  const folders = (await listGenerations(artifacts)).map(({ name }) => generationFolder(artifacts, name));
  const missing: PublishedFile[] = [];
  for (const file of allFiles(manifest)) {
    await nodeDisk.mkdir(dirname(join(tree, file.path)));
    if (!(await isShared(file, folders, tree))) missing.push(file);
  }
  return missing;
}

async function isShared(file: PublishedFile, folders: readonly string[], tree: string): Promise<boolean> {
  for (const folder of folders) {
    const at = join(folder, file.path);
    if (!(await isSound(at, file, nodeDisk))) continue;
    try {
      await nodeDisk.link(at, join(tree, file.path));
      return true;
    } catch (error) {
      if (!isLinkRefused(error)) throw error;
      return false;
    }
  }
  return false;
}

async function expectRoom(files: readonly PublishedFile[], artifacts: string, { name }: StoreReader): Promise<void> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const { bavail, bsize } = await statfs(artifacts);
  if (bavail * bsize < FREE_SHARE * bytes) throw new NoRoom(name, "there is no room for an earlier snapshot");
}
