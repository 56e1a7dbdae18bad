/** Compares published files with their manifest. They are hashed: a flipped bit changes neither size nor times. */
import { join } from "node:path";
import pLimit from "p-limit";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { diskReader, type DiskReader, type Entry } from "../disk/disk.ts";
import { DamagedSnapshot } from "./manifest.ts";

/** A file that a snapshot names, and that is missing or damaged. */
export interface LostFile {
  readonly file: PublishedFile;
  readonly problem: string;
}

interface CheckedFile {
  readonly file: PublishedFile;
  readonly problem: string | undefined;
  /** Device, inode, size, time and hash: a file with the key of a sound one needs no second hash. */
  readonly key: string;
}

type Content = Pick<PublishedFile, "bytes" | "sha256">;

/** Files are read in parallel so that hashing does not wait for the disk. */
const FILES_AT_A_TIME = 8;

/** A file whose key is known is not hashed. */
function checkFiles(
  folder: string,
  files: readonly PublishedFile[],
  disk: DiskReader,
  isVerified: (key: string) => boolean = () => false,
): Promise<CheckedFile[]> {
  const limit = pLimit(FILES_AT_A_TIME);
  // Read all sizes at once: sequentially, each would wait behind the requests of a busy server.
  const hashing = { ...disk, digest: (path: string) => limit(() => disk.digest(path)) };
  return Promise.all(
    files.map(async (file) => ({ file, ...(await checkFile(join(folder, file.path), file, hashing, isVerified)) })),
  );
}

/** Returns the damaged ones of these files below `folder`. */
export async function findDamaged(
  folder: string,
  files: readonly PublishedFile[],
  disk: DiskReader,
): Promise<LostFile[]> {
  const checked = await checkFiles(folder, files, disk);
  return checked.flatMap(({ file, problem }) => (problem === undefined ? [] : [{ file, problem }]));
}

/** Returns the keys of these files. @throws DamagedSnapshot for the first damaged one */
export async function verifyFiles(
  folder: string,
  files: readonly PublishedFile[],
  isVerified: (key: string) => boolean,
): Promise<string[]> {
  const checked = await checkFiles(folder, files, diskReader, isVerified);
  for (const { file, problem } of checked) if (problem !== undefined) throw damagedFile(file, problem);
  return checked.map(({ key }) => key);
}

export const damagedFile = ({ path }: PublishedFile, problem: string): DamagedSnapshot =>
  new DamagedSnapshot(`${path}: ${problem}`);

export const fileProblem = async (path: string, file: Content, disk: DiskReader): Promise<string | undefined> =>
  (await checkFile(path, file, disk, () => false)).problem;

export const isSound = async (path: string, file: Content, disk: DiskReader): Promise<boolean> =>
  (await fileProblem(path, file, disk)) === undefined;

export function sizeProblem(entry: Entry | undefined, { bytes }: Content): string | undefined {
  if (entry?.kind !== "file") return "missing";
  return entry.bytes === bytes ? undefined : `${entry.bytes} bytes, not ${bytes}`;
}

async function checkFile(
  path: string,
  file: Content,
  disk: DiskReader,
  isVerified: (key: string) => boolean,
): Promise<Omit<CheckedFile, "file">> {
  let key = "";
  try {
    const entry = await disk.stat(path);
    let problem = sizeProblem(entry, file);
    if (entry) key = `${entry.device}:${entry.inode}:${entry.bytes}:${entry.modifiedMs}:${file.sha256}`;
    if (problem === undefined && !isVerified(key) && (await disk.digest(path)).sha256 !== file.sha256)
      problem = "the content has another SHA-256";
    return { key, problem };
  } catch (error) {
    // A read error is damage too, and must not end the run that can repair it.
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { key, problem: code === "ENOENT" ? "missing" : `cannot be read (${code})` };
  }
}
