/**
 * Whole runs with PUBLISH_TO: what reaches the bucket, what an hour without a change costs, and a machine that has
 * nothing but the bucket.
 */
import { readdir, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Pointer } from "../../pipeline/contract/documents/pointer.ts";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { readCurrent } from "../../pipeline/store/published.ts";
import { ensure } from "../../pipeline/run/commands/ensure.ts";
import { restore } from "../../pipeline/run/commands/restore-backup.ts";
import { openStore } from "../../pipeline/store/open-store.ts";
import type { Stored } from "../../pipeline/store/store.ts";
import { start } from "../support/program.ts";
import { openS3Store, type S3Store } from "../support/s3/store.ts";
import { startUpstream, type Upstream } from "../support/upstream/upstream.ts";
import { later, readSmallWorld } from "../support/worlds/small-world.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";

let upstream: Upstream;
let s3: S3Store;
let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  upstream = await startUpstream(readSmallWorld());
  s3 = await openS3Store();
  folder = await openFolder();
});
afterAll(async () => {
  await upstream?.close();
  await s3?.close();
  await folder?.remove();
});

/** Without the systems that are asked once a week. */
const env = () => {
  const { LARC_URL, RECORDS_URL, SCHEDULE_URL } = upstream.urls;
  return {
    ...folder.env,
    LARC_URL,
    RECORDS_URL,
    SCHEDULE_URL,
    ...s3.env,
    PUBLISH_TO: `s3://${s3.bucket}/lake`,
    TERMS: "2019 Fall",
  };
};
const inBucket = () => (JSON.parse(String(s3.objects().get("lake/current.json")?.body)) as Pointer).snapshot;
const puts = () => s3.requests.filter(({ method }) => method === "PUT" || method === "DELETE");
const rowsIn = ({ files }: Pointer["snapshot"], name: string) =>
  files.filter(({ table }) => table === name).reduce((sum, { rows }) => sum + rows, 0);

it("a build and what follows; an hour without a change writes nothing there", async () => {
  const built = await run(env(), "build", later({}));
  expect([built.failed, built.store?.problems]).toEqual([false, []]);
  expect(inBucket().id).toBe(built.snapshot);
  expect([...s3.objects().keys()].filter((key) => key.startsWith("lake/backup/")).length).toBeGreaterThan(1);
  s3.requests.length = 0;
  const same = await run(env(), "refresh", later({ hours: 1 }));
  expect([same.changed, same.failed, puts()]).toEqual([false, false, []]);
  const server = await serve({ ...s3.env, ARTIFACTS_DIR: join(folder.data, "replica"), FOLLOW_URL: env().PUBLISH_TO });
  try {
    expect((await server.get("/schedule?year=2019&quarter=Fall&department=STATS")).headers.get("x-data-snapshot")).toBe(
      built.snapshot,
    );
    const ready = async () =>
      (await (await fetch(`${server.url}/health/ready`)).json()) as {
        status: string;
        following: { problem: string | null };
      };
    expect((await ready()).status).toBe("ready");
    s3.faults.push(() => ({ kind: "slow-down" }));
    await vi.waitFor(
      async () =>
        expect(await ready()).toMatchObject({
          status: "degraded",
          following: { problem: expect.stringContaining("503") },
        }),
      { timeout: 60_000, interval: 200 },
    );
    expect((await server.get("/grades/aggregate")).status).toBe(200);
    s3.faults.length = 0;
    await vi.waitFor(async () => expect((await ready()).status).toBe("ready"), { timeout: 60_000, interval: 200 });
  } finally {
    await server.close();
  }
});

// Each continues from the previous test's snapshot.
it("a damaged file comes back from the bucket", async () => {
  const current = await readCurrent(folder.artifacts);
  const [damaged] = current?.manifest.files.filter(({ table }) => table === "grades") ?? [];
  // A hard link: its checkout is damaged with it.
  await truncate(join(folder.artifacts, damaged?.path ?? ""), 50);
  await rm(join(folder.data, "landing"), { recursive: true });
  const after = await run(env(), "refresh", later({ hours: 2 }));
  expect([after.failed, after.changed, after.snapshot]).toEqual([false, false, current?.manifest.id]);
  expect(after.base?.files).toMatchObject([
    { path: damaged?.path, outcome: expect.stringMatching(/^restored from s3:.*lake$/) },
  ]);
  expect(await readCurrent(folder.artifacts)).toEqual(current);
});

it("a file that only an earlier snapshot has comes back from the bucket: at once, or, if it is there and damaged, a day later", async () => {
  const earlier = await readCurrent(folder.artifacts);
  const { failed, snapshot } = await run(env(), "refresh", later({ days: 1 }));
  const current = await readCurrent(folder.artifacts);
  const named = new Set(current?.manifest.files.map(({ path }) => path));
  const [gone, damaged] = earlier?.manifest.files.filter(({ path }) => !named.has(path)) ?? [];
  const sizeOf = async (file: typeof gone) => (await stat(join(folder.artifacts, file?.path ?? ""))).size;
  await rm(join(folder.artifacts, gone?.path ?? ""));
  await truncate(join(folder.artifacts, damaged?.path ?? ""), 50);
  await rm(join(folder.artifacts, "checkouts"), { recursive: true });
  await run(env(), "refresh", later({ days: 1, hours: 1 }));
  expect([failed, snapshot === earlier?.manifest.id]).toEqual([false, false]);
  expect([await sizeOf(gone), await sizeOf(damaged)]).toEqual([gone?.bytes, 50]);
  await run(env(), "refresh", later({ days: 2 }));
  expect(await sizeOf(damaged)).toBe(damaged?.bytes);
});

it("a new machine serves what is in the bucket without a crawl", async () => {
  const snapshot = (await readCurrent(folder.artifacts))?.manifest.id;
  expect(snapshot).toBe(inBucket().id);
  await rm(folder.artifacts, { recursive: true });
  upstream.requests.length = 0;
  expect(await ensure(readPipelineConfig({ ...env(), LOG_LEVEL: "silent" }))).toBe(true);
  expect([(await readCurrent(folder.artifacts))?.manifest.id, upstream.requests]).toEqual([snapshot, []]);
});

it("a machine that lost everything goes on with all that was recorded", async () => {
  await run(env(), "refresh", later({ days: 2, hours: 1 }));
  const before = inBucket();
  await rm(folder.artifacts, { recursive: true });
  await rm(folder.data, { recursive: true });
  const after = await run(env(), "refresh", later({ days: 3 }));
  expect([after.failed, after.store?.problems]).toEqual([false, []]);
  expect(inBucket().generation).toBeGreaterThan(before.generation);
  expect(rowsIn(inBucket(), "enrollment_history")).toBe(rowsIn(before, "enrollment_history"));
  expect(rowsIn(inBucket(), "enrollment_periods")).toBeGreaterThanOrEqual(rowsIn(before, "enrollment_periods"));
  // The backups of the days before come from the bucket.
  await rm(folder.data, { recursive: true });
  expect(await restore(readPipelineConfig(env()), "2019-10-11")).toBe(true);
  expect((await readdir(join(folder.data, "backup/snapshots"))).length).toBeGreaterThan(2);
  const restored = await run(env(), "refresh", later({ days: 3, hours: 1 }));
  expect([restored.store?.problems, inBucket().id]).toEqual([[], (await readCurrent(folder.artifacts))?.manifest.id]);
}, 120_000);

it("backups of a contract version that is refused stay there, and a snapshot of one is not replaced", async () => {
  const { aws } = readPipelineConfig(env());
  const store = openStore(new URL(env().PUBLISH_TO), { aws });
  const list = JSON.stringify({ contract: 9, files: [{ sha256: "9".repeat(64) }] });
  const keys = ["backup/2000-01-01.json", "backup/2019-10-13.json", `backup/files/${"9".repeat(64)}.parquet`];
  const textOf = (key: string) => String(s3.objects().get(`lake/${key}`)?.body);
  for (const key of keys) {
    await store.remove(key);
    await store.create(key, list);
  }
  expect((await run(env(), "refresh", later({ days: 3 }))).store?.problems).toEqual([]);
  expect(keys.map(textOf)).toEqual(keys.map(() => list));

  const current = (await store.read("current.json")) as Stored;
  // Before the first release it was the manifest as a server lists it.
  const older = JSON.stringify({ contract: 9, id: "9".repeat(16), generation: 9, tables: {} });
  expect(await store.replace("current.json", older, current.etag)).toBe(true);
  s3.requests.length = 0;
  const { code, err } = await start("pipeline/main.ts", ["refresh"], env()).ended;
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(`the snapshot in ${store.name} was written by a version of`),
  ]);
  expect([puts(), textOf("current.json")]).toEqual([[], older]);
  expect((await start("pipeline/main.ts", ["export", env().PUBLISH_TO], env()).ended).code).toBe(2);
  expect([puts().filter(({ key }) => key.startsWith("lake/current")), textOf("current.json")]).toEqual([[], older]);
}, 120_000);

it.each([
  ["that lacks a guarantee", { lacks: ["if-none-match"] as const }, 2, "does not guarantee If-None-Match"],
  ["whose keys are wrong", {}, 1, "status 403"],
])("a store %s: status and words", async (_, options, code, words) => {
  const other = await openS3Store(options);
  try {
    // A single product is enough.
    const none = Object.fromEntries(
      Object.keys(upstream.urls).flatMap((name) => (name === "LARC_URL" ? [] : [[name, ""]])),
    );
    const wrong = code === 1 ? { AWS_SECRET_ACCESS_KEY: "wrong" } : {};
    const {
      code: ended,
      err,
      out,
    } = await start("pipeline/main.ts", ["build"], { ...env(), ...other.env, ...wrong, ...none }).ended;
    expect([ended, `${err}${out}`]).toEqual([code, expect.stringContaining(words)]);
    expect([...other.objects().keys()]).toEqual([]);
  } finally {
    await other.close();
  }
});
