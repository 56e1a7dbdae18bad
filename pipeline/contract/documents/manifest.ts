/** The manifest of a snapshot, and the freshness file with the time of each product's last successful check. */
import { z } from "zod";
import { unknownField } from "../source-fields.ts";
import { QUARTERS } from "../vocabulary.ts";

/**
 * The products of a run in build order; each may fail alone. `history` joins courses and people with the crawled
 * sections, `enrollment` records the day.
 */
export const PRODUCTS = [
  "calendar",
  "schedule",
  "grades",
  "catalogue",
  "instructors",
  "larc",
  "history",
  "enrollment",
] as const;
export type Product = (typeof PRODUCTS)[number];

/** The partition of a file; `{}` for an unpartitioned table. */
export const partition = z.object({
  year: z.string().optional(),
  quarter: z.enum(QUARTERS).optional(),
  /** `2024-09`. */
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .optional(),
});
export type Partition = z.infer<typeof partition>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const publishedFile = z.object({
  /** The name of a table, or of derived rows: `views/<view>` or `empty/<table>`. */
  table: z.string(),
  partition,
  /** The key of the object, which is its path in a store and in a checkout. */
  path: z.string(),
  sha256,
  rows: z.int(),
  bytes: z.int(),
  /** A hash of the inputs of a view's or an empty table's file. The file is rebuilt when the hash changes. */
  madeOf: sha256.exactOptional(),
});
export type PublishedFile = z.infer<typeof publishedFile>;

/** True for files of views and of empty tables, which are built from the tables' files. No id covers them. */
export const isMade = ({ table }: Pick<PublishedFile, "table">): boolean => table.includes("/");

/** The order of files in a manifest: equal snapshots have equal bytes in every store. */
export const byPath = (a: Pick<PublishedFile, "path">, b: Pick<PublishedFile, "path">): number =>
  a.path < b.path ? -1 : 1;

/** An earlier snapshot, which was served from `createdAt` until `replacedAt`. */
export const earlierSnapshot = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  generation: z.int(),
  createdAt: z.iso.datetime(),
  replacedAt: z.iso.datetime(),
  /** True for a snapshot that is retained forever. */
  isKept: z.literal(true).exactOptional(),
});
export type EarlierSnapshot = z.infer<typeof earlierSnapshot>;

export const manifest = z.object({
  contract: z.int(),
  /** The snapshot id: a hash of the tables' files except `changes` and `sources`, so that equal data has equal ids. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  /** A hash of the files of the fact tables: equal inputs yield equal hashes, whenever they were crawled. */
  contentId: z.string().regex(/^[0-9a-f]{16}$/),
  generation: z.int(),
  createdAt: z.iso.datetime(),
  /** The source of the data by product: `sample campus`, or the crawled addresses. */
  source: z.record(z.string(), z.string()),
  /**
   * A hash of the `changes` files of the previous snapshot; null if it has none. The id covers it, because rows of
   * `changes` refer to the id.
   */
  changesBefore: sha256.nullable(),
  /** The mark of what was taken down before publication, or was rewritten; absent if there was never a take-down. */
  forgotten: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .exactOptional(),
  /** The time when the last take-down was applied, from which on responses count as modified. */
  forgottenAt: z.iso.datetime().exactOptional(),
  files: z.array(publishedFile),
});
export type Manifest = z.infer<typeof manifest>;

/**
 * A part that a guard refused: its published version stays until the upstream recovers or an operator accepts the ids.
 */
export const withheldPart = z.object({
  /** The title for people: `sections 2024 Fall`. */
  title: z.string(),
  table: z.string(),
  partition,
  /** The time of the last check that accepted the published version. */
  since: z.iso.datetime(),
  reasons: z.array(z.object({ id: z.string(), text: z.string() })),
});
export type WithheldPart = z.infer<typeof withheldPart>;

/** The command line by which an operator accepts these reasons in one run. */
export const acceptanceLine = (reasons: readonly { readonly id: string }[]): string =>
  `ALLOW_SHRINK=${[...new Set(reasons.map(({ id }) => id))].join(",")} make refresh`;

/**
 * `freshness.json`: written after every successful check of the upstream, even if nothing changed. Times are ISO 8601
 * in UTC; `terms` is keyed by term name (`2024 Fall`).
 */
export const freshness = z.object({
  products: z.record(z.string(), z.iso.datetime()),
  terms: z.record(z.string(), z.iso.datetime()),
  /** The time when the departments that the form marks as ended were last requested in a term, by term name. */
  endedDepartments: z.record(z.string(), z.iso.datetime()).exactOptional(),
  /** Products with damage at that check, which are checked again sooner. */
  incomplete: z.array(z.string()).exactOptional(),
  /**
   * The time when a part (`sections 2024 Fall`) was last accepted against a guard; it is not compared with anything
   * older.
   */
  accepted: z.record(z.string(), z.iso.datetime()).exactOptional(),
  /** Unknown fields beside a part when its published version was built, by part. */
  remembered: z.record(z.string(), z.array(unknownField).readonly()).exactOptional(),
  /** The parts that their last run refused. */
  withheld: z.array(withheldPart).exactOptional(),
  /** Systems that the last run considered gone, each with a line for people. */
  closed: z.record(z.string(), z.string()).exactOptional(),
  /**
   * The number of terms that a limited run left to later ones. Present, also as 0, while a first build is unfinished.
   */
  olderTerms: z.int().exactOptional(),
  /** Identifies the program of the last run: another one derives everything again. */
  program: z.string().exactOptional(),
  /** The time of the next hourly run. */
  nextRefresh: z.iso.datetime().nullable(),
});
export type Freshness = z.infer<typeof freshness>;

/** True when two files hold the same partition of the same table. */
export const samePart = (
  a: Pick<PublishedFile, "table" | "partition">,
  b: Pick<PublishedFile, "table" | "partition">,
): boolean => a.table === b.table && samePartition(a.partition, b.partition);

export function samePartition(a: Partition, b: Partition): boolean {
  return a.year === b.year && a.quarter === b.quarter && a.month === b.month;
}
