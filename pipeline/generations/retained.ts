/** The snapshots that can still be asked for: the current one, and those that are retained and whose manifests are on disk. */
import { resolve } from "node:path";
import { type RetainedSnapshot, resolveAsOf, snapshotsOf } from "../contract/as-of.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UsageError } from "../errors.ts";
import { diskReader, type DiskReader } from "./disk-reader.ts";
import { type Generation, listGenerations, readGeneration, readPublished } from "./generation.ts";
import { nameOf } from "./layout.ts";
import { DamagedGeneration, OtherContract, readManifest } from "./manifest.ts";

export interface Retained extends RetainedSnapshot {
  /** `<number>-<id>`, as in the addresses of its files. */
  readonly folderName: string;
}

/** The snapshot of this generation, then all earlier ones that its pointer knows, newest first. */
export const knownSnapshots = ({ manifest, retained }: Omit<Generation, "folder">): Retained[] =>
  snapshotsOf(manifest, retained).map((snapshot) => ({
    ...snapshot,
    folderName: nameOf(snapshot),
  }));

/** Of these, the ones that are on disk. */
export async function retainedSnapshots(current: Generation, disk: DiskReader = diskReader): Promise<Retained[]> {
  const onDisk = new Set((await listGenerations(current.folder, disk)).map(({ name }) => name));
  return knownSnapshots(current).filter(({ folderName }, index) => index === 0 || onDisk.has(folderName));
}

/** This snapshot and the earlier ones that are readable, newest first. Their files are not looked at. */
export async function readEarlier(current: Generation, disk: DiskReader): Promise<Generation[]> {
  const { folder } = current;
  const readable = [current];
  for (const { folderName } of (await retainedSnapshots(current, disk)).slice(1)) {
    try {
      readable.push({ folder, manifest: await readManifest(folder, folderName, disk), retained: [] });
    } catch (error) {
      if (!(error instanceof DamagedGeneration)) throw error;
    }
  }
  return readable;
}

/**
 * The snapshot that was current then: `asOf` is a snapshot id, a campus day or a time.
 * @throws UsageError when nothing is published, for any other text, and for a snapshot that is not retained: it names the nearest ones
 */
export async function readAsOf(artifacts: string, asOf: string, now: Date): Promise<Generation> {
  const current = await readPublished(resolve(artifacts));
  const retained = await retainedSnapshots(current);
  const found = resolveAsOf(asOf, retained, now);
  if ("invalid" in found)
    throw new UsageError(
      `ASOF must be a snapshot id, a day such as 2026-11-20 or a time such as 2026-11-20T18:00:00Z, not ${JSON.stringify(asOf)}`,
    );
  if ("nearest" in found)
    throw new UsageError(
      `no snapshot is retained for ${JSON.stringify(asOf)}; the nearest: ${found.nearest.map(shown).join("; ")}`,
    );
  const { generation, id } = found.snapshot;
  try {
    return await readGeneration(current.folder, nameOf({ generation, id }));
  } catch (error) {
    if (!(error instanceof OtherContract)) throw error;
    throw new UsageError(needsMigration(id, error.contract), { cause: error });
  }
}

/** For whoever asks about a snapshot of an older contract: a migration carries over the snapshot in service alone. */
export const needsMigration = (id: string, contract: number): string =>
  `snapshot ${id} is of contract version ${contract}, not ${CONTRACT_VERSION}: it would need a migration, which only the snapshot got that was in service then`;

const shown = ({ id, servedFrom, servedUntil }: RetainedSnapshot): string =>
  `${id}, served from ${servedFrom} ${servedUntil === null ? "on" : `to ${servedUntil}`}`;
