/**
 * Finds sound copies of published files in other generations and in the backups. Generations share unchanged files by hard links, so one bad block
 * damages all of them: a copy is hashed.
 */
import { join } from "node:path";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { IRREPLACEABLE_TABLES } from "../contract/tables.ts";
import { type Backup, backupPath, readBackupFolder } from "./backups.ts";
import type { DiskReader } from "./disk-reader.ts";
import { isSound } from "./file-check.ts";
import { layoutOf, nameOf, samePart } from "./layout.ts";
import { readPublishedVersions } from "./versions.ts";

export interface CopySources {
  readonly artifacts: string;
  /** The backup folder. */
  readonly backup: string;
  /** Older states are looked for in the generations and backups of this contract version. */
  readonly contract: number;
  /** False for the data of another campus. */
  readonly isOurs: (source: Readonly<Record<string, string>>) => boolean;
  readonly disk: DiskReader;
}

export interface Copy {
  readonly file: PublishedFile;
  readonly at: string;
  /** For the report. */
  readonly from: string;
  /** When an older state was published or backed up; undefined for a copy with the same content. */
  readonly stateOf: string | undefined;
}

/** The sound copies with the same content, then those of older states of recorded history, newest first. */
export async function* soundCopies(sources: CopySources, file: PublishedFile): AsyncGenerator<Copy, undefined> {
  yield* sound(await sameContent(sources, file), sources.disk);
  // Crawled data is fetched again instead.
  if (IRREPLACEABLE_TABLES.includes(file.table)) yield* sound(await olderStates(sources, file), sources.disk);
}

/** Those that are sound, in their order. A file with several names is looked at once. */
export async function* sound<T extends Pick<Copy, "file" | "at">>(
  copies: readonly T[],
  disk: DiskReader,
): AsyncGenerator<T, undefined> {
  const looked = new Set<string>();
  for (const copy of copies) {
    const entry = await disk.stat(copy.at).catch(() => undefined);
    const key = `${entry?.device}:${entry?.inode}:${copy.file.sha256}`;
    if (!entry || looked.has(key)) continue;
    looked.add(key);
    if (await isSound(copy.at, copy.file, disk)) yield copy;
  }
}

async function sameContent({ artifacts, backup, disk }: CopySources, file: PublishedFile): Promise<Copy[]> {
  const { checkouts } = layoutOf(artifacts);
  const published = [join(artifacts, file.path)];
  // A file system without hard links has copies in its checkouts.
  for (const name of await disk.readdir(checkouts)) published.push(join(checkouts, name, file.path));
  const lists = (await readBackupFolder(backup, disk)).backups;
  const day = lists.find(({ list }) => list.files.some(({ sha256 }) => sha256 === file.sha256))?.day;
  const from = day === undefined ? "the backup" : `the backup of ${day}`;
  const backedUp = { at: backupPath(backup, file.sha256), from };
  return [...published.map((at) => ({ at, from: "what is published" })), backedUp].map((place) => ({
    ...place,
    file,
    stateOf: undefined,
  }));
}

async function olderStates(sources: CopySources, lost: PublishedFile): Promise<Copy[]> {
  const { artifacts, backup, contract, disk, isOurs } = sources;
  const published = (await readPublishedVersions(artifacts, disk))
    .filter(({ manifest }) => manifest.contract === contract && isOurs(manifest.source))
    .flatMap(({ folder, manifest }) =>
      manifest.files.map((file) => ({
        file,
        at: join(folder, file.path),
        from: `snapshot ${nameOf(manifest)}`,
        stateOf: manifest.createdAt,
      })),
    );
  const backedUp = (await readBackups(sources)).flatMap(({ day, list: { files, createdAt } }) =>
    files.map((file) => ({
      file,
      at: backupPath(backup, file.sha256),
      from: `the backup of ${day}`,
      stateOf: createdAt,
    })),
  );
  return [...published, ...backedUp]
    .filter(({ file }) => samePart(file, lost))
    .sort((a, b) => (a.stateOf < b.stateOf ? 1 : -1));
}

/** The readable backups of our campus and this contract version, newest first. */
export async function readBackups({ backup, contract, disk, isOurs }: CopySources): Promise<Backup[]> {
  const { backups } = await readBackupFolder(backup, disk);
  return backups
    .filter(({ list }) => list.contract === contract && isOurs(list.source))
    .sort((a, b) => (a.list.createdAt < b.list.createdAt ? 1 : -1));
}
