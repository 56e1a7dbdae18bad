/**
 * Finds copies of published files in other generations and in the backup. Generations share unchanged files by hard links, so one bad block damages
 * all of them: a copy is hashed, and its bytes are copied.
 */
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { type PublishedFile, publishedFile } from "../../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../contract/tables.ts";
import type { Disk } from "../disk.ts";
import { DamagedGeneration, type Generation, generationNames, readManifest } from "../generation.ts";
import { layoutOf, samePartition } from "../layout.ts";
import type { Staging } from "../staging.ts";

export interface CopySources {
  readonly artifacts: string;
  /** `data/backup`: `files/<sha256>.parquet`, and lists `<YYYY-MM-DD>.json` or `<YYYY-MM-DD>.<snapshot id>.json`. */
  readonly backup: string;
  /** False for the data of another campus. */
  readonly isOurs: (source: Readonly<Record<string, string>>) => boolean;
  readonly disk: Disk;
}

export interface Copy {
  readonly file: PublishedFile;
  readonly at: string;
  /** For the report. */
  readonly from: string;
  /** When it was published. */
  readonly createdAt: string;
}

const dayList = z.object({
  contract: z.int(),
  createdAt: z.iso.datetime(),
  /** Where the data came from, as in the manifest. */
  source: z.record(z.string(), z.string()).default({}),
  files: z.array(publishedFile),
});
type DayList = z.infer<typeof dayList>;

/** A copy with the same content. */
export async function findSame(sources: CopySources, file: PublishedFile): Promise<Copy | undefined> {
  const { generations } = layoutOf(sources.artifacts);
  // The path of a file is the same in every generation that has it.
  const copies = (await newestFirst(sources)).map((name) => ({
    at: join(generations, name, file.path),
    from: `generation ${name}`,
  }));
  const looked = new Set<number>();
  for (const { at, from } of [...copies, { at: backupOf(sources, file), from: "the backup" }]) {
    const inode = await sources.disk.stat(at).then(
      (entry) => entry?.inode,
      () => undefined,
    );
    if (inode === undefined || looked.has(inode)) continue;
    looked.add(inode);
    if (await isContent(sources, at, file)) return { file, at, from, createdAt: "" };
  }
  return undefined;
}

/** The newest sound copy of an older state of the partition. */
export async function findOlder(sources: CopySources, lost: PublishedFile): Promise<Copy | undefined> {
  const found: Copy[] = [];
  const add = (list: Pick<DayList, "createdAt" | "files">, from: string, at: (file: PublishedFile) => string) => {
    const file = list.files.find(
      ({ table, partition }) => table === lost.table && samePartition(partition, lost.partition),
    );
    if (file) found.push({ file, at: at(file), from, createdAt: list.createdAt });
  };
  for (const { folder, manifest } of (await readManifests(sources)).filter(({ manifest }) =>
    sources.isOurs(manifest.source),
  ))
    add(manifest, `generation ${basename(folder)}`, ({ path }) => join(folder, path));
  for (const [day, list] of await backupDays(sources))
    add(list, `the backup of ${day}`, (file) => backupOf(sources, file));
  for (const copy of found.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)))
    if (await isContent(sources, copy.at, copy.file)) return copy;
  return undefined;
}

/** The newest readable list of the backup. */
export const newestBackup = async (sources: CopySources): Promise<DayList | undefined> =>
  (await backupDays(sources))[0]?.[1];

/** The file of this path, from the newest manifest that lists it. */
export async function findListed(sources: CopySources, path: string): Promise<PublishedFile | undefined> {
  for (const { manifest } of await readManifests(sources)) {
    const file = manifest.files.find((one) => one.path === path);
    if (file) return file;
  }
  return undefined;
}

/** Stages the copy in place of the damaged file. Returns false when it does not read back as it was. */
export async function putCopy(staging: Staging, { file, at }: Copy): Promise<boolean> {
  const { disk, filesFolder } = staging;
  const to = join(filesFolder, file.path);
  await disk.mkdir(dirname(to));
  await disk.rm(to);
  await disk.copyBytes(at, to);
  await disk.syncFile(to);
  if ((await disk.digest(to)).sha256 !== file.sha256) return false;
  staging.put({ ...file });
  return true;
}

const backupOf = ({ backup }: CopySources, { sha256 }: PublishedFile) => join(backup, "files", `${sha256}.parquet`);

const newestFirst = async ({ artifacts, disk }: CopySources): Promise<string[]> =>
  (await generationNames(layoutOf(artifacts).generations, disk)).map(({ name }) => name).toReversed();

/** Generations with a readable manifest, newest first. */
async function readManifests(sources: CopySources): Promise<Generation[]> {
  const found: Generation[] = [];
  for (const name of await newestFirst(sources)) {
    const folder = join(layoutOf(sources.artifacts).generations, name);
    try {
      found.push({ folder, manifest: await readManifest(folder, name, sources.disk) });
    } catch (error) {
      if (!(error instanceof DamagedGeneration)) throw error;
    }
  }
  return found;
}

async function isContent({ disk }: CopySources, at: string, { sha256 }: PublishedFile): Promise<boolean> {
  const found = await disk.digest(at).catch(() => undefined);
  return found?.sha256 === sha256;
}

/** Readable lists of the backup, newest first. */
async function backupDays({ backup, disk, isOurs }: CopySources): Promise<[day: string, list: DayList][]> {
  const found: [string, DayList][] = [];
  for (const name of await disk.readdir(backup)) {
    const day = /^(\d{4}-\d\d-\d\d)(?:\.[0-9a-f]{16})?\.json$/.exec(name)?.[1];
    if (day === undefined) continue;
    try {
      const list = dayList.parse(JSON.parse(await disk.readFile(join(backup, name))));
      if (list.contract === CONTRACT_VERSION && isOurs(list.source)) found.push([day, list]);
    } catch {
      // Another day's list may still be sound.
    }
  }
  return found.sort(([, a], [, b]) => (a.createdAt < b.createdAt ? 1 : -1));
}
