/**
 * The checkout of the current snapshot: a folder of hard links to its objects, for people, globs and other programs.
 */
import { basename, dirname, join } from "node:path";
import type { Manifest } from "../contract/documents/manifest.ts";
import { GuardError } from "../errors.ts";
import { hasCode, type Disk, isLinkRefused, replaceFile } from "../disk/disk.ts";
import { layoutOf, nameOf, parseSnapshotName } from "./layout.ts";
import { DamagedSnapshot } from "./manifest.ts";
import { manifestText, snapshotKey } from "./pointer.ts";
import { type PublishedSnapshot, readLocalManifest } from "./published.ts";
import { CHECKOUT_MANIFEST, checkoutProblems } from "./verify.ts";

/**
 * Creates the checkout of a snapshot, without objects that are lost, and points `current` to it. After a kill `current`
 * points to the old checkout or the new one.
 * @param draft a path on the same file system, removed by the cleanup after a killed run; also with `-link` or
 *   `-replaced` appended
 * @returns false where the file system has no hard links, so that the files were copied
 */
export async function makeCheckout(artifacts: string, manifest: Manifest, draft: string, disk: Disk): Promise<boolean> {
  const { checkouts } = layoutOf(artifacts);
  const checkout = join(checkouts, nameOf(manifest));
  let isLinked = true;
  const folders = new Set([draft]);
  const [replaced, link] = [`${draft}-replaced`, `${draft}-link`];
  // A replica keeps its staging folder, so leftovers of a killed attempt may be in the way.
  for (const path of [draft, replaced, link]) await disk.rm(path);
  await disk.mkdir(draft);
  for (const { path } of manifest.files) {
    const to = join(draft, path);
    for (let above = dirname(to); !folders.has(above); above = dirname(above)) folders.add(above);
    await disk.mkdir(dirname(to));
    isLinked = (await linkOrCopy(disk, join(artifacts, path), to)) && isLinked;
  }
  await disk.writeFile(join(draft, CHECKOUT_MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
  await disk.syncFile(join(draft, CHECKOUT_MANIFEST));
  for (const folder of folders) await disk.syncFolder(folder);
  await disk.mkdir(checkouts);
  // An existing checkout of the same snapshot is damaged: move it aside.
  if (await disk.stat(checkout)) await disk.rename(checkout, replaced);
  await disk.rename(draft, checkout);
  await disk.syncFolder(checkouts);
  await switchLink(artifacts, checkout, link, disk);
  return isLinked;
}

/** A rename cannot replace a folder by a link, and a folder in its place is not ours to remove. @throws GuardError */
export async function assertLink(artifacts: string, disk: Disk): Promise<void> {
  const { current } = layoutOf(artifacts);
  const entry = await disk.stat(current);
  if (entry && entry.kind !== "link")
    throw new GuardError(`${current} is no symbolic link: move it away, then run again`);
}

async function switchLink(artifacts: string, checkout: string, draft: string, disk: Disk): Promise<void> {
  await assertLink(artifacts, disk);
  const { checkouts, current } = layoutOf(artifacts);
  await disk.symlink(`${basename(checkouts)}/${basename(checkout)}`, draft);
  await disk.rename(draft, current);
  await disk.syncFolder(artifacts);
}

async function linkOrCopy(disk: Disk, from: string, to: string): Promise<boolean> {
  try {
    await disk.link(from, to);
    return true;
  } catch (error) {
    // The next run fetches a lost object again.
    if (hasCode(error, "ENOENT")) return true;
    if (!isLinkRefused(error)) throw error;
    await disk.copyFile(from, to);
    await disk.syncFile(to);
    return false;
  }
}

/** Removes the checkouts of all snapshots but the kept ones. */
export async function removeCheckouts(artifacts: string, kept: ReadonlySet<string>, disk: Disk): Promise<void> {
  const { checkouts } = layoutOf(artifacts);
  for (const name of await disk.readdir(checkouts))
    if (parseSnapshotName(name) && !kept.has(name)) await disk.rm(join(checkouts, name));
}

/** Rewrites the current manifest from the pointer, which contains it whole, when its file is missing or damaged. */
export async function ensureManifest(
  { folder, manifest }: PublishedSnapshot,
  drafts: string,
  disk: Disk,
): Promise<void> {
  try {
    await readLocalManifest(folder, nameOf(manifest), disk);
  } catch (error) {
    if (!(error instanceof DamagedSnapshot)) throw error;
    for (const needed of [drafts, layoutOf(folder).snapshots]) await disk.mkdir(needed);
    await replaceFile(disk, join(folder, snapshotKey(manifest)), manifestText(manifest), join(drafts, "manifest"));
  }
}

/** Makes the checkout of a published snapshot again where something of it is missing, damaged or foreign. */
export async function ensureCheckout(published: PublishedSnapshot, folder: string, disk: Disk): Promise<void> {
  if ((await checkoutProblems(published, disk)).length === 0) return;
  await makeCheckout(published.folder, published.manifest, join(folder, "checkout"), disk);
}
