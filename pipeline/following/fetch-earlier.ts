/** Brings an earlier snapshot of the origin here, once it is asked for: files that are here are shared, the others downloaded. */
import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UpstreamError } from "../errors.ts";
import { generationFolder, listGenerations } from "../generations/generation.ts";
import { isSound } from "../generations/file-check.ts";
import { layoutOf } from "../generations/layout.ts";
import { OtherContract } from "../generations/manifest.ts";
import { type Disk, nodeDisk } from "../publish/disk.ts";
import { guardFolders } from "../publish/own-folders.ts";
import { buildTree } from "../publish/publication.ts";
import type { EarlierManifest } from "../stores/earlier.ts";
import type { StoreReader } from "../stores/store.ts";
import { expectTables } from "./copy.ts";
import { downloadAll } from "./download-all.ts";

/** As much again stays free, for what a server and a copy of the next snapshot need. */
const FREE_SHARE = 2;

/** There is no room for it. */
export class NoRoom extends UpstreamError {
  override name = "NoRoom";
}

/** The folder in which it is put together, below staging. */
export const fetchFolder = (artifacts: string, name: string): string =>
  join(layoutOf(artifacts).staging, `earlier-${name}`);

export interface FetchOptions {
  readonly artifacts: string;
  readonly from: StoreReader;
  readonly signal: AbortSignal;
  readonly disk?: Disk;
}

/**
 * Nothing has the generation's name until all of it is there and is what its manifest says.
 * @param name of its generation
 * @throws OtherContract; UpstreamError when a file cannot be fetched or is another; NoRoom
 * **Output:** a generation, which is not in service.
 */
export async function fetchEarlier(
  { manifest, keyOf }: EarlierManifest,
  name: string,
  { artifacts, from, signal, disk = nodeDisk }: FetchOptions,
): Promise<void> {
  if (manifest.contract !== CONTRACT_VERSION)
    throw new OtherContract(`${name} is of contract version ${manifest.contract}`, manifest.contract);
  const folder = fetchFolder(artifacts, name);
  const [tree, parts] = [join(folder, "generation"), join(folder, "parts")];
  await guardFolders([layoutOf(artifacts).staging, folder]);
  await disk.rm(tree);
  await disk.mkdir(parts);
  const here = (await listGenerations(artifacts, disk)).map((one) => generationFolder(artifacts, one.name));
  const files: { readonly file: PublishedFile; at: string }[] = [];
  const missing: typeof files = [];
  for (const file of manifest.files) {
    const shared = await findSound(file, here, disk);
    const one = { file, at: shared ?? join(parts, `${file.sha256}.parquet`) };
    files.push(one);
    if (shared === undefined) missing.push(one);
  }
  await expectRoom(missing, artifacts, from);
  const downloads = missing.map(({ file, at }) => ({ file, key: keyOf(file.path), at }));
  await downloadAll(from, downloads, signal, disk);
  for (const { at } of missing) await disk.syncFile(at);
  await buildTree(disk, tree, files, manifest);
  const fetched = missing.map(({ file }) => file);
  await expectTables(from, fetched, { filesFolder: tree, tempFolder: join(folder, "temp") });
  const place = generationFolder(artifacts, name);
  await disk.mkdir(dirname(place));
  await disk.rename(tree, place);
  await disk.syncFolder(dirname(place));
  await disk.rm(folder);
}

/** Where a generation has the file: a path names its content. */
async function findSound(file: PublishedFile, folders: readonly string[], disk: Disk): Promise<string | undefined> {
  for (const folder of folders) {
    const at = join(folder, file.path);
    if (await isSound(at, file, disk)) return at;
  }
  return undefined;
}

async function expectRoom(
  files: readonly { readonly file: PublishedFile }[],
  artifacts: string,
  { name }: StoreReader,
): Promise<void> {
  const bytes = files.reduce((sum, { file }) => sum + file.bytes, 0);
  const { bavail, bsize } = await statfs(artifacts);
  if (bavail * bsize < FREE_SHARE * bytes) throw new NoRoom(name, "there is no room for an earlier snapshot");
}
