/**
 * The limits on size, depth and number of everything that comes from outside, in one table. Input beyond a limit is a
 * damaged page or file, which is refused by name while it is read, before it takes much time or memory. Each limit is a
 * multiple of the values in real pages and exports.
 */
import { UpstreamBadResponse } from "./errors.ts";

const MB = 1024 * 1024;

export const LIMITS = {
  /** `levels` limits open elements, `attributes` those of one element. */
  html: { levels: 500, elements: 1_000_000, attributes: 500, allAttributes: 1_000_000 },
  /** `unknown` limits the names of elements and attributes that no parser knows. Documents cannot declare entities. */
  xml: { levels: 500, elements: 1_000_000, attributes: 500, allAttributes: 1_000_000, unknown: 1_000 },
  json: { levels: 100, values: 1_000_000 },
  /**
   * The calendar's tables: the lines of a cell, and the characters of a row's label with the labels of the rows above
   * it.
   */
  cell: { lines: 200, label: 2_000 },
  /** A longer row means that a quote was never closed. */
  rows: { bytes: MB, columns: 1_000, cells: 2_500_000 },
  /**
   * A decade of exports unpacks from about 6 MB to 60 MB. `ratio` is the compression ratio of entries over a megabyte.
   */
  workbook: { entries: 1_000, bytes: 200 * MB, ratio: 500, elements: 10_000_000, strings: 1_000_000 },
  /** Nested encodings of a body, such as gzip. UPSTREAM_MAX_MB limits its bytes. */
  body: { encodings: 1 },
} as const;

/** @param thing such as `page` @param what the items that are too many, in the plural */
export const beyondLimit = (system: string, thing: string, most: number, what: string): UpstreamBadResponse =>
  new UpstreamBadResponse(system, `the ${thing} is damaged: it has more than ${most} ${what}`);
