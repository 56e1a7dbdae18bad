import { campusToday } from "../contract/campus-time.ts";
import type { PipelineConfig, System } from "../settings/pipeline.ts";
import type { TermDates } from "../contract/rows/calendar.ts";
import type { CatalogueCourse } from "../contract/rows/course.ts";
import type { Source } from "../contract/rows/source.ts";
import type { DirectoryInstructor } from "../contract/rows/instructor.ts";
import {
  samePartition,
  type Freshness,
  type Partition,
  type Product,
  type WithheldPart,
} from "../contract/documents/manifest.ts";
import { PRODUCT_OF, type TableName } from "../contract/tables.ts";
import type { UnknownField } from "../contract/source-fields.ts";
import type { Term } from "../contract/vocabulary.ts";
import type { Forgotten } from "../forget/tombstones.ts";
import type { Log } from "../log.ts";
import type { Profiles } from "./guard/profile.ts";
import type { SchoolPage } from "../parse/schools-html.ts";
import type { Database } from "../store/database.ts";
import type { PublishedSnapshot } from "../store/published.ts";
import type { Staging } from "../publish/staging.ts";
import type { Tally } from "../contract/documents/tally.ts";
import type { EnrollmentFile } from "../sources/enrollment-files.ts";
import type { HashedClient } from "../sources/client/hashed-client.ts";
import type { Walked } from "../sources/client/page-walk.ts";

export type RunMode = "build" | "refresh";

/** The results of a run's steps so far, for the following steps and for publication. */
export interface Results {
  readonly calendar: readonly TermDates[];
  /** The courses that this run read; undefined when the published data stays. */
  readonly catalogue?: readonly CatalogueCourse[];
  readonly directory?: readonly DirectoryInstructor[];
  /** Terms that this run crawled and accepted. */
  readonly crawled: readonly AcceptedTerm[];
  /** The number of terms that this run left to later ones; undefined while the form is unread. */
  readonly olderTerms?: number;
  /** Exports and crawls of this run, for the table of sources. */
  readonly received: readonly Source[];
  /** Called in order after publication. */
  readonly afterPublish: readonly (() => Promise<void>)[];
}

export interface AcceptedTerm extends CrawledTermTimes {
  readonly term: Term;
  /** True when ended departments were requested. */
  readonly withEnded: boolean;
}

/** The results of a single step. Lists are appended to those of earlier steps. */
export interface StepResults extends Partial<Results> {
  /** Parts that failed. The product then counts as failed, but its other parts are published. */
  readonly failed?: readonly string[];
}

type SchoolPages = Promise<Walked<SchoolPage & { readonly school: string }>>;

export interface RunContext extends Results {
  readonly config: PipelineConfig;
  readonly mode: RunMode;
  readonly now: () => Date;
  /** The campus day when the run began. */
  readonly today: string;
  /**
   * The horizon of a run that is limited to the newest data, a campus day: terms that were over by then, and grades of
   * more than two years before, are left to later runs.
   */
  readonly since?: string | undefined;
  readonly log: Log;
  /** Called with the progress of a part of the product. */
  readonly onPart: (what: string, done: number, all: number) => void;
  /** The configured addresses, or those of the sample campus. */
  readonly addresses: Readonly<Partial<Record<System, URL>>>;
  /** The source for the manifest and the landing: an address without its secrets, or the sample campus. */
  readonly sourceName: (system: System) => string;
  /** The files of the source, besides those in `data/enrollment/`. */
  readonly enrollmentFiles: readonly EnrollmentFile[];
  readonly client: (system: System) => HashedClient;
  readonly staging: Staging;
  readonly database: Database;
  readonly landingFolder: string;
  /** The take-down list, whose data must not come back. */
  readonly forgotten?: Forgotten | undefined;
  /** The freshness as of before this run. */
  readonly freshness: Freshness;
  /** True when the base is older than the current generation: results of later runs may be lost. */
  readonly isBehind: boolean;
  /**
   * True in a build and in the first run of a campus day: then everything is derived again, as another version of this
   * program may derive it differently. Other runs reuse what earlier ones derived from equal inputs.
   */
  readonly isThorough: boolean;
  /** The base and the earlier snapshots with data of the same campus, newest first; read once per run. */
  readonly earlier: () => Promise<readonly PublishedSnapshot[]>;
  /** Parts (`sections 2024 Fall`) that this run accepted against a guard. */
  readonly accepted: Set<string>;
  /** Parts that this run refused, by title, with the reasons. */
  readonly withheld: Map<string, RefusedPart>;
  /** The profiles of the files that this run compared. */
  readonly profiles: Profiles;
  /** The unknown fields beside the parts that this run staged, or that did not change, by title. */
  readonly remembered: Map<string, readonly UnknownField[]>;
  /** The schools' pages, which the first call reads, once per run. */
  readonly schoolPages: (read: () => SchoolPages) => SchoolPages;
}

export type RefusedPart = Omit<WithheldPart, "since">;

export interface CrawledTermTimes {
  /** When the crawl began, by this machine's clock. */
  readonly startedAt: string;
  /** The latest Date header of the upstream during the run; undefined if there was none. */
  readonly upstreamDate?: string;
}

export interface ProductStep {
  readonly product: Product;
  /** The source of its tables; absent if they are derived from the data of other products. */
  readonly system?: System;
  /**
   * Its tables start empty when the system is that of another campus than before, and revert to the published version
   * when the step fails.
   */
  readonly tables: readonly TableName[];
  /** True to keep the parts that it staged before it failed, because every term is independent. */
  readonly keepsParts?: boolean;
  /** True when the step has work in this run. */
  readonly plan: (context: RunContext) => Promise<boolean> | boolean;
  /** Runs the step. @throws when the whole product fails; its staged parts are then discarded */
  readonly run: (context: RunContext, tally: Tally) => Promise<StepResults>;
}

/** A crawl of this run as the source of a table; empty when nothing was fetched. */
export function crawlSource(
  { client, sourceName }: RunContext,
  system: System,
  { tableName, partition = {}, rows }: { tableName: TableName; partition?: Partition; rows: number },
): Source[] {
  const crawl = client(system).received();
  const { year = null, quarter = null } = partition;
  return crawl ? [{ system, name: sourceName(system), tableName, year, quarter, ...crawl, rows }] : [];
}

export const HOUR_MS = 3_600_000;

/** The freshness names the next planned run, an hour after the last one. */
export function isFirstOfDay({ nextRefresh }: Freshness, today: string): boolean {
  const lastRun = nextRefresh === null ? NaN : Date.parse(nextRefresh) - HOUR_MS;
  return !Number.isFinite(lastRun) || campusToday(new Date(lastRun)) !== today;
}

export const WEEK_MS = 7 * 86_400_000;
export const DAY_MS = 86_400_000;

/**
 * An incomplete product is checked again after this fraction of its interval: the next day instead of the next week.
 */
const SOONER = 7;

/**
 * True when a product is checked in this run: the last check is older than `ms`, or there was none, or it is in the
 * future because the clock was ahead. In a build, and when its published data is damaged or may be lost, its age does
 * not count.
 */
export function isDue({ freshness, isBehind, mode, now, staging }: RunContext, product: Product, ms: number): boolean {
  if (mode === "build" || isBehind) return true;
  if (staging.lost().some(({ table }) => PRODUCT_OF[table as TableName] === product)) return true;
  const last = freshness.products[product];
  const most = freshness.incomplete?.includes(product) ? ms / SOONER : ms;
  if (last === undefined) return true;
  const age = now().getTime() - Date.parse(last);
  return age < 0 || age >= most;
}

/** True when a published partition is damaged. It must be replaced as a whole, because nothing can be kept. */
export const isDamaged = ({ staging }: RunContext, table: TableName, partition: Partition = {}): boolean =>
  staging.lost().some((file) => file.table === table && samePartition(file.partition, partition));
