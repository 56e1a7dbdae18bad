/** The versions of a partition that staged rows are compared with. */
import { join } from "node:path";
import { campusToday } from "../../contract/campus-time.ts";
import type { Partition } from "../../contract/documents/manifest.ts";
import { tableRows } from "../../contract/sql-text.ts";
import { type TableName, TABLES } from "../../contract/tables.ts";
import { partitionTitle, samePart } from "../../generations/layout.ts";
import { type RunContext, WEEK_MS } from "../context.ts";

/** A partition of a published table. */
export interface PublishedPart {
  readonly table: TableName;
  readonly partition: Partition;
}

/** A version of the partition; `from` is its rows as a relation. */
export interface Reference {
  readonly from: string;
  readonly sha256: string;
  readonly createdAt: string;
  readonly snapshot: string;
}

export interface RetainedFile extends Reference {
  readonly rows: number;
  /** When the oldest retained snapshot with this content was published; `createdAt` is that of the newest. */
  readonly since: string;
}

/** What every retained snapshot held of the partition, the published one first, each content once. */
export async function retainedFiles(context: RunContext, part: PublishedPart): Promise<RetainedFile[]> {
  const found = new Map<string, RetainedFile>();
  for (const { folder, manifest } of await context.earlier()) {
    const file = manifest.files.find((one) => samePart(one, part));
    if (!file) continue;
    const from = tableRows(TABLES[part.table], [join(folder, file.path)]);
    const { sha256, rows } = file;
    const { createdAt, id: snapshot } = manifest;
    const newest = found.get(sha256) ?? { from, sha256, rows, createdAt, snapshot };
    found.set(sha256, { ...newest, since: createdAt });
  }
  return [...found.values()];
}

/** What was accepted once is not compared with what was before it. */
export function isOfLastDays({ freshness, now }: RunContext, part: PublishedPart): (file: RetainedFile) => boolean {
  const since = new Date(now().getTime() - WEEK_MS).toISOString();
  const accepted = freshness.accepted?.[partitionTitle(part)] ?? "";
  return ({ createdAt }) => createdAt >= since && createdAt > accepted;
}

/** The published rows; of the last seven days the last version of each campus day, and the oldest. */
export async function referencesOf(context: RunContext, part: PublishedPart): Promise<Reference[]> {
  const { staging } = context;
  const { table, partition } = part;
  const [path] = staging.paths(table, partition);
  const file = staging.find(table, partition);
  if (!file || path === undefined) return [];
  const published = { from: tableRows(TABLES[table], [path]), sha256: file.sha256, createdAt: "", snapshot: "" };
  const files = (await retainedFiles(context, part)).filter(isOfLastDays(context, part));
  const days = new Map(files.toReversed().map((one) => [campusToday(new Date(one.createdAt)), one]));
  const references = [published, ...days.values(), ...files.slice(-1)];
  return [...new Map(references.toReversed().map((one) => [one.sha256, one])).values()].toReversed();
}

/** For a partition that was never published: the latest one like it. */
export function comparableOf({ staging }: RunContext, part: PublishedPart): Reference[] {
  const { year, quarter } = part.partition;
  if (year === undefined) return [];
  const others = staging
    .files()
    .filter(({ table, rows }) => table === part.table && rows > 0)
    .filter(({ partition }) => partition.quarter === quarter && (partition.year ?? "") < year)
    .sort((a, b) => Number(a.partition.year) - Number(b.partition.year));
  const last = others.at(-1);
  if (!last) return [];
  const from = tableRows(TABLES[part.table], staging.paths(part.table, last.partition));
  return [{ from, sha256: last.sha256, createdAt: "", snapshot: "" }];
}
