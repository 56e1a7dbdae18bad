/**
 * The steps of a run with its store, without a crawl: continues from the current snapshot, publishes rows of the test,
 * completes.
 */
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import type { StoreReport } from "../../pipeline/contract/documents/run-report.ts";
import { changes } from "../../pipeline/contract/rows/change.ts";
import { grades } from "../../pipeline/contract/rows/grade.ts";
import type { RowOf } from "../../pipeline/contract/table.ts";
import { readBase } from "../../pipeline/store/open.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";
import { readParquet } from "../../pipeline/contract/sql-text.ts";
import { silentLog } from "../../pipeline/log.ts";
import { openDatabase } from "../../pipeline/store/database.ts";
import { writeFreshness } from "../../pipeline/store/freshness.ts";
import { acquireLock } from "../../pipeline/disk/lock.ts";
import { writePartition } from "../../pipeline/publish/partition.ts";
import { loadRows } from "../../pipeline/publish/rows.ts";
import { createStaging } from "../../pipeline/publish/staging.ts";
import { BUCKET_OPTIONS, openBucket } from "../../pipeline/store/bucket.ts";
import { openStore } from "../../pipeline/store/open-store.ts";
import { openSharedStore } from "../../pipeline/run/shared-store.ts";

export interface StoreRun {
  readonly id: string;
  readonly changed: boolean;
  readonly store: StoreReport;
}

/** The additions of a run: the grades of a year are replaced, the change is recorded permanently. */
export interface Step {
  readonly grade: RowOf<typeof grades>;
  readonly change?: RowOf<typeof changes>;
}

/** @throws LockedError when another publisher was faster */
export async function storeRun(
  env: Record<string, string>,
  { change, grade }: Step,
  now: () => Date = () => new Date(),
): Promise<StoreRun> {
  const config = readPipelineConfig(env);
  const { artifactsDir: artifacts } = config;
  const lock = await acquireLock(layoutOf(artifacts).lock);
  try {
    const assertHeld = () => lock.assertHeld();
    const to = config.publishTo as URL;
    // Opens the store as the product does, except for the time between two attempts.
    const quick = { ...BUCKET_OPTIONS, retries: 3, backoffMs: 5 };
    const opened =
      to.protocol === "s3:" ? openBucket(to.hostname, to.pathname.slice(1), config.aws, quick) : openStore(to, config);
    const store = await openSharedStore({
      store: opened,
      config,
      now,
      log: silentLog,
      assertHeld,
    });
    if (!store) throw new Error("PUBLISH_TO is not set");
    const foundBase = await readBase(artifacts);
    const base = (await store.adopt(foundBase)) ? await readBase(artifacts) : foundBase;
    const staging = createStaging(artifacts, base);
    const { connection, close } = await openDatabase({
      memoryLimit: "200MB",
      threads: 1,
      tempFolder: staging.tempFolder,
    });
    try {
      const { year } = grade;
      const select = `SELECT * FROM ${await loadRows(connection, grades, [grade])}`;
      staging.put(await writePartition(connection, staging, { table: grades, partition: { year }, select }));
      if (change && staging.nextId() !== undefined) {
        const { month, quarter } = change;
        const partition = { year: change.year, quarter, month };
        const rows = `SELECT * FROM ${await loadRows(connection, changes, [change])}`;
        const before = staging.paths("changes", partition);
        const all = before.length === 0 ? rows : `${rows} UNION ALL FROM ${readParquet(before)}`;
        staging.put(await writePartition(connection, staging, { table: changes, partition, select: all }));
      }
      const freshness: Freshness = { products: { grades: now().toISOString() }, terms: {}, nextRefresh: null };
      const { changed, published, id } = await staging.publish({
        source: { schedule: "a test" },
        now: now(),
        assertHeld,
        publishFirst: (made) => store.publish(made, freshness),
      });
      await writeFreshness(artifacts, freshness);
      await store.finish(published, freshness);
      return { id, changed, store: store.report() };
    } finally {
      close();
      await staging.discard();
    }
  } finally {
    await lock.release();
  }
}

/** The change that a run of that number records: each has a time of its own. */
export const storedChange = (n: number): RowOf<typeof changes> => ({
  year: "2024",
  quarter: "Fall",
  month: "2024-10",
  at: new Date(Date.UTC(2024, 9, 1, 0, 0, n)).toISOString(),
  since: "2024-09-01T00:00:00.000Z",
  snapshot: "0123456789abcdef",
  sectionCode: "12345",
  department: "ART",
  courseNumber: "1",
  instructors: [],
  kind: "status",
  field: "status",
  before: "OPEN",
  after: "FULL",
});
