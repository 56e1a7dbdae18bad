/** The versions of a partition that staged rows are compared with. */
import { join } from "node:path";
import { campusToday } from "../../contract/campus-time.ts";
import { samePart, type Partition, type PublishedFile } from "../../contract/documents/manifest.ts";
import { tableRows } from "../../contract/sql-text.ts";
import { type TableName, TABLES } from "../../contract/tables.ts";
import { isSound } from "../../store/file-check.ts";
import { partitionTitle } from "../../store/layout.ts";
import { type RunContext, WEEK_MS } from "../context.ts";

/** A partition of a published table. */
export interface PublishedPart {
  readonly table: TableName;
  readonly partition: Partition;
}

/** A version of the partition; `from` is its rows as a relation. */
export interface Reference {
  readonly from: string;
  readonly path: string;
  readonly sha256: string;
}

export interface RetainedFile extends Reference {
  readonly file: PublishedFile;
  readonly snapshot: string;
  /** When the newest and the oldest retained snapshot with this content were published. */
  readonly createdAt: string;
  readonly since: string;
}

/** The files of the partition in all retained snapshots, the published one first, without repeated contents. */
export async function retainedFiles(context: RunContext, part: PublishedPart): Promise<RetainedFile[]> {
  const files = new Map<string, RetainedFile>();
  for (const { folder, manifest } of await context.earlier()) {
    const file = manifest.files.find((candidate) => samePart(candidate, part));
    if (!file) continue;
    const path = join(folder, file.path);
    const { createdAt, id: snapshot } = manifest;
    const from = tableRows(TABLES[part.table], [path]);
    const newest = files.get(file.sha256) ?? { from, sha256: file.sha256, file, path, createdAt, snapshot };
    files.set(file.sha256, { ...newest, since: createdAt });
  }
  return [...files.values()];
}

/** The published version, or, if it is damaged, the newest sound retained one. */
export async function soundVersion(context: RunContext, part: PublishedPart): Promise<Reference | undefined> {
  const { staging } = context;
  const file = staging.find(part.table, part.partition);
  if (!file) return undefined;
  const [path] = staging.paths(part.table, part.partition);
  if (path !== undefined) return { from: tableRows(TABLES[part.table], [path]), path, sha256: file.sha256 };
  for (const retained of await retainedFiles(context, part))
    if (await isSound(retained.path, retained.file, staging.disk)) return retained;
  return undefined;
}

/** True when the part is published and no retained version of it is sound. */
export const isLost = async (context: RunContext, part: PublishedPart): Promise<boolean> =>
  context.staging.find(part.table, part.partition) !== undefined && (await soundVersion(context, part)) === undefined;

/** The rows of the sound version, as a relation; empty without a sound version. */
export const soundRows = async (context: RunContext, part: PublishedPart): Promise<string> =>
  (await soundVersion(context, part))?.from ?? tableRows(TABLES[part.table], []);

/** An accepted version is not compared with versions before it. */
export function isOfLastDays({ freshness, now }: RunContext, part: PublishedPart): (file: RetainedFile) => boolean {
  const since = new Date(now().getTime() - WEEK_MS).toISOString();
  const accepted = freshness.accepted?.[partitionTitle(part)] ?? "";
  return ({ createdAt }) => createdAt >= since && createdAt > accepted;
}

/**
 * The newest sound version; for the last seven days, the last version of each campus day, newest first, and the oldest.
 * Empty when no version is sound.
 */
export async function referencesOf(context: RunContext, part: PublishedPart): Promise<Reference[]> {
  const newest = await soundVersion(context, part);
  if (!newest) return [];
  const files = (await retainedFiles(context, part)).filter(isOfLastDays(context, part));
  const days = new Map(files.toReversed().map((retained) => [campusToday(new Date(retained.createdAt)), retained]));
  const references = [newest, ...[...days.values()].toReversed(), ...files.slice(-1)];
  return references.filter(({ sha256 }, i) => references.findIndex((other) => other.sha256 === sha256) === i);
}

/** The latest similar partition, for a partition that was never published. */
export function comparableOf({ staging }: RunContext, part: PublishedPart): PublishedPart | undefined {
  const { year = "", quarter } = part.partition;
  const others = staging
    .files()
    .filter(({ table, rows }) => table === part.table && rows > 0)
    .filter(({ partition }) => partition.quarter === quarter && (partition.year ?? "") < year)
    .sort((a, b) => Number(a.partition.year) - Number(b.partition.year));
  const last = others.at(-1);
  return last && { table: part.table, partition: last.partition };
}
