/**
 * Finds sound copies of published files in other generations and in the backups. Generations share unchanged files by hard links, so one bad block
 * damages all of them: a copy is hashed.
 */
import { join } from "node:path";
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { campusToday } from "../contract/campus-time.ts";
import { IRREPLACEABLE_TABLES } from "../contract/tables.ts";
import type { DiskReader } from "./disk-reader.ts";
import { isSound } from "./file-check.ts";
import { layoutOf, nameOf, samePart } from "./layout.ts";
import { readPublishedVersions } from "./versions.ts";

/** The manifests of backups, newest first, and the folder with their files. */
export interface Backups {
  readonly folder: string;
  readonly manifests: readonly Manifest[];
}

export interface CopySources {
  readonly artifacts: string;
  readonly backups: () => Promise<Backups>;
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

async function sameContent({ artifacts, backups, disk }: CopySources, file: PublishedFile): Promise<Copy[]> {
  const { checkouts } = layoutOf(artifacts);
  const published = [join(artifacts, file.path)];
  // A file system without hard links has copies in its checkouts.
  for (const name of await disk.readdir(checkouts)) published.push(join(checkouts, name, file.path));
  const { folder, manifests } = await backups();
  const having = manifests.find(({ files }) => files.some(({ path }) => path === file.path));
  const backedUp = { at: join(folder, file.path), from: having ? backupName(having) : "the backup" };
  return [...published.map((at) => ({ at, from: "what is published" })), backedUp].map((place) => ({
    ...place,
    file,
    stateOf: undefined,
  }));
}

async function olderStates(sources: CopySources, lost: PublishedFile): Promise<Copy[]> {
  const { artifacts, backups, contract, disk, isOurs } = sources;
  const { folder } = await backups();
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
  const backedUp = (await ownBackups(sources)).flatMap((backup) =>
    backup.files.map((file) => ({
      file,
      at: join(folder, file.path),
      from: backupName(backup),
      stateOf: backup.createdAt,
    })),
  );
  return [...published, ...backedUp]
    .filter(({ file }) => samePart(file, lost))
    .sort((a, b) => (a.stateOf < b.stateOf ? 1 : -1));
}

/** The backups of our campus and this contract version, newest first. */
export async function ownBackups({ backups, contract, isOurs }: CopySources): Promise<Manifest[]> {
  const { manifests } = await backups();
  return manifests.filter((backup) => backup.contract === contract && isOurs(backup.source));
}

const backupName = ({ createdAt }: Manifest): string => `the backup of ${campusToday(new Date(createdAt))}`;
