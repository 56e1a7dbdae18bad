/** The earlier snapshots of a store, or of a server that is followed: which there are, and the manifest of each. */
import { z } from "zod";
import { type EarlierSnapshot, earlierSnapshot, type Manifest } from "../contract/documents/manifest.ts";
import { fromServed } from "../contract/documents/served-manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UpstreamBadResponse, UpstreamRefused } from "../errors.ts";
import { generationName } from "../generations/layout.ts";
import { OtherContract, parseManifest } from "../generations/manifest.ts";
import type { Source } from "./open.ts";
import { expectSnapshot } from "./snapshot.ts";
import type { Stored, StoreReader } from "./store.ts";

/** More than are ever retained. */
const MAX_LISTED = 1024;

const { id, generation, createdAt, replacedAt } = earlierSnapshot.shape;
const entry = z.object({
  ...{ id, generation, createdAt },
  /** As stores and servers call it; lists of older versions do not have it. */
  replacedAt: replacedAt.nullish(),
  servedUntil: replacedAt.nullish(),
});
const listing = z.union([z.array(entry), z.object({ snapshots: z.array(entry) }).transform((of) => of.snapshots)]);

/**
 * The snapshots that were retained there before this one, newest first; undefined when nothing there lists any.
 * @throws UpstreamError
 */
export async function listEarlier(
  source: Source,
  current: Pick<Manifest, "id" | "generation" | "createdAt">,
  signal: AbortSignal,
): Promise<EarlierSnapshot[] | undefined> {
  const listed = await readList(source, signal);
  if (!listed) return undefined;
  // The list is written after the snapshot, and may have a newer one already. Clocks of publishers differ, numbers do not.
  const at = listed.findIndex((one) => one.id === current.id);
  const before = at >= 0 ? listed.slice(at + 1) : listed.filter((one) => one.generation < current.generation);
  return before.slice(0, MAX_LISTED).map((one, index) => ({
    ...{ id: one.id, generation: one.generation, createdAt: one.createdAt },
    replacedAt: one.replacedAt ?? one.servedUntil ?? before[index - 1]?.createdAt ?? current.createdAt,
  }));
}

/** Of the first of its places that has one. */
async function readList(
  { earlier, reader }: Source,
  signal: AbortSignal,
): Promise<z.infer<typeof entry>[] | undefined> {
  for (const { list } of earlier) {
    const found = await readOrRefusal(reader, list, signal);
    const read = found && "content" in found ? listing.safeParse(parseJson(found.content)) : undefined;
    if (read?.success) return read.data;
  }
  return undefined;
}

/** A host of files may refuse what it does not have, to those who may not list (403, as S3 does). */
async function readOrRefusal(
  reader: StoreReader,
  key: string,
  signal: AbortSignal,
): Promise<Stored | UpstreamRefused | undefined> {
  try {
    const found = await reader.read(key, { signal });
    return typeof found === "object" ? found : undefined;
  } catch (error) {
    if (error instanceof UpstreamRefused && error.status === 403) return error;
    throw error;
  }
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return undefined;
  }
}

export interface EarlierManifest {
  readonly manifest: Manifest;
  /** The key of one of its files. */
  keyOf(path: string): string;
}

/**
 * The manifest of one of them, of this contract version or an older one; undefined when it is not there any more.
 * @throws UpstreamError, also when it is not that snapshot's
 */
export async function readEarlierManifest(
  source: Source,
  one: Pick<EarlierSnapshot, "id" | "generation">,
  signal: AbortSignal,
): Promise<EarlierManifest | undefined> {
  const { earlier, reader } = source;
  const name = generationName(one.generation, one.id);
  let refusal: UpstreamRefused | undefined;
  for (const places of earlier) {
    const found = await readOrRefusal(reader, places.manifest(one), signal);
    if (found instanceof UpstreamRefused) refusal = found;
    else if (found)
      return { manifest: toManifest(found.content, name, reader), keyOf: (path) => places.file(name, path) };
  }
  const isUnlisted = refusal && (await readList(source, signal))?.every(({ id }) => id !== one.id);
  if (refusal && !isUnlisted) throw refusal;
  return undefined;
}

function toManifest(content: Buffer, name: string, { name: store }: StoreReader): Manifest {
  try {
    const manifest = parseManifest(fromServed(parseJson(content)), name, (contract) => contract <= CONTRACT_VERSION);
    if (manifest.contract === CONTRACT_VERSION) expectSnapshot(manifest, store);
    return manifest;
  } catch (error) {
    if (error instanceof UpstreamBadResponse || error instanceof OtherContract) throw error;
    throw new UpstreamBadResponse(store, `the manifest of ${name} is damaged`);
  }
}
