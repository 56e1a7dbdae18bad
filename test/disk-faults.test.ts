/** Disks that are full or read-only: the old state stays, the error is one clear line, the exit status is 1, the next run cleans up. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readCurrent } from "../pipeline/publish/generation.ts";
import { verifyGeneration } from "../pipeline/publish/verify.ts";
import { scratchDatabase } from "./publish/scratch.ts";
import { endOf, spawnModule } from "./run-process.ts";
import { shared } from "./shared.ts";
import { FALL, isOf, readSmallWorld } from "./small-world.ts";
import { run, startUpstream, type Upstream, type World } from "./world.ts";

const MEGABYTES = 3;

/** A small file system in memory at `path`; undefined where this user may not mount one. */
function mountSmall(path: string): { remount: (option: string) => void; unmount: () => void } | undefined {
  const mount = (...parameters: string[]) => execFileSync("mount", [...parameters, path], { stdio: "pipe" });
  try {
    mount("-t", "tmpfs", "-o", `size=${MEGABYTES}m`, "tmpfs");
  } catch {
    return undefined;
  }
  return {
    remount: (option) => void mount("-o", `remount,${option}`),
    unmount: () => void execFileSync("umount", ["-l", path]),
  };
}

const root = mkdtempSync(join(tmpdir(), "disk-faults-"));
const small = join(root, "small");
mkdirSync(small);
const mounted = mountSmall(small);
if (!mounted) process.stdout.write("skipped: this user may not mount a file system\n");
afterAll(() => {
  mounted?.unmount();
  rmSync(root, { recursive: true, force: true });
});

describe.runIf(shared && mounted)("a disk that does not take it", async () => {
  const { connection } = await scratchDatabase();
  const large = join(root, "large");
  /** What every test begins with. */
  const built = join(root, "built");
  let world: World;
  let upstream: Upstream;
  let changes = 0;

  beforeAll(async () => {
    world = await readSmallWorld();
    upstream = await startUpstream(world);
    await run(env(join(built, "artifacts"), join(built, "data")));
  });
  beforeEach(async () => {
    mounted?.remount("rw");
    for (const folder of [small, large])
      for (const name of await readdir(folder).catch(() => [])) await rm(join(folder, name), { recursive: true });
    upstream.setWorld(world);
  });
  afterAll(() => upstream?.close());

  const env = (artifacts: string, data: string) => {
    const { SCHEDULE_URL = "", RECORDS_URL = "", CATALOGUE_URL = "" } = upstream.urls;
    const folders = { ARTIFACTS_DIR: artifacts, DATA_DIR: data, TERMS: "2019 Fall", ALLOW_SHRINK: "1" };
    return { ...folders, SCHEDULE_URL, RECORDS_URL, CATALOGUE_URL };
  };
  /** As after a first build into these folders. */
  async function begin({ ARTIFACTS_DIR, DATA_DIR }: ReturnType<typeof env>): Promise<void> {
    const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
    await cp(join(built, "artifacts"), ARTIFACTS_DIR, options);
    await cp(join(built, "data"), DATA_DIR, options);
  }
  /** The program itself. */
  const build = (where: Record<string, string>) =>
    endOf(spawnModule(["pipeline/main.ts", "build"], { ...where, LOG_LEVEL: "error" }));
  /** Every section of a term is another one now. */
  const change = () => {
    const enrolled = String(++changes);
    const sections = world.sections.map((row) => (isOf(FALL)(row) ? { ...row, totalEnrolled: enrolled } : row));
    upstream.setWorld({ ...world, sections });
  };
  /** Leaves `kilobytes` free. */
  function fill(kilobytes: number): () => Promise<void> {
    const path = join(small, "filler");
    const free = Number(execFileSync("df", ["--output=avail", "-k", small]).toString().split("\n")[1]);
    writeFileSync(path, Buffer.alloc(Math.max(0, free - kilobytes) * 1024, 1));
    return () => rm(path);
  }
  const published = async (artifacts: string) => {
    const current = await readCurrent(artifacts);
    expect(current && (await verifyGeneration(connection, current))).toEqual([]);
    return current?.manifest;
  };
  const tablesOf = (manifest: Awaited<ReturnType<typeof published>>) =>
    manifest?.files.map(({ table, partition, rows }) => ({ table, partition, rows }));

  it.each([0, 30])("the artifacts' disk is full but for %i kB", async (free) => {
    const where = env(join(small, "artifacts"), large);
    await begin(where);
    const before = await published(join(small, "artifacts"));
    change();
    const empty = fill(free);
    const { status, errors } = await build(where);
    expect(status).toBe(1);
    expect(errors).toMatch(/no space left|ENOSPC/i);
    // A product that found room may be published: nothing is lost in any case.
    const after = await published(join(small, "artifacts"));
    expect(tablesOf(after)).toEqual(tablesOf(before));
    if (free === 0) expect(after?.id).toBe(before?.id);
    await empty();
    const report = await run(where);
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
    const report = await run(where);
    expect([report.failed, report.changed]).toEqual([false, true]);
    expect(await readdir(join(artifacts, "staging"))).toEqual([]);
  });

  it("the data's disk is full: the schedule fails, what needs no landing is published", async () => {
    const artifacts = join(large, "artifacts");
    const where = env(artifacts, join(small, "data"));
    await begin(where);
    const sections = async () =>
      (await readCurrent(artifacts))?.manifest.files.filter(({ table }) => table === "sections");
    const before = await sections();
    change();
    const courses = world.courses.map((course) => ({ ...course, title: "Another Title" }));
    upstream.setWorld({ ...world, courses, sections: world.sections.map((row) => ({ ...row, status: "FULL" })) });
    const empty = fill(8);
    const { status, errors } = await build(where);
    expect([status, errors]).toEqual([1, expect.stringMatching(/product=schedule.*ENOSPC/)]);
    expect(await sections()).toEqual(before);
    await empty();
    const report = await run(where);
    expect(report.failed).toBe(false);
    expect(await sections()).not.toEqual(before);
    expect((await published(artifacts))?.id).toBe(report.snapshot);
  });

  it("the artifacts are read-only", async () => {
    const where = env(join(small, "artifacts"), large);
    await begin(where);
    const before = await published(join(small, "artifacts"));
    change();
    mounted?.remount("ro");
    const { status, errors } = await build(where);
    expect(status).toBe(1);
    expect(errors.trim().split("\n")).toEqual([expect.stringMatching(/read-only file system/)]);
    expect(await published(join(small, "artifacts"))).toEqual(before);
    mounted?.remount("rw");
    expect((await run(where)).changed).toBe(true);
  });
});
