/** What every product of a run works with. */
import type { PipelineConfig, System } from "../config.ts";
import type { TermDates } from "../contract/calendar.ts";
import type { CatalogueCourse } from "../contract/course.ts";
import type { DirectoryInstructor } from "../contract/instructor.ts";
import type { Freshness, Partition, Product } from "../contract/manifest.ts";
import { PRODUCT_OF, type TableName } from "../contract/tables.ts";
import type { Term } from "../contract/vocabulary.ts";
import type { Log } from "../log.ts";
import type { SchoolPage } from "../parse/schools-html.ts";
import type { Progress } from "../crawl/progress.ts";
import type { Database } from "../publish/database.ts";
import { samePartition } from "../publish/layout.ts";
import type { Staging } from "../publish/staging.ts";
import type { Tally } from "../contract/tally.ts";
import type { Client } from "../sources/http.ts";
import type { Walked } from "../sources/page-walk.ts";

export type RunMode = "build" | "refresh";

export interface RunContext {
  readonly config: PipelineConfig;
  readonly mode: RunMode;
  readonly now: () => Date;
  /** The campus's calendar day when the run began. */
  readonly today: string;
  readonly log: Log;
  readonly progress: Progress;
  /** The configured addresses, or the embedded campus's. */
  readonly addresses: Readonly<Partial<Record<System, URL>>>;
  /** How a source is called in the manifest and in landings: an address without its secrets, or the sample campus. */
  readonly sourceName: (system: System) => string;
  readonly client: (system: System) => Client;
  readonly staging: Staging;
  readonly database: Database;
  /** `data/landing`. */
  readonly landingFolder: string;
  /** When each product was last looked at, before this run. */
  readonly freshness: Freshness;
  /** The run starts from an older generation than the one in service: what was looked at since then may be lost. */
  readonly isBehind: boolean;
  /** The calendar as it will be published; filled by the calendar product. */
  calendar: readonly TermDates[];
  /** What this run read of the catalogue and the directory; undefined = what is published stays. */
  catalogue?: readonly CatalogueCourse[];
  directory?: readonly DirectoryInstructor[];
  /** The schools' pages, read once a run. */
  schools?: Promise<Walked<SchoolPage & { readonly school: string }>>;
  /** Terms that this run crawled and accepted, with the start of their crawl. */
  readonly crawled: { term: Term; startedAt: string }[];
  /** Runs after the flip, in order: what was published need not be fetched again. */
  readonly afterPublish: (() => Promise<void>)[];
}

/** One product's part of a run. */
export interface ProductStep {
  readonly product: Product;
  /** Undefined = has nothing to do in this run. */
  readonly plan: (context: RunContext) => Promise<boolean> | boolean;
  /** @throws when the product as a whole fails: what it staged is then taken back */
  readonly run: (context: RunContext, tally: Tally) => Promise<void>;
}

export const WEEK_MS = 7 * 86_400_000;
export const DAY_MS = 86_400_000;

/** What came out in part only is looked at again after this part of its time: the next day instead of the next week. */
const SOONER = 7;

/**
 * Whether a product is looked at in this run: it was last looked at longer than `ms` ago, or never; what was damaged then is old sooner. In a build, and where
 * what was published of it is damaged or may be lost, its age does not count.
 */
export function isDue({ freshness, isBehind, mode, now, staging }: RunContext, product: Product, ms: number): boolean {
  if (mode === "build" || isBehind) return true;
  if (staging.damaged().some(({ table }) => PRODUCT_OF[table as TableName] === product)) return true;
  const last = freshness.products[product];
  const most = freshness.incomplete?.includes(product) ? ms / SOONER : ms;
  return last === undefined || now().getTime() - Date.parse(last) >= most;
}

/** Whether a partition was published and is damaged: it has to come back whole, for there is nothing to keep in its place. */
export const isDamaged = ({ staging }: RunContext, table: TableName, partition: Partition = {}): boolean =>
  staging.damaged().some((file) => file.table === table && samePartition(file.partition, partition));
