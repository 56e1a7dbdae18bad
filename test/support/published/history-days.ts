/**
 * Enrollment history without an upstream: each "run" stages invented sections, then takes the real step, and publishes.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type EnrollmentHistory,
  enrollmentHistory,
  type EnrollmentPeriod,
  enrollmentPeriods,
} from "../../../pipeline/contract/rows/enrollment-history.ts";
import { type Section, sections } from "../../../pipeline/contract/rows/section.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import type { RunContext } from "../../../pipeline/products/context.ts";
import { enrollmentStep } from "../../../pipeline/products/enrollment/enrollment.ts";
import { readRows } from "../../../pipeline/products/rows.ts";
import { type Database, openDatabase } from "../../../pipeline/store/database.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { createStaging, type Staging } from "../../../pipeline/publish/staging.ts";
import type { ProductReport } from "../../../pipeline/contract/documents/run-report.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { meeting, sectionRow } from "../worlds/section-rows.ts";

/** The sections of a term that a run saw. */
export interface Seen {
  readonly term: Term;
  readonly sections: readonly Section[];
  /** True when a guard refused the term: its sections are not staged, and it does not count as crawled. */
  readonly refused?: boolean;
}

/** When the crawl of every term began, and the last Date of its upstream. */
export type Clocks = Partial<Omit<RunContext["crawled"][number], "term">>;

export interface DayRun {
  readonly report: ProductReport;
  readonly id: string;
  readonly changed: boolean;
  /** Milliseconds of the enrollment step alone. */
  readonly ms: number;
}

export interface HistoryDays {
  readonly database: Database;
  run(today: string, seen?: readonly Seen[], clocks?: Clocks): Promise<DayRun>;
  /** Stages a term's sections by SQL of one's own. */
  runStaged(
    today: string,
    terms: readonly Term[],
    stage: (staging: Staging) => Promise<void>,
    clocks?: Clocks,
  ): Promise<DayRun>;
  /** The sections of a term with their periods in order. */
  rows(term: Term): Promise<(EnrollmentHistory & { periods: EnrollmentPeriod[] })[]>;
  /** The published files of the history and its periods. */
  paths(): Promise<string[]>;
  close(): void;
}

export async function openHistoryDays({ data, artifacts }: { data: string; artifacts: string }): Promise<HistoryDays> {
  await mkdir(join(data, "spill"), { recursive: true });
  const database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder: join(data, "spill") });

  const runStaged: HistoryDays["runStaged"] = async (today, terms, stage, clocks) => {
    const staging = createStaging(artifacts, await readBase(artifacts));
    try {
      await staging.disk.mkdir(staging.tempFolder);
      await stage(staging);
      const crawled = terms.map((term) => ({ term, startedAt: `${today}T20:00:00Z`, ...clocks }));
      const context = {
        config: { dataDir: data },
        enrollmentFiles: [],
        isThorough: true,
        freshness: { products: {}, terms: {}, nextRefresh: null },
        ...{ crawled, today, staging, database },
      } as unknown as RunContext;
      const tally = createTally("enrollment");
      const began = performance.now();
      if (await enrollmentStep.plan(context)) await enrollmentStep.run(context, tally);
      const ms = performance.now() - began;
      const { id, changed } = await staging.publish({ source: {}, now: new Date(`${today}T20:00:00Z`) });
      return { report: tally.report("published", ms), id, changed, ms };
    } finally {
      await staging.discard();
    }
  };

  return {
    database,
    runStaged,
    run: (today, seen = [], clocks = {}) =>
      runStaged(
        today,
        seen.filter(({ refused }) => !refused).map(({ term }) => term),
        async (staging) => {
          for (const { term, sections: rows, refused } of seen) {
            if (refused) continue;
            const partition = { year: term.year, quarter: term.quarter };
            const select = `SELECT * FROM ${await loadRows(database.connection, sections, rows)}`;
            const request = { table: sections, partition, select, allowEmpty: true };
            staging.put(await writePartition(database.connection, staging, request));
          }
        },
        clocks,
      ),
    paths: async () => {
      const staging = createStaging(artifacts, await readBase(artifacts));
      return [...staging.paths("enrollment_history"), ...staging.paths("enrollment_periods")];
    },
    async rows({ year, quarter }) {
      const staging = createStaging(artifacts, await readBase(artifacts));
      const described = await readRows(
        database,
        enrollmentHistory,
        staging.paths("enrollment_history", { year, quarter }),
      );
      const periods = await readRows(database, enrollmentPeriods, staging.paths("enrollment_periods"));
      return described.map((section) => ({
        ...section,
        periods: periods
          .filter(
            (period) =>
              period.year === year && period.quarter === quarter && period.sectionCode === section.sectionCode,
          )
          .toSorted((a, b) => (a.first < b.first ? -1 : 1)),
      }));
    },
    close: () => database.close(),
  };
}

export const FALL: Term = { year: "2022", quarter: "Fall" };

/** 35730 of Fall 2022, an example of a history, under an invented name; `change` says what is different. */
export function sectionOf(change: Partial<Section> = {}): Section {
  return sectionRow({
    ...FALL,
    schoolName: "School of Information",
    deptCode: "I&C SCI",
    courseNumber: "46",
    courseTitle: "DATA STRC IMPL&ANLS",
    sectionCode: "35730",
    meetings: [meeting("MWF", "8:00", "8:50", "EH 1200")],
    finalExam: {
      examStatus: "SCHEDULED_FINAL",
      dayOfWeek: "Mon",
      month: 11,
      day: 5,
      startTime: { hour: 8, minute: 0 },
      endTime: { hour: 10, minute: 0 },
      bldg: ["EH 1200"],
    },
    maxCapacity: "330",
    numCurrentlyEnrolled: { totalEnrolled: "0", sectionEnrolled: "" },
    numOnWaitlist: "n/a",
    numWaitlistCap: "0",
    numRequested: "0",
    ...change,
  });
}

/** The same section with this many students. */
export const enrolled = (count: number, change: Partial<Section> = {}): Section =>
  sectionOf({ numCurrentlyEnrolled: { totalEnrolled: String(count), sectionEnrolled: "" }, ...change });
