/** The generations on disk. */
import { join } from "node:path";
import { isMade, type Manifest } from "../contract/documents/manifest.ts";
import { isUnfinishedSample } from "../contract/sample-campus.ts";
import { UsageError } from "../errors.ts";
import { diskReader, type DiskReader } from "./disk-reader.ts";
import { damagedFile, sizeProblem } from "./file-check.ts";
import { layoutOf, parseGenerationName } from "./layout.ts";
import { DamagedGeneration, readManifest } from "./manifest.ts";

/** A complete published tree. It never changes. */
export interface Generation {
  /** Never the path through `current`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export interface GenerationName {
  readonly name: string;
  readonly generation: number;
  readonly id: string;
}

/** The generations on disk by number, newest first. */
export async function listGenerations(artifacts: string, disk: DiskReader = diskReader): Promise<GenerationName[]> {
  return (await disk.readdir(layoutOf(artifacts).generations))
    .flatMap((name) => {
      const parsed = parseGenerationName(name);
      return parsed ? [{ name, ...parsed }] : [];
    })
    .sort((a, b) => b.generation - a.generation);
}

export const generationFolder = (artifacts: string, name: string): string =>
  join(layoutOf(artifacts).generations, name);

/** The name of the generation that `current` points to, which may be missing. @throws DamagedGeneration */
export async function readCurrentName(artifacts: string, disk: DiskReader = diskReader): Promise<string | undefined> {
  const { current } = layoutOf(artifacts);
  const entry = await disk.stat(current);
  if (entry === undefined) return undefined;
  if (entry.kind !== "link") throw new DamagedGeneration("current is no symbolic link");
  const target = await disk.readlink(current);
  const name = target.startsWith("generations/") ? target.slice("generations/".length) : "";
  if (!parseGenerationName(name)) throw new DamagedGeneration(`current leads to ${target}, no generation`);
  return name;
}

/**
 * The current generation; undefined when nothing was published yet. The sizes of the tables' files are compared, hashes
 * are not (see verifyGeneration).
 * @throws DamagedGeneration, OtherContract
 */
export async function readCurrent(artifacts: string, disk: DiskReader = diskReader): Promise<Generation | undefined> {
  const name = await readCurrentName(artifacts, disk);
  return name === undefined ? undefined : readGeneration(generationFolder(artifacts, name), disk);
}

/** Whether something is published that can be served, and is more than an interrupted first build of the sample campus has left. */
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

/** @throws as readCurrent */
export async function readGeneration(folder: string, disk: DiskReader = diskReader): Promise<Generation> {
  const manifest = await readManifest(folder, disk);
  for (const file of manifest.files) {
    if (isMade(file)) continue;
    const problem = sizeProblem(await disk.stat(join(folder, file.path)), file);
    if (problem !== undefined) throw damagedFile(folder, file, problem);
  }
  return { folder, manifest };
}
