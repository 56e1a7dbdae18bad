/** The versions of a partition that staged rows are compared with. */
import { join } from "node:path";
import { campusToday } from "../../contract/campus-time.ts";
import type { Partition, PublishedFile } from "../../contract/documents/manifest.ts";
import { tableRows } from "../../contract/sql-text.ts";
import { type TableName, TABLES } from "../../contract/tables.ts";
import { isSound } from "../../store/file-check.ts";
import { partitionTitle, samePart } from "../../store/layout.ts";
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

/** What every retained snapshot held of the partition, the published one first, each content once. */
export async function retainedFiles(context: RunContext, part: PublishedPart): Promise<RetainedFile[]> {
  const found = new Map<string, RetainedFile>();
  for (const { folder, manifest } of await context.earlier()) {
    const file = manifest.files.find((one) => samePart(one, part));
    if (!file) continue;
    const path = join(folder, file.path);
    const { createdAt, id: snapshot } = manifest;
    const from = tableRows(TABLES[part.table], [path]);
    const newest = found.get(file.sha256) ?? { from, sha256: file.sha256, file, path, createdAt, snapshot };
    found.set(file.sha256, { ...newest, since: createdAt });
  }
  return [...found.values()];
}

/** The published version, or where it is damaged the newest sound one that is retained. */
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

/** Whether the part is published and no retained version of it is sound. */
export const isLost = async (context: RunContext, part: PublishedPart): Promise<boolean> =>
  context.staging.find(part.table, part.partition) !== undefined && (await soundVersion(context, part)) === undefined;

/** The rows of the sound version, as a relation; none where there is no sound version. */
export const soundRows = async (context: RunContext, part: PublishedPart): Promise<string> =>
  (await soundVersion(context, part))?.from ?? tableRows(TABLES[part.table], []);

/** What was accepted once is not compared with what was before it. */
export function isOfLastDays({ freshness, now }: RunContext, part: PublishedPart): (file: RetainedFile) => boolean {
  const since = new Date(now().getTime() - WEEK_MS).toISOString();
  const accepted = freshness.accepted?.[partitionTitle(part)] ?? "";
  return ({ createdAt }) => createdAt >= since && createdAt > accepted;
}

/** The newest sound version; of the last seven days the last version of each campus day, newest first, and the oldest. None where no version is sound. */
export async function referencesOf(context: RunContext, part: PublishedPart): Promise<Reference[]> {
  const newest = await soundVersion(context, part);
  if (!newest) return [];
  const files = (await retainedFiles(context, part)).filter(isOfLastDays(context, part));
  const days = new Map(files.toReversed().map((one) => [campusToday(new Date(one.createdAt)), one]));
  const references = [newest, ...[...days.values()].toReversed(), ...files.slice(-1)];
  return references.filter(({ sha256 }, i) => references.findIndex((one) => one.sha256 === sha256) === i);
}

/** For a partition that was never published: the latest one like it. */
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
