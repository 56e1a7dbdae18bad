/**
 * How large, how deep and how many the parts of what comes from outside may be: one table. What is beyond is a damaged page or file, refused by name while it
 * is read, before it takes much time or memory. Each limit is a multiple of what real pages and exports have.
 */
import { UpstreamBadResponse } from "./errors.ts";

const MB = 1024 * 1024;

export const LIMITS = {
  /** `levels` are open elements, `attributes` those of one element. */
  html: { levels: 500, elements: 1_000_000, attributes: 500, allAttributes: 1_000_000 },
  /** `unknown` are names of elements and attributes that no parser knows. Entities are never declared by a document. */
  xml: { levels: 500, elements: 1_000_000, attributes: 500, allAttributes: 1_000_000, unknown: 1_000 },
  json: { levels: 100, values: 1_000_000 },
  /** Of the calendar's tables: the lines of a cell, and the characters of a row's label with those of the rows above it. */
  cell: { lines: 200, label: 2_000 },
  /** A longer row means that a quote was never closed. */
  rows: { bytes: MB, columns: 1_000, cells: 2_500_000 },
  /** A decade of exports unpacks to about 60 MB, a tenth of which is what it was packed to. `ratio` is that of parts over a megabyte. */
  workbook: { entries: 1_000, bytes: 200 * MB, ratio: 500, elements: 10_000_000, strings: 1_000_000 },
  /** Encodings of one body, such as gzip, one over the other. Its bytes: UPSTREAM_MAX_MB. */
  body: { encodings: 1 },
} as const;

/** @param thing such as `page` @param what is too many, in the plural */
export const beyondLimit = (system: string, thing: string, most: number, what: string): UpstreamBadResponse =>
  new UpstreamBadResponse(system, `the ${thing} is damaged: it has more than ${most} ${what}`);
