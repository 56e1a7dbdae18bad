/** Is a published file on the disk what its manifest says? It is read whole: a flipped bit changes neither its size nor its times. */
import { join } from "node:path";
import pLimit from "p-limit";
import type { PublishedFile } from "../../contract/manifest.ts";
import type { Disk } from "../disk.ts";

/** A file that is not what its manifest says, and why. */
export interface DamagedFile {
  readonly file: PublishedFile;
  readonly problem: string;
}

/** While one is hashed, others come from the disk. */
const FILES_AT_A_TIME = 4;

/** The files below `folder` that are damaged; about 3 ms for each megabyte. */
export async function findDamaged(folder: string, files: readonly PublishedFile[], disk: Disk): Promise<DamagedFile[]> {
  const limit = pLimit(FILES_AT_A_TIME);
  const problems = await limit.map(files, (file) => fileProblem(join(folder, file.path), file, disk));
  return files.flatMap((file, i) => {
    const problem = problems[i];
    return problem === undefined ? [] : [{ file, problem }];
  });
}

/** What is wrong with the file at `path`; undefined when nothing is. */
export async function fileProblem(
  path: string,
  { bytes, sha256 }: Pick<PublishedFile, "bytes" | "sha256">,
  disk: Disk,
): Promise<string | undefined> {
  try {
    if ((await disk.stat(path))?.kind !== "file") return "missing";
    const found = await disk.digest(path);
    if (found.bytes !== bytes) return `${found.bytes} bytes, not ${bytes}`;
    return found.sha256 === sha256 ? undefined : "the content has another SHA-256";
  } catch (error) {
    // A bad block is damage like any other: it must not end the run that could mend it.
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === "ENOENT" ? "missing" : `cannot be read (${code})`;
  }
}
