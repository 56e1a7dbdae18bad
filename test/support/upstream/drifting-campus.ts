/**
 * A small campus, published once beside unread fields; then each case is a separate run, on a copy, against an upstream
 * that changed its format.
 */
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import type { RunReport } from "../../../pipeline/contract/documents/run-report.ts";
import type { TableName } from "../../../pipeline/contract/tables.ts";
import { once } from "../once.ts";
import { copyFolder, openFolder, run } from "../whole-run.ts";
import { commented, later, readSmallWorld } from "../worlds/small-world.ts";
import type { World } from "../worlds/world.ts";
import { besideStrangers } from "./strangers.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

export interface Drift {
  /** `schedule`, `records`, … */
  readonly system: string;
  readonly rewrite: (body: string) => string;
  readonly mode?: "build" | "refresh";
  /** The day of the run; after a week catalogue and directory are due. */
  readonly days?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly world?: World;
}

/** Rows, and filled rows by measure, of each published table. */
export type Published = Readonly<Record<string, { readonly rows: number; readonly filled: Record<string, number> }>>;

export interface Drifted {
  readonly report: RunReport;
  readonly before: Published;
  readonly after: Published;
  /** Tables of which a row or a value is lost. */
  readonly lost: readonly string[];
  /** The files of recorded history that were written. */
  readonly recorded: readonly string[];
}

const published = once(async () => {
  const world = commented(readSmallWorld());
  const upstream = await startUpstream(world, { records: "csv", recordsSplit: "year" });
  upstream.setFaults(besideStrangers());
  const folder = await openFolder();
  // Grades of other terms are published from the sheets alone.
  expect((await run({ ...folder.env, ...upstream.urls, TERMS }, "build", later({}))).failed).toBe(false);
  return { world, upstream, folder, before: await measure(folder.artifacts) };
});

/** Call it where the tests are declared. */
export function openDriftingCampus() {
  let upstream: Upstream;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let world: World;
  let before: Published;

  beforeAll(async () => {
    ({ world, upstream, folder, before } = await published());
  });

  return {
    world: () => world,
    async drift({
      system,
      rewrite,
      mode = "refresh",
      days = 0,
      env = {},
      world: next = world,
    }: Drift): Promise<Drifted> {
      const copy = await copyFolder(folder);
      try {
        upstream.setWorld(next);
        upstream.setFaults(besideStrangers({ system, rewrite }));
        const files = await filesOf(copy.artifacts);
        const now = later({ days, hours: 1 });
        const urls = Object.entries(upstream.urls).filter(([name]) => CRAWLED_WITH[system]?.includes(name));
        const where = { ...copy.env, ...Object.fromEntries(urls), TERMS, ...env };
        const report = await run(where, mode, now, { retries: 0 });
        const after = await measure(copy.artifacts);
        const written = (await filesOf(copy.artifacts)).filter(({ path }) => !files.some((file) => file.path === path));
        return {
          report,
          before,
          after,
          lost: lostOf(before, after),
          recorded: written.flatMap(({ table, path }) => (RECORDED.includes(table) ? [path] : [])),
        };
      } finally {
        await copy.remove();
      }
    },
  };
}

const TERMS = "2019 Fall,2020 Fall";

const CATALOGUE = ["CATALOGUE_URL", "PREREQUISITES_URL", "DIRECTORY_URL"];

/** The systems that a run asks, by the one that drifts: the others would only take time. */
const CRAWLED_WITH: Readonly<Record<string, readonly string[]>> = {
  schedule: ["SCHEDULE_URL"],
  records: ["RECORDS_URL"],
  catalogue: CATALOGUE,
  prerequisites: CATALOGUE,
  directory: CATALOGUE,
  calendar: ["CALENDAR_URL"],
  larc: ["LARC_URL"],
};

const RECORDED = ["enrollment_history", "enrollment_periods", "changes"];

async function filesOf(artifacts: string) {
  const { readCurrent } = await import("../../../pipeline/store/published.ts");
  return (await readCurrent(artifacts))?.manifest.files ?? [];
}

/** Measured as people would: with the pipeline's own list of columns, but in a database of the test's own. */
async function measure(artifacts: string): Promise<Published> {
  const [{ DuckDBInstance }, { columnMeasures }, { TABLES, TABLE_NAMES }, { tableRows }] = await Promise.all([
    import("@duckdb/node-api"),
    import("../../../pipeline/contract/measures.ts"),
    import("../../../pipeline/contract/tables.ts"),
    import("../../../pipeline/contract/sql-text.ts"),
  ]);
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const files = await filesOf(artifacts);
  const profiles: Record<string, { rows: number; filled: Record<string, number> }> = {};
  for (const name of TABLE_NAMES) {
    if (UNCOMPARED.includes(name)) continue;
    const table = TABLES[name];
    const measures = columnMeasures(table);
    const paths = files.filter((file) => file.table === name).map(({ path }) => join(artifacts, "current", path));
    const counts = measures.map(({ filled }) => `count(*) FILTER (WHERE ${filled})`);
    const reader = await connection.runAndReadAll(
      `SELECT ${["count(*)", ...counts].join(", ")} FROM ${tableRows(table, paths)}`,
    );
    const [rows = 0, ...filled] = (reader.getRowsJS()[0] ?? []).map(Number);
    profiles[name] = { rows, filled: Object.fromEntries(measures.map((measure, i) => [measure.name, filled[i] ?? 0])) };
  }
  connection.closeSync();
  instance.closeSync();
  return profiles;
}

/** Tables about the runs themselves. */
const UNCOMPARED: readonly TableName[] = ["sources", "changes", "enrollment_imports"];

function lostOf(before: Published, after: Published): string[] {
  return Object.entries(before).flatMap(([table, { rows, filled }]) => [
    ...((after[table]?.rows ?? 0) < rows ? [table] : []),
    ...Object.entries(filled).flatMap(([name, count]) =>
      (after[table]?.filled[name] ?? 0) < count ? [`${table}.${name}`] : [],
    ),
  ]);
}
