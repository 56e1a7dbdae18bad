/** About how much room a run needs, and what to do about a disk that does not take it. For the operator: it names paths. */
import { access, constants, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { PipelineConfig } from "../settings/pipeline.ts";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { diskReader } from "../disk/disk.ts";
import { readCurrent } from "../store/published.ts";
import { megabytes } from "./run-report.ts";

/** Before anything is published: the sample campus of that size, with its landing files. */
const FIRST_BUILD_BYTES = { standard: 200_000_000, full: 2_000_000_000 } as const;

type Folders = Pick<PipelineConfig, "artifactsDir" | "dataDir" | "sample">;

/** Every table is written beside the published one at worst, and the largest is sorted on disk. */
export async function diskNeed({ artifactsDir, sample }: Folders): Promise<number> {
  const published = await readCurrent(artifactsDir).catch(() => undefined);
  return published ? sizeOf(published.manifest.files) : FIRST_BUILD_BYTES[sample ?? "full"];
}

function sizeOf(files: readonly PublishedFile[]): number {
  const tables = new Map<string, number>();
  for (const { table, bytes } of files) tables.set(table, (tables.get(table) ?? 0) + bytes);
  const sizes = [...tables.values()];
  return sizes.reduce((sum, bytes) => sum + bytes, 0) + Math.max(0, ...sizes);
}

export interface Folder {
  /** The variable that names it. */
  readonly variable: string;
  readonly path: string;
}

export const foldersOf = ({ artifactsDir, dataDir }: Folders): readonly Folder[] => [
  { variable: "ARTIFACTS_DIR", path: artifactsDir },
  { variable: "DATA_DIR", path: dataDir },
];

/** The folder itself, or the one in which it would be made. */
export async function nearestExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at))
    if ((await diskReader.stat(at)) !== undefined || at === dirname(at)) return at;
}

export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(await nearestExisting(path));
  return bavail * bsize;
}

export const fullRemedy = (variable: string): string =>
  `make room there, shorten RETAIN, or set ${variable} to a larger disk`;
export const readOnlyRemedy = (variable: string): string => `mount it writable, or set ${variable} to another disk`;

/** What to do about a failure for which the disk is the reason: path, need and remedy; undefined for any other failure. */
export async function diskAdvice(message: string, config: Folders): Promise<string | undefined> {
  const named = foldersOf(config).find(({ path }) => message.includes(`${path}/`));
  if (/\bENOSPC\b|no space left on device/i.test(message)) {
    const { variable, path } = named ?? (await fullest(config));
    const need = megabytes(await diskNeed(config));
    return `the disk of ${variable} (${path}) is full, a run needs about ${need}: ${fullRemedy(variable)}`;
  }
  if (/\bEROFS\b|read-only file system/i.test(message)) {
    const { variable, path } = named ?? (await firstReadOnly(config));
    return `the disk of ${variable} (${path}) is read-only: ${readOnlyRemedy(variable)}`;
  }
  return undefined;
}

/** Errors of writing name no path. */
async function fullest(config: Folders): Promise<Folder> {
  const [artifacts, data] = foldersOf(config) as [Folder, Folder];
  return (await freeBytes(data.path)) < (await freeBytes(artifacts.path)) ? data : artifacts;
}

async function firstReadOnly(config: Folders): Promise<Folder> {
  const [artifacts, data] = foldersOf(config) as [Folder, Folder];
  const isWritable = await access(await nearestExisting(artifacts.path), constants.W_OK).then(
    () => true,
    () => false,
  );
  return isWritable ? data : artifacts;
}
