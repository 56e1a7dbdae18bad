/** What every product of a run works with. */
import type { PipelineConfig, System } from "../config.ts";
import type { TermDates } from "../contract/calendar.ts";
import type { CatalogueCourse } from "../contract/course.ts";
import type { DirectoryInstructor } from "../contract/instructor.ts";
import type { Freshness, Product } from "../contract/manifest.ts";
import type { Term } from "../contract/vocabulary.ts";
import type { Log } from "../log.ts";
import type { SchoolPage } from "../parse/schools-html.ts";
import type { Progress } from "../progress.ts";
import type { Database } from "../publish/database.ts";
import type { Staging } from "../publish/staging.ts";
import type { Tally } from "../report.ts";
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

/** Whether a product was last looked at longer than `ms` ago, or never; what was damaged then is old sooner. */
export function isOlderThan({ freshness, now }: RunContext, product: Product, ms: number): boolean {
  const last = freshness.products[product];
  const most = freshness.incomplete?.includes(product) ? ms / SOONER : ms;
  return last === undefined || now().getTime() - Date.parse(last) >= most;
}
