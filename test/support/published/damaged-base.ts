/**
 * A small campus that was published on two days, whose sections changed twice, and copies of it to damage: for tests of
 * runs over a damaged base (pipeline/RULES.md, Runs).
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect } from "vitest";
import type { PipelineConfig, System } from "../../../pipeline/settings/pipeline.ts";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { backUpDaily } from "../../../pipeline/backup/backup.ts";
import type { RunReport } from "../../../pipeline/contract/documents/run-report.ts";
import { IRREPLACEABLE_TABLES, type TableName, TABLE_NAMES } from "../../../pipeline/contract/tables.ts";
import type { Pointer } from "../../../pipeline/contract/documents/pointer.ts";
import {
  type PublishedSnapshot,
  listPublished,
  readCurrent,
  readLocalManifest,
  readLocalPointer,
} from "../../../pipeline/store/published.ts";
import { layoutOf, nameOf, partitionName } from "../../../pipeline/store/layout.ts";
import { findForeign, pathsOf, verifySnapshot } from "../../../pipeline/store/verify.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { scratchDatabase } from "../../pipeline/publish/scratch.ts";
import { once } from "../once.ts";
import { OCTOBER, openSmallCampus } from "../upstream/small-campus.ts";
import { openFolder, run } from "../whole-run.ts";

export const TERMS = ["2019 Winter", "2019 Fall", "2020 Winter"];
export const HOUR_MS = 3_600_000;
const YESTERDAY = new Date(OCTOBER.getTime() - 24 * HOUR_MS);
export const later = (hours: number) => () => new Date(OCTOBER.getTime() + hours * HOUR_MS);

type Folder = Awaited<ReturnType<typeof openFolder>>;

/**
 * `one`: the newest snapshot without a checkout, so that there is a single copy of each file. `linked`: two, the
 * checkouts are hard links. `apart`: two, the checkouts are copies.
 */
export type Snapshots = "one" | "linked" | "apart";

export const HARMS: Readonly<Record<string, (path: string) => void>> = {
  deleted: (path) => rmSync(path),
  truncated: (path) => truncateSync(path, 100),
  flipped(path) {
    const bytes = readFileSync(path);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 0x10;
    writeFileSync(path, bytes);
  },
};

const publishedTwice = once(async () => {
  let clock = YESTERDAY;
  const campus = await openSmallCampus(TERMS, () => clock);
  const built = await openFolder();
  const where = { ...built.env, ...campus.urls() };
  mkdirSync(join(built.data, "enrollment"), { recursive: true });
  writeFileSync(
    join(built.data, "enrollment/old.csv"),
    "year,quarter,sectionCode,date,maxCapacity,totalEnrolled,waitlist,waitlistCap,requested,newOnlyReserved,status\n2018,Fall,35730,2018-10-01,330,1,n/a,0,0,,OPEN\n",
  );
  expect((await run(where, "build", () => YESTERDAY)).failed).toBe(false);
  // Two runs record changes, so that there are changes before those of the last snapshot.
  for (const hours of [-12, 0]) {
    clock = later(hours)();
    expect(await run(where, "refresh", later(hours))).toMatchObject({ failed: false, changed: true });
  }
  // A third run, an hour old: nothing but the hour has changed.
  expect(await run(where, "refresh", later(1))).toMatchObject({ failed: false, changed: false });
  return { campus, built };
});

/** Call it where the tests are declared. */
export async function openDamagedBase() {
  const { connection } = await scratchDatabase();
  let campus: Awaited<ReturnType<typeof openSmallCampus>>;
  let built: Folder;
  const open: Folder[] = [];

  beforeAll(async () => {
    ({ campus, built } = await publishedTwice());
  });
  afterEach(async () => {
    campus.fail([]);
    campus.offer(TERMS);
    for (const folder of open.splice(0)) await folder.remove();
  });

  /** A copy of its own, with that many snapshots. */
  async function copy(snapshots: Snapshots) {
    const folder = await openFolder();
    open.push(folder);
    for (const [from, to] of [
      [built.data, folder.data],
      [built.artifacts, folder.artifacts],
    ] as const) {
      mkdirSync(to, { recursive: true });
      execFileSync("cp", [snapshots === "apart" ? "-pPR" : "-a", `${from}/.`, to]);
    }
    // Each test chooses its backups.
    rmSync(join(folder.data, "backup"), { recursive: true, force: true });
    await removeSnapshots(folder.artifacts, snapshots === "one" ? 1 : 2);
    const { checkouts, current, pointer, snapshots: manifests } = layoutOf(folder.artifacts);
    if (snapshots === "one") for (const path of [checkouts, current]) rmSync(path, { recursive: true });
    const base = (await readCurrent(folder.artifacts)) as PublishedSnapshot;
    const { files } = base.manifest;
    const manifestPath = join(manifests, `${nameOf(base.manifest)}.json`);

    return {
      folder,
      base,
      pointer,
      /** The manifest of the newest snapshot. */
      manifestPath,
      /** Leaves no readable document about the newest snapshot. */
      loseDocuments(): void {
        for (const path of [pointer, manifestPath]) writeFileSync(path, "{");
      },
      /** The file of a table, of one partition where there are several. */
      file(table: string, partition = "2019 Winter"): PublishedFile {
        const all = files.filter((file) => file.table === table);
        const [file = all[0]] = all.filter((file) => partitionName(file.partition).startsWith(partition));
        if (!file) throw new Error(`no file of ${table}`);
        return file;
      },
      at: (file: PublishedFile) => join(base.folder, file.path),
      /** An hourly run, two hours after the newest snapshot. */
      async refresh(
        options: {
          down?: readonly System[];
          only?: readonly System[];
          env?: Record<string, string>;
          hours?: number;
        } = {},
        change: Partial<PipelineConfig> = {},
      ): Promise<{ report: RunReport; text: string }> {
        const where = { ...folder.env, ...campus.urls(options), ...options.env };
        const report = await run(where, "refresh", later(options.hours ?? 2), { retries: 0, ...change });
        return { report, text: readFileSync(join(folder.artifacts, "report.txt"), "utf8") };
      },
      /**
       * The published data is sound to the last byte, and its tables, or these of them, have as many rows as before.
       */
      async expectWhole(tables: readonly TableName[] = TABLE_NAMES): Promise<void> {
        const now = (await readCurrent(folder.artifacts)) as PublishedSnapshot;
        expect(await verifySnapshot(connection, now)).toEqual([]);
        expect(pick(rowsOf(now.manifest.files), tables)).toEqual(pick(rowsOf(files), tables));
      },
      /** The data in service is unchanged. */
      async expectUntouched(): Promise<void> {
        expect((await listPublished(folder.artifacts))[0]).toMatchObject({ name: nameOf(base.manifest) });
      },
      /** Takes the backup of a snapshot, as the run that published it did. */
      async backUp(snapshot = base): Promise<void> {
        const now = new Date(snapshot.manifest.createdAt);
        const report = await backUpDaily({ dataDir: folder.data, published: snapshot, now });
        expect(report).toMatchObject({ taken: true, problems: [] });
      },
    };
  }

  return { campus: () => campus, connection, copy };
}

/** Leaves the newest snapshots, and the objects and checkouts of these. */
async function removeSnapshots(artifacts: string, kept: number): Promise<void> {
  const { checkouts, snapshots } = layoutOf(artifacts);
  const pointer = (await readLocalPointer(artifacts)) as Pointer;
  const retained = pointer.retained.slice(0, kept - 1);
  writeFileSync(layoutOf(artifacts).pointer, JSON.stringify({ ...pointer, retained }));
  const names = (await listPublished(artifacts)).map(({ name }) => name);
  const manifests = await Promise.all(names.slice(0, kept).map((name) => readLocalManifest(artifacts, name)));
  for (const name of names.slice(kept)) {
    rmSync(join(snapshots, `${name}.json`));
    rmSync(join(checkouts, name), { recursive: true, force: true });
  }
  for (const path of await findForeign(artifacts, pathsOf(...manifests), nodeDisk)) rmSync(join(artifacts, path));
}

/** The line of the report that says what became of a file. */
export const lineOf = (text: string, path: string) =>
  text.split("\n").find((line) => line.includes(`damaged: ${path}: `)) ?? "";

/** Rows of every table. */
export const rowsOf = (files: readonly PublishedFile[]) =>
  Object.fromEntries(
    TABLE_NAMES.map((name) => [
      name,
      files.filter(({ table }) => table === name).reduce((sum, { rows }) => sum + rows, 0),
    ]),
  );

const pick = (rows: Record<string, number>, tables: readonly TableName[]) =>
  tables.map((table) => [table, rows[table]]);

/** Data that runs recorded cannot be fetched. */
export const FETCHED = TABLE_NAMES.filter((name) => !IRREPLACEABLE_TABLES.includes(name));
export const SYSTEMS_DOWN = [
  "schedule",
  "records",
  "catalogue",
  "prerequisites",
  "directory",
  "calendar",
  "larc",
] as const satisfies System[];
