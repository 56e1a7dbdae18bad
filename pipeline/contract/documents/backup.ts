/** `data/backup/<day>.json`: a backup of the data that cannot be fetched again. Its files are in `files/<sha256>.parquet`. */
import { z } from "zod";
import { CONTRACT_VERSION } from "../tables.ts";
import { publishedFile } from "./manifest.ts";

export const backupList = z.object({
  /** Lists of versions that this program does not read are left alone. */
  contract: z.int().max(CONTRACT_VERSION),
  createdAt: z.iso.datetime(),
  /** The id of the current snapshot. */
  snapshot: z.string().regex(/^[0-9a-f]{16}$/),
  /** As in its manifest. */
  changesBefore: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  /** As in the manifest: a history must not be restored beside another campus's data. */
  source: z.record(z.string(), z.string()),
  files: z.array(publishedFile),
  /** Damage in older backups, found when this one was taken. */
  problems: z.array(z.string()),
});
export type BackupList = z.infer<typeof backupList>;

/** The state of the backups after a run. */
export const backupReport = z.object({
  /** The day of the newest backup; null when there is none. */
  newest: z.string().nullable(),
  backups: z.int(),
  /** All backup files together; shared files count once. */
  bytes: z.number(),
  taken: z.boolean(),
  /** Damaged backup files that were replaced from the published data. */
  repaired: z.array(z.string()),
  problems: z.array(z.string()),
  /** This run had a problem, so its exit status is 1; problems of earlier runs of the day are only repeated. */
  failed: z.boolean(),
});
export type BackupReport = z.infer<typeof backupReport>;
