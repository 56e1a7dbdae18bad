/** The snapshots in the artifacts folder. */
import { join } from "node:path";
import { type EarlierSnapshot, isMade, type Manifest } from "../contract/documents/manifest.ts";
import { isUnfinishedSample } from "../contract/sample-campus.ts";
import { UsageError } from "../errors.ts";
import { diskReader, type DiskReader } from "./disk-reader.ts";
import { damagedFile, sizeProblem } from "./file-check.ts";
import { layoutOf, nameOf, parseGenerationName } from "./layout.ts";
import { isOlder, readManifest, readPointer } from "./manifest.ts";

/** A published snapshot. It never changes. */
export interface Generation {
  /** The folder of its objects. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** The snapshots that were retained when it was read, newest first; none unless it was current then. */
  readonly retained: readonly EarlierSnapshot[];
}

export interface GenerationName {
  readonly name: string;
  readonly generation: number;
  readonly id: string;
}

/** The snapshots on disk by number, newest first. */
export async function listGenerations(artifacts: string, disk: DiskReader = diskReader): Promise<GenerationName[]> {
  return (await disk.readdir(layoutOf(artifacts).snapshots))
    .flatMap((file) => {
      const name = file.replace(/\.json$/, "");
      const parsed = name === file ? undefined : parseGenerationName(name);
      return parsed ? [{ name, ...parsed }] : [];
    })
    .sort((a, b) => b.generation - a.generation);
}

/** The name of the current snapshot; undefined when nothing was published yet. @throws DamagedGeneration */
export async function readCurrentName(artifacts: string, disk: DiskReader = diskReader): Promise<string | undefined> {
  const pointer = await readPointer(artifacts, disk, isOlder);
  return pointer && nameOf(pointer.snapshot);
}

/**
 * The current snapshot; undefined when nothing was published yet. The sizes of the
 * tables' files are compared, hashes are not (see verifyGeneration).
 * @throws DamagedGeneration, OtherContract
 */
export async function readCurrent(artifacts: string, disk: DiskReader = diskReader): Promise<Generation | undefined> {
  const pointer = await readPointer(artifacts, disk);
  if (!pointer) return undefined;
  const generation = { folder: artifacts, manifest: pointer.snapshot, retained: pointer.retained };
  await assertSizes(generation, disk);
  return generation;
}

/** True when something is published that can be served, and is more than an interrupted first build of the sample campus has left. */
export async function isBuilt(artifacts: string): Promise<boolean> {
  const current = await readCurrent(artifacts).catch(() => undefined);
  return current !== undefined && !isUnfinishedSample(current.manifest.source);
}

/** @throws UsageError when nothing is published; as readCurrent */
export async function readPublished(artifacts: string): Promise<Generation> {
  const generation = await readCurrent(artifacts);
  if (!generation) throw new UsageError("nothing is published yet: run `make build-data` first");
  return generation;
}

/** A snapshot by its name. @throws as readCurrent */
export async function readGeneration(
  artifacts: string,
  name: string,
  disk: DiskReader = diskReader,
): Promise<Generation> {
  const generation = { folder: artifacts, manifest: await readManifest(artifacts, name, disk), retained: [] };
  await assertSizes(generation, disk);
  return generation;
}

async function assertSizes({ folder, manifest }: Generation, disk: DiskReader): Promise<void> {
  for (const file of manifest.files) {
    if (isMade(file)) continue;
    const problem = sizeProblem(await disk.stat(join(folder, file.path)), file);
    if (problem !== undefined) throw damagedFile(file, problem);
  }
}
