/**
 * Publishes a generation in a store. Its data files come first; then its number is claimed, which only one publisher can; then its manifest; then
 * `current.json` replaces the one that was read. After a kill at any step the old snapshot is current, or the new one.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { derivedIn, toBulkManifest } from "../contract/documents/bulk-manifest.ts";
import { allFiles, type Freshness, type Manifest } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { LockedError } from "../errors.ts";
import type { Generation } from "../generations/generation.ts";
import { generationName } from "../generations/layout.ts";
import { expectReadable } from "../generations/versions.ts";
import { parseHead, parseSnapshot, type RemoteSnapshot, type SnapshotHead } from "../stores/snapshot.ts";
import { claimKey, CURRENT, manifestKey, type Store, type Stored } from "../stores/store.ts";

/** What is current in a store. */
export interface InService extends SnapshotHead {
  readonly stored: Stored;
  /** The paths of its files; none when it is of an older contract version. */
  readonly paths: ReadonlySet<string>;
}

/** Undefined before the first publication. @throws UsageError when its contract version is refused */
export async function readInService(store: Store): Promise<InService | undefined> {
  const stored = await store.read(CURRENT);
  if (typeof stored !== "object") return undefined;
  const head = parseHead(stored, store);
  expectReadable("the snapshot", store.name, head.contract);
  const paths = head.contract < CONTRACT_VERSION ? [] : pathsIn(parseSnapshot(stored, store));
  return { ...head, stored, paths: new Set(paths) };
}

const pathsIn = ({ files, manifest }: RemoteSnapshot): string[] =>
  [...files, ...derivedIn(manifest)].map(({ path }) => path);

export interface PublishOptions {
  readonly freshness: Freshness;
  /** What is replaced: as it was read before the generation was made. */
  readonly replaced: InService | undefined;
  readonly assertHeld: () => Promise<void>;
}

/**
 * @returns its manifest as it is in the store, where it may have another number
 * @throws LockedError when another publisher was faster; or replaced it before its answer arrived, and went on from it. Either way the next run goes on from
 * what is current
 */
export async function publishGeneration(
  store: Store,
  { folder, manifest }: Generation,
  { assertHeld, freshness, replaced }: PublishOptions,
): Promise<Manifest> {
  const added = allFiles(manifest).filter(({ path }) => !replaced?.paths.has(path));
  await store.addFiles(added.map(({ path, bytes }) => ({ key: path, at: join(folder, path), bytes })));
  const generation = await claim(store, Math.max((replaced?.generation ?? 0) + 1, manifest.generation), manifest.id);
  const published: Manifest = { ...manifest, generation, snapshots: [] };
  const name = generationName(generation, manifest.id);
  await store.create(manifestKey(name), `${JSON.stringify(published, null, 1)}\n`);
  await assertHeld();
  if (!(await store.replace(CURRENT, currentText(published, freshness), replaced?.stored.etag ?? null)))
    throw new LockedError(`another publisher published to ${store.name} in the meantime`);
  return published;
}

/** A number that nobody had: those of publishers that ended before they were current are left out. */
async function claim(store: Store, from: number, id: string): Promise<number> {
  const text = JSON.stringify({ id, claim: randomUUID() });
  for (let number = from; ; number++) if (await store.create(claimKey(number), text)) return number;
}

/** Writes when the data of the current snapshot was checked last. */
export async function refreshCurrent(
  store: Store,
  manifest: Manifest,
  freshness: Freshness,
  { generation, stored }: InService,
): Promise<void> {
  const text = currentText({ ...manifest, generation }, freshness);
  if (text !== stored.content.toString()) await store.replace(CURRENT, text, stored.etag);
}

/** The data files of a store are not below a generation's name. */
export function currentText(manifest: Manifest, freshness: Freshness): string {
  const name = generationName(manifest.generation, manifest.id);
  return `${JSON.stringify(toBulkManifest(name, manifest, freshness, (path) => `/${path}`))}\n`;
}
