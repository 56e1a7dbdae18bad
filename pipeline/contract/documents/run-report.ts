/** `report.json`: the records that the last run read, kept and dropped, product by product, and why. */
import { z } from "zod";
import { PRODUCTS } from "./manifest.ts";

export const dropped = z.object({
  reason: z.string(),
  count: z.int(),
  /** The first records by name, such as `UG_Grades_2015-16.csv row 7: 2016 Winter 02001`. */
  names: z.array(z.string()),
});
export type Dropped = z.infer<typeof dropped>;

export const productReport = z.object({
  product: z.enum(PRODUCTS),
  status: z.enum(["published", "unchanged", "failed", "skipped"]),
  read: z.int(),
  kept: z.int(),
  dropped: z.array(dropped),
  noted: z.array(dropped),
  damaged: z.array(z.string()),
  /** Why it failed or was refused. */
  error: z.string().exactOptional(),
  ms: z.number(),
});
export type ProductReport = z.infer<typeof productReport>;

/** The store that the run publishes to besides the artifacts folder. */
export const storeReport = z.object({
  name: z.string(),
  /** The id of its current snapshot; null when it is empty or could not be reached. */
  snapshot: z.string().nullable(),
  problems: z.array(z.string()),
  /** Changes that another program had made to its tables and that the run undid; absent if there were none. */
  notes: z.array(z.string()).exactOptional(),
});
export type StoreReport = z.infer<typeof storeReport>;

/** The state of the backups after a run. */
export const backupReport = z.object({
  /** The campus day of the newest backup; null when there is none. */
  newest: z.string().nullable(),
  backups: z.int(),
  /** All objects of the backups together; shared ones count once. */
  bytes: z.number(),
  taken: z.boolean(),
  /** Damaged objects of the backups that were replaced from the published data. */
  repaired: z.array(z.string()),
  problems: z.array(z.string()),
  /**
   * True when this run had a problem, so that its exit status is 1; problems of the day's earlier runs are only
   * repeated.
   */
  failed: z.boolean(),
});
export type BackupReport = z.infer<typeof backupReport>;

export const runReport = z.object({
  mode: z.string(),
  source: z.record(z.string(), z.string()),
  startedAt: z.iso.datetime(),
  ms: z.number(),
  /** The id of the current snapshot; empty when there is none. */
  snapshot: z.string(),
  /** The snapshot from which the run started, and its damaged files; absent in older reports. */
  base: z
    .object({
      /** Null when no snapshot could be read. */
      generation: z.string().nullable(),
      /** Why it is not the current snapshot. */
      problem: z.string().exactOptional(),
      files: z.array(z.object({ path: z.string(), problem: z.string(), outcome: z.string() })),
    })
    .exactOptional(),
  /** False when the snapshot id stayed the same. */
  changed: z.boolean(),
  products: z.array(productReport),
  /** Systems that are gone, each with a line for people: they were not requested, and their published data stays. */
  closed: z.record(z.string(), z.string()).exactOptional(),
  disk: z.object({
    generations: z.int(),
    keptBytes: z.number(),
    freedBytes: z.number(),
    problems: z.array(z.string()).readonly(),
    /** `RETAIN`; absent in older reports. */
    retain: z.string().exactOptional(),
  }),
  /** Advice about disks that took no more data. It is for the operator: it names paths, and is not served. */
  advice: z.array(z.string()).exactOptional(),
  /** Why nothing was published. */
  withheld: z.string().exactOptional(),
  /** Migrations from an older contract version and restores from a backup. */
  history: z.object({ notes: z.array(z.string()), problems: z.array(z.string()) }).exactOptional(),
  backup: backupReport.exactOptional(),
  /** The store, if `PUBLISH_TO` is set. */
  store: storeReport.exactOptional(),
  /** True when a product failed or had damage: the exit status is 1. */
  failed: z.boolean(),
});
export type RunReport = z.infer<typeof runReport>;
