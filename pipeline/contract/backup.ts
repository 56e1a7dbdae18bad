/** `data/backup/<day>.json`: one backup of what cannot be fetched again. The files it names stand beside it, `files/<sha256>.parquet`. */
import { z } from "zod";
import { publishedFile } from "./manifest.ts";

export const backupList = z.object({
  contract: z.int().min(1),
  createdAt: z.iso.datetime(),
  /** The snapshot that was in service. */
  snapshot: z.string().regex(/^[0-9a-f]{16}$/),
  /** As in the manifest: the history of one campus must not come to stand beside another's data. */
  source: z.record(z.string(), z.string()).default({}),
  files: z.array(publishedFile),
  /** What was damaged when this backup was taken, in older ones: told until the next one is. */
  problems: z.array(z.string()).default([]),
});
export type BackupList = z.infer<typeof backupList>;

/** Of the backups after a run. */
export const backupReport = z.object({
  /** The newest day of which there is a backup; null where there is none. */
  newest: z.string().nullable(),
  backups: z.int(),
  /** Of all files together; a file that several backups name is there once. */
  bytes: z.number(),
  /** True where this run took one. */
  taken: z.boolean(),
  /** Damaged files of backups that were copied from the published data again. */
  repaired: z.array(z.string()),
  /** What failed, and what is damaged. */
  problems: z.array(z.string()),
  /** True where this run met a problem: the exit status is 1. What an earlier run of the day met is told again, and no more. */
  failed: z.boolean(),
});
export type BackupReport = z.infer<typeof backupReport>;
