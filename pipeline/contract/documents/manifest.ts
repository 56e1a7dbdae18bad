/** The manifest of a generation, and the freshness file with the time of each product's last successful check. */
import { z } from "zod";
import { unknownField } from "../source-fields.ts";
import { QUARTERS } from "../vocabulary.ts";

/** The products of a run in build order; each may fail alone. `history` joins courses and people with our own sections, `enrollment` records the day. */
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
  /** The name of a table, or of other rows: `views/<view>` or `empty/<table>`. */
  table: z.string(),
  partition,
  /** The key of the object: where it is in a store, and in a checkout. */
  path: z.string(),
  sha256,
  rows: z.int(),
  bytes: z.int(),
  /** Hashes what a file of a view or of an empty table is made of. The file is made again when this differs. */
  madeOf: sha256.exactOptional(),
});
export type PublishedFile = z.infer<typeof publishedFile>;

/** True for files of views and of empty tables, which are made from the tables' files. No id covers them. */
export const isMade = ({ table }: Pick<PublishedFile, "table">): boolean => table.includes("/");

/** The order of files in a manifest: equal snapshots have equal bytes in every store. */
export const byPath = (a: Pick<PublishedFile, "path">, b: Pick<PublishedFile, "path">): number =>
  a.path < b.path ? -1 : 1;

/** An earlier snapshot: it was served from `createdAt` until `replacedAt`. */
export const earlierSnapshot = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  generation: z.int(),
  createdAt: z.iso.datetime(),
  replacedAt: z.iso.datetime(),
  /** Set for a snapshot that is retained for good. */
  isKept: z.literal(true).exactOptional(),
});
export type EarlierSnapshot = z.infer<typeof earlierSnapshot>;

export const manifest = z.object({
  contract: z.int(),
  /** The snapshot id: hashes the tables' files but `changes` and `sources`, so that equal data has equal ids. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  /** A hash over the files of the tables of facts: equal inputs have equal ones, whenever they were crawled. */
  contentId: z.string().regex(/^[0-9a-f]{16}$/),
  generation: z.int(),
  createdAt: z.iso.datetime(),
  /** Where the data came from: `sample campus`, or the addresses that were crawled, by product. */
  source: z.record(z.string(), z.string()),
  /** A hash over the `changes` files of the generation before; null without any. The id covers it, because rows of `changes` name the id. */
  changesBefore: sha256.nullable(),
  /** The mark of what was taken down before it was published, or was rewritten; absent where nothing ever was. */
  forgotten: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .exactOptional(),
  /** When the last take-down was applied: responses count as modified then. */
  forgottenAt: z.iso.datetime().exactOptional(),
  files: z.array(publishedFile),
});
export type Manifest = z.infer<typeof manifest>;

/** A part that a guard refused: what is published of it stays until the upstream comes to itself or an operator accepts the ids. */
export const withheldPart = z.object({
  /** For people: `sections 2024 Fall`. */
  title: z.string(),
  table: z.string(),
  partition,
  /** When what is published of it was last checked and found right. */
  since: z.iso.datetime(),
  reasons: z.array(z.object({ id: z.string(), text: z.string() })),
});
export type WithheldPart = z.infer<typeof withheldPart>;

/** What an operator types to accept these reasons in one run. */
export const acceptanceLine = (reasons: readonly { readonly id: string }[]): string =>
  `ALLOW_SHRINK=${[...new Set(reasons.map(({ id }) => id))].join(",")} make refresh`;

/**
 * `freshness.json`: written after every successful check of the upstream, also when nothing changed.
 * Times are ISO 8601 in UTC; `terms` is keyed by term name (`2024 Fall`).
 */
export const freshness = z.object({
  products: z.record(z.string(), z.iso.datetime()),
  terms: z.record(z.string(), z.iso.datetime()),
  /** When the departments that the form marks as ended were asked for in a term, by term name. */
  endedDepartments: z.record(z.string(), z.iso.datetime()).exactOptional(),
  /** Products with damage at that check: they are checked again sooner. */
  incomplete: z.array(z.string()).exactOptional(),
  /** When a part (`sections 2024 Fall`) was last accepted although a guard spoke: it is not compared with anything before. */
  accepted: z.record(z.string(), z.iso.datetime()).exactOptional(),
  /** What stood unread beside a part when its published version was made, by part. */
  remembered: z.record(z.string(), z.array(unknownField).readonly()).exactOptional(),
  /** What the last run of each part refused. */
  withheld: z.array(withheldPart).exactOptional(),
  /** Systems that the last run took for gone, each with a line for people. */
  closed: z.record(z.string(), z.string()).exactOptional(),
  /** When the next hourly run is planned. */
  nextRefresh: z.iso.datetime().nullable(),
});
export type Freshness = z.infer<typeof freshness>;
