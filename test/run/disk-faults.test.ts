/**
 * Disks that are full or read-only: the old state stays, the error is a clear single line, the exit status is 1, the
 * next run cleans up.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCampus } from "../../pipeline/campus/listening/server.ts";
import { readCurrent } from "../../pipeline/store/published.ts";
import { verifySnapshot } from "../../pipeline/store/verify.ts";
import { scratchDatabase, scratchFolder } from "../pipeline/publish/scratch.ts";
import { endOf, spawnModule } from "./run-process.ts";
import { someOf } from "../support/extent.ts";
import { mayMount, mount, mountSmall, unmount } from "../support/small-disk.ts";
import { run, serve } from "../support/whole-run.ts";

/** Students enrol for Fall: from one day to the next seats change, sections do not. */
const BEGIN = new Date("2019-06-20T20:00:00Z");
const NEXT_DAY = new Date("2019-06-21T20:00:00Z");

describe.runIf(mayMount())("a disk that does not take it", async () => {
  const { connection } = await scratchDatabase();
  const root = scratchFolder();
  const [small, large] = [join(root, "small"), join(root, "large")];
  /** The state in which every test begins. */
  const built = join(root, "built");
  let now = BEGIN;
  let campus: Awaited<ReturnType<typeof startCampus>>;

  beforeAll(async () => {
    mkdirSync(small);
    mountSmall(small);
    campus = await startCampus({ size: "standard", clock: () => now });
    await runOnCampus(env(join(built, "artifacts"), join(built, "data")));
  });
  beforeEach(async () => {
    mount("-o", "remount,rw", small);
    for (const folder of [small, large])
      for (const name of await readdir(folder).catch(() => [])) await rm(join(folder, name), { recursive: true });
    now = BEGIN;
  });
  afterAll(async () => {
    await campus?.close();
    unmount(small);
  });

  const env = (artifacts: string, data: string) => {
    const { SCHEDULE_URL, RECORDS_URL } = campus.urls;
    const folders = { ARTIFACTS_DIR: artifacts, DATA_DIR: data, TERMS: "2019 Fall", ALLOW_SHRINK: "1" };
    return { ...folders, SCHEDULE_URL, RECORDS_URL };
  };
  /** Uses the campus clock: a later one would be refused. */
  const runOnCampus = (where: Record<string, string>) => run(where, "build", () => now);
  /** Begins as after a first build into these folders. */
  async function begin({ ARTIFACTS_DIR, DATA_DIR }: ReturnType<typeof env>): Promise<void> {
    const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
    await cp(join(built, "artifacts"), ARTIFACTS_DIR, options);
    await cp(join(built, "data"), DATA_DIR, options);
  }
  /** The program itself. */
  const build = (where: Record<string, string>) =>
    endOf(spawnModule(["pipeline/main.ts", "build"], { ...where, LOG_LEVEL: "error" }));
  const change = () => void (now = NEXT_DAY);
  /** Leaves `kilobytes` free. */
  function fill(kilobytes: number): () => Promise<void> {
    const path = join(small, "filler");
    const free = Number(execFileSync("df", ["--output=avail", "-k", small]).toString().split("\n")[1]);
    writeFileSync(path, Buffer.alloc(Math.max(0, free - kilobytes) * 1024, 1));
    return () => rm(path);
  }
  const published = async (artifacts: string) => {
    const current = await readCurrent(artifacts);
    expect(current && (await verifySnapshot(connection, current))).toEqual([]);
    return current?.manifest;
  };
  const tablesOf = (manifest: Awaited<ReturnType<typeof published>>) =>
    manifest?.files.map(({ table, partition, rows }) => ({ table, partition, rows }));

  it.each(someOf([0, 30], 1))("the artifacts' disk is full but for %i kB", async (free) => {
    const where = env(join(small, "artifacts"), large);
    await begin(where);
    const before = await published(join(small, "artifacts"));
    change();
    const empty = fill(free);
    const { status, errors } = await build(where);
    expect(status).toBe(1);
    expect(errors).toMatch(/no space left|ENOSPC/i);
    expect(errors).toMatch(
      /the disk of ARTIFACTS_DIR \(\/.*\/small\/artifacts\) is full, a run needs about \d+\.\d MB: make room there/,
    );
    // A product that found room may be published: nothing is lost in any case.
    const after = await published(join(small, "artifacts"));
    expect(tablesOf(after)).toEqual(tablesOf(before));
    if (free === 0) expect(after?.id).toBe(before?.id);
    await empty();
    const report = await runOnCampus(where);
    expect(report.failed).toBe(false);
    const healed = await published(join(small, "artifacts"));
    expect(healed?.id).toBe(report.snapshot);
    expect(healed?.id).not.toBe(before?.id);
    expect(await readdir(join(small, "artifacts/staging"))).toEqual([]);
  });

  it("leftovers of a killed run fill the disk: the next run removes them first", async () => {
    const artifacts = join(small, "artifacts");
    const where = env(artifacts, large);
    await begin(where);
    change();
    mkdirSync(join(artifacts, "staging/run-dead/files"), { recursive: true });
    const free = Number(execFileSync("df", ["--output=avail", "-k", small]).toString().split("\n")[1]);
    writeFileSync(join(artifacts, "staging/run-dead/files/half.parquet"), Buffer.alloc((free - 8) * 1024, 1));
    const report = await runOnCampus(where);
    expect([report.failed, report.changed]).toEqual([false, true]);
    expect(await readdir(join(artifacts, "staging"))).toEqual([]);
  });

  it("the data's disk is full: the schedule fails, what needs no landing is published", async () => {
    const artifacts = join(large, "artifacts");
    const where = { ...env(artifacts, join(small, "data")), CALENDAR_URL: campus.urls.CALENDAR_URL };
    await begin(where);
    const filesOf = async (name: string) =>
      (await readCurrent(artifacts))?.manifest.files.filter(({ table }) => table === name) ?? [];
    const before = await filesOf("sections");
    expect([before.length, await filesOf("calendar")]).toEqual([1, []]);
    change();
    const empty = fill(8);
    const { status, errors } = await build(where);
    expect([status, errors]).toEqual([1, expect.stringMatching(/product=schedule.*ENOSPC/)]);
    const advice = /the disk of DATA_DIR \(\/.*\/small\/data\) is full, a run needs about \d+\.\d MB: make room there/;
    expect(errors).toMatch(advice);
    expect(await readFile(join(artifacts, "report.txt"), "utf8")).toMatch(advice);
    const server = await serve(where);
    for (const page of ["/health/ready", "/status"]) {
      const served = await (await fetch(`${server.url}${page}`, { headers: { Accept: "application/json" } })).text();
      expect([page, served]).toEqual([page, expect.stringContaining("ENOSPC")]);
      for (const secret of [root, "DATA_DIR", "make room"]) expect(served).not.toContain(secret);
    }
    await server.close();
    expect(await filesOf("sections")).toEqual(before);
    expect(await filesOf("calendar")).toHaveLength(1);
    await empty();
    const report = await runOnCampus(where);
    expect(report.failed).toBe(false);
    expect(await filesOf("sections")).not.toEqual(before);
    expect((await published(artifacts))?.id).toBe(report.snapshot);
  });

  it("the artifacts are read-only", async () => {
    const where = env(join(small, "artifacts"), large);
    await begin(where);
    const before = await published(join(small, "artifacts"));
    mount("-o", "remount,ro", small);
    const { status, errors } = await build(where);
    expect(status).toBe(1);
    expect(errors.trim().split("\n")).toEqual([expect.stringMatching(/read-only file system/)]);
    expect(errors).toMatch(/the disk of ARTIFACTS_DIR \(\/.*\/small\/artifacts\) is read-only: mount it writable/);
    expect(await published(join(small, "artifacts"))).toEqual(before);
  });
});
