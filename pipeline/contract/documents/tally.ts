/** The build report: the records that each product read, kept and dropped, why, and how long it took. */
import { reportedText } from "../reported-text.ts";
import type { Product } from "./manifest.ts";
import type { Dropped, ProductReport } from "./run-report.ts";

/** Names beyond this number are only counted. */
const NAMES_PER_REASON = 50;

/** Counts the records of a product for the build report. */
export interface Tally {
  read(count?: number): void;
  keep(count?: number): void;
  /** A record that is not published; `name` identifies it in its source. */
  drop(reason: string, name: string): void;
  /** A record that is published in spite of an oddity. */
  note(reason: string, name: string): void;
  /** A damaged file or page: the rest of the product is published, the run's exit status becomes 1. */
  damage(what: string): void;
}

export function createTally(
  product: Product,
): Tally & { report(status: ProductReport["status"], ms: number, error?: string): ProductReport } {
  let readCount = 0;
  let keptCount = 0;
  const dropped = new Map<string, Dropped>();
  const noted = new Map<string, Dropped>();
  const damaged: string[] = [];
  const add = (to: Map<string, Dropped>, reason: string, name: string) => {
    const entry = to.get(reason) ?? { reason, count: 0, names: [] };
    entry.count++;
    if (entry.names.length < NAMES_PER_REASON) entry.names.push(reportedText(name));
    to.set(reason, entry);
  };
  return {
    read: (count = 1) => void (readCount += count),
    keep: (count = 1) => void (keptCount += count),
    drop: (reason, name) => add(dropped, reason, name),
    note: (reason, name) => add(noted, reason, name),
    damage: (what) => void damaged.push(reportedText(what)),
    report: (status, ms, error) => ({
      product,
      status,
      read: readCount,
      kept: keptCount,
      dropped: [...dropped.values()],
      noted: [...noted.values()],
      damaged,
      ...(error === undefined ? {} : { error }),
      ms: Math.round(ms),
    }),
  };
}
