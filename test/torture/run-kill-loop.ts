/** Kills real runs against a campus that changes, at random moments, and looks each time at what they left. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { tableRows } from "../../pipeline/contract/sql-text.ts";
import { type TableName, TABLES } from "../../pipeline/contract/tables.ts";
import { nodeDisk } from "../../pipeline/disk/disk.ts";
import { type PublishedSnapshot, readCurrent } from "../../pipeline/store/published.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";
import { verifySnapshot } from "../../pipeline/store/verify.ts";
import { startRun } from "../run/run-process.ts";
import { FALL, NEXT_FALL, OCTOBER, readSmallWorld } from "../support/worlds/small-world.ts";
import { isOf, type World } from "../support/worlds/world.ts";
import { startUpstream } from "../support/upstream/upstream.ts";
import { openFolder, run } from "../support/whole-run.ts";

export interface RunKills {
  /** Promises that were not kept, each with the number of the kill. */
  readonly broken: string[];
  /**
   * The numbers of kills after which the new state was published, of kills after which the old state was, and of runs
   * that ended before their kill.
   */
  readonly after: number;
  readonly before: number;
  readonly late: number;
  /** Snapshots at the end. */
  readonly generations: number;
}

/**
 * The world in which a number changes from hour to hour, in the sections of both terms and in the grades, so that a
 * mixed state is visible.
 */
function stamped(world: World, stamp: number): World {
  const isCurrent = isOf(FALL, NEXT_FALL);
  return {
    ...world,
    sections: world.sections.map((row) => (isCurrent(row) ? { ...row, totalEnrolled: String(stamp) } : row)),
    grades: world.grades.map((row) => (isOf(FALL)(row) ? { ...row, gradeACount: stamp } : row)),
  };
}

/** Two terms and one department: a run is over in half a second. */
function readTinyWorld(): World {
  const world = readSmallWorld();
  const isCurrent = isOf(FALL, NEXT_FALL);
  return {
    ...world,
    terms: world.terms.filter(isCurrent),
    departments: world.departments.filter(({ code }) => code === "I&C SCI"),
    sections: world.sections.filter((row) => isCurrent(row) && row.deptCode === "I&C SCI"),
    grades: world.grades.filter((row) => isCurrent(row) && row.department === "I&C SCI"),
  };
}

/**
 * A run that ended before its kill shortens the time to the next kill, and a killed run lengthens it: some kills always
 * hit the flip.
 */
const [SHORTER, LONGER] = [0.9, 1.01];

/** Runs `kills` hourly runs and kills each somewhere between its begin and about its end; then one runs to its end. */
export async function killRuns(connection: DuckDBConnection, kills: number): Promise<RunKills> {
  const world = readTinyWorld();
  const upstream = await startUpstream(world);
  const folder = await openFolder();
  const { SCHEDULE_URL, RECORDS_URL, CALENDAR_URL } = upstream.urls;
  const env = { ...folder.env, SCHEDULE_URL, RECORDS_URL, CALENDAR_URL };
  const broken: string[] = [];
  const counts = { after: 0, before: 0, late: 0 };
  // Every other run has the clock and the campus of the one before, so that it goes on with what that left.
  const hourOf = (kill: number) => 2 + Math.ceil(kill / 2) * 2;
  const clockOf = (kill: number) => new Date(OCTOBER.getTime() + hourOf(kill) * 3_600_000);
  const start = (kill: number) => startRun(env, "refresh", clockOf(kill));
  try {
    upstream.setWorld(stamped(world, 0));
    if ((await run(env, "build", () => OCTOBER)).failed) broken.push("the first build failed");
    let old = hourOf(0);
    upstream.setWorld(stamped(world, old));
    const measured = start(0);
    await measured.ready;
    const began = performance.now();
    measured.begin();
    if ((await measured.ended).status !== 0) broken.push("the first hourly run failed");
    let withinMs = performance.now() - began;
    let next = start(1);
    for (let kill = 1; kill <= kills; kill++) {
      const child = next;
      await child.ready;
      if (kill < kills) next = start(kill + 1);
      const stamp = hourOf(kill);
      upstream.setWorld(stamped(world, stamp));
      child.begin();
      const isOver = await Promise.race([
        child.ended.then(() => true),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), Math.random() * withinMs)),
      ]);
      withinMs *= isOver ? SHORTER : LONGER;
      if (isOver) {
        counts.late++;
        const { status, errors } = await child.ended;
        if (status !== 0) broken.push(`kill ${kill}: the run ended by itself with status ${status}: ${errors}`);
      }
      await child.kill();
      const current = await readCurrent(folder.artifacts);
      if (!current) {
        broken.push(`kill ${kill}: nothing is published`);
        continue;
      }
      for (const { path, problem } of await verifySnapshot(connection, current))
        broken.push(`kill ${kill}: ${path}: ${problem}`);
      for (const problem of await brokenChanges(connection, current)) broken.push(`kill ${kill}: ${problem}`);
      const stamps = await stampsIn(connection, current);
      const [published = -1] = stamps;
      if (stamps.length !== 1) broken.push(`kill ${kill}: mixed states ${stamps.join(", ")}`);
      else if (published !== old && published !== stamp)
        broken.push(`kill ${kill}: neither ${old} nor ${stamp} but ${published}`);
      if (!isOver) counts[published === stamp && old !== stamp ? "after" : "before"]++;
      old = published;
    }
    const stamp = hourOf(kills) + 2;
    upstream.setWorld(stamped(world, stamp));
    const report = await run(env, "refresh", () => new Date(OCTOBER.getTime() + stamp * 3_600_000));
    if (report.failed || !report.changed) broken.push("the last run did not publish");
    const last = (await readCurrent(folder.artifacts)) as PublishedSnapshot;
    if ((await stampsIn(connection, last)).join() !== String(stamp)) broken.push("the last run left an older state");
    const { staging } = layoutOf(folder.artifacts);
    const landed = await readdir(join(folder.data, "landing/schedule"));
    const left = [...(await nodeDisk.readdir(staging)), ...landed.filter((name) => !name.endsWith(".published"))];
    if (left.length > 0) broken.push(`left behind: ${left.join(", ")}`);
    return { broken, ...counts, generations: report.disk.generations };
  } finally {
    await upstream.close();
    await folder.remove();
  }
}

/**
 * The recorded changes of a section lead from the first stamp to the published one: each begins where the previous one
 * ended, without repetitions.
 */
async function brokenChanges(connection: DuckDBConnection, { folder, manifest }: PublishedSnapshot): Promise<string[]> {
  const rows = (table: TableName) =>
    tableRows(
      TABLES[table],
      manifest.files.filter((file) => file.table === table).map(({ path }) => join(folder, path)),
    );
  const reader = await connection.runAndReadAll(
    `WITH steps AS (
       SELECT year, quarter, sectionCode, "before", "after", "at", coalesce(lag("after") OVER same, '0') AS expected
       FROM ${rows("changes")} WHERE field = 'numCurrentlyEnrolled.totalEnrolled'
       WINDOW same AS (PARTITION BY year, quarter, sectionCode ORDER BY "at"))
     SELECT concat_ws(' ', 'a change of', sectionCode, 'from', "before", 'after one to', expected) FROM steps WHERE "before" <> expected
     UNION ALL
     SELECT concat_ws(' ', sectionCode, 'has', numCurrentlyEnrolled.totalEnrolled, 'but the changes lead to', coalesce(last, '0'))
     FROM ${rows("sections")} LEFT JOIN
       (SELECT year, quarter, sectionCode, arg_max("after", "at") AS last FROM steps GROUP BY ALL) USING (year, quarter, sectionCode)
     WHERE numCurrentlyEnrolled.totalEnrolled <> coalesce(last, '0')`,
  );
  return reader.getRowsJson().map(([problem]) => String(problem));
}

async function stampsIn(connection: DuckDBConnection, { folder, manifest }: PublishedSnapshot): Promise<number[]> {
  const paths = (table: string) =>
    JSON.stringify(manifest.files.filter((file) => file.table === table).map(({ path }) => join(folder, path)));
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT numCurrentlyEnrolled.totalEnrolled::INTEGER FROM read_parquet($1::JSON::VARCHAR[], hive_partitioning = false)
     UNION SELECT DISTINCT gradeACount FROM read_parquet($2::JSON::VARCHAR[], hive_partitioning = false)`,
    [paths("sections"), paths("grades")],
  );
  return reader.getRowsJson().map(([stamp]) => Number(stamp));
}
