/** Publishing to a bucket and to a folder, and following either. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import { LockedError, UsageError } from "../../../pipeline/errors.ts";
import { readPipelineConfig } from "../../../pipeline/settings/pipeline.ts";
import { openFollower } from "../../../pipeline/follow.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { readManifest, readPointer } from "../../../pipeline/store/pointer.ts";
import { openStore } from "../../../pipeline/store/open-store.ts";
import type { Store } from "../../../pipeline/store/store.ts";
import { openS3Store, type S3Store } from "../../support/s3/store.ts";
import { storedChange, storeRun } from "../../support/store-runs.ts";
import { gradeRow } from "../publish/scratch.ts";

let s3: S3Store;
let folder: string;
beforeEach(async () => {
  s3 = await openS3Store();
  folder = await mkdtemp(join(tmpdir(), "stores-"));
});
afterEach(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

/** A machine of its own that publishes to the bucket, or to a folder. */
function machine(name: string, to = `s3://${s3.bucket}/lake`): Record<string, string> {
  const at = join(folder, name);
  return {
    ...s3.env,
    ARTIFACTS_DIR: join(at, "artifacts"),
    DATA_DIR: join(at, "data"),
    PUBLISH_TO: to,
    SCHEDULE_URL: "http://127.0.0.1:9",
  };
}

const grade = (gradeACount: number) => gradeRow({ year: "2024", gradeACount });
const step = (n: number) => ({ grade: grade(n), change: storedChange(n) });
const localId = async (env: Record<string, string>) => (await readCurrent(env["ARTIFACTS_DIR"] ?? ""))?.manifest.id;

function storeOf(env: Record<string, string>): Store {
  const { aws, publishTo } = readPipelineConfig(env);
  return openStore(publishTo as URL, { aws });
}

async function current(store: Store): Promise<Manifest> {
  const pointer = await readPointer(store);
  if (typeof pointer !== "object") throw new Error("nothing is published");
  return pointer.snapshot;
}
const changesIn = async (store: Store): Promise<number> =>
  (await current(store)).files.filter(({ table }) => table === "changes").reduce((sum, { rows }) => sum + rows, 0);

describe.each(["a bucket", "a folder"])("%s", (kind) => {
  const to = () => (kind === "a bucket" ? `s3://${s3.bucket}/lake` : join(folder, "lake"));

  it("gets objects, manifest, pointer, Delta tables and what a static host needs; every listed file is there", async () => {
    const env = machine("a", to());
    const run = await storeRun(env, step(1));
    const store = storeOf(env);
    const manifest = await current(store);
    expect([manifest.id, run.store]).toEqual([run.id, { name: store.name, snapshot: run.id, problems: [] }]);
    const keys = new Set((await store.list("")).map(({ key }) => key).filter((key) => !key.startsWith(".")));
    for (const { path } of manifest.files) expect(keys).toContain(path);
    expect(await readManifest(store, manifest)).toEqual(manifest);
    expect(keys).toContain("grades/_delta_log/00000000000000000000.json");
    expect(keys).toContain("snapshots.json");
    const served = await store.read("v1/data/manifest.json");
    const { id, tables } = JSON.parse((served as { content: Buffer }).content.toString()) as BulkManifest;
    expect(id).toBe(manifest.id);
    for (const { url } of Object.values(tables).flatMap(({ files }) => files)) expect(keys).toContain(url.slice(1));
  });

  it("is gone on from by another machine: nothing that was recorded is lost", async () => {
    const [a, b] = [machine("a", to()), machine("b", to())];
    for (const [n, env] of [a, b, b, a, b].entries()) await storeRun(env, step(n + 1));
    const manifest = await current(storeOf(a));
    expect(await changesIn(storeOf(a))).toBe(5);
    expect(manifest.generation).toBe(5);
    expect([manifest.id, await localId(a)]).toEqual([await localId(b), expect.not.stringMatching(manifest.id)]);
    await storeRun(a, { grade: grade(5) });
    expect(await localId(a)).toBe(manifest.id);
  });

  it("is followed: the same snapshot, its freshness, and nothing is asked twice", async () => {
    const env = machine("a", to());
    const { id } = await storeRun(env, step(1));
    const artifacts = join(folder, "replica");
    const { aws, publishTo } = readPipelineConfig(env);
    const follower = openFollower({
      url: publishTo as URL,
      aws,
      artifactsDir: artifacts,
      everyMs: 3_600_000,
      log: silentLog,
    });
    try {
      await follower.poll();
      expect([follower.state().problem, (await readCurrent(artifacts))?.manifest.id]).toEqual([null, id]);
      expect(JSON.parse(await readFile(join(artifacts, "freshness.json"), "utf8"))).toEqual(
        JSON.parse(await readFile(join(env["ARTIFACTS_DIR"] ?? "", "freshness.json"), "utf8")),
      );
      s3.requests.length = 0;
      await storeRun(env, step(1));
      await follower.poll();
      expect(s3.requests.filter(({ method }) => method === "PUT")).toEqual([]);
      if (kind === "a bucket") {
        const asked = s3.requests.filter(({ status }) => status === 304);
        expect(asked.map(({ key }) => key)).toEqual(["lake/current.json"]);
      }
      const next = await storeRun(env, step(2));
      await follower.poll();
      expect((await readCurrent(artifacts))?.manifest.id).toBe(next.id);
    } finally {
      await follower.close();
    }
  });

  it("with data of another campus is refused", async () => {
    await storeRun(machine("a", to()), step(1));
    const { SCHEDULE_URL: _none, ...sample } = machine("b", to());
    await expect(storeRun(sample, step(1))).rejects.toThrow(UsageError);
  });
});

describe("a bucket", () => {
  it("that another publisher changed meanwhile: nothing is published, here or there, and the next run goes on", async () => {
    const [a, b] = [machine("a"), machine("b")];
    await storeRun(a, step(1));
    await storeRun(b, { grade: grade(1) });
    // The other one publishes while this one uploads its files.
    let other: Promise<unknown> | undefined;
    s3.faults.push(({ key, method }) => {
      if (method !== "PUT" || !key.includes("/snapshots/") || other) return undefined;
      other = storeRun(b, step(2));
      return { kind: "late-request", ms: 3_000 };
    });
    const before = await localId(a);
    await expect(storeRun(a, step(3))).rejects.toThrow(LockedError);
    await other;
    expect(await localId(a)).toBe(before);
    expect((await current(storeOf(a))).id).toBe(await localId(b));
    await storeRun(a, step(4));
    expect([(await current(storeOf(a))).id, await changesIn(storeOf(a))]).toEqual([await localId(a), 3]);
  });

  it("that is away: the run publishes here and says so, and the next one catches up", async () => {
    const env = machine("a");
    await storeRun(env, step(1));
    s3.faults.push(() => ({ kind: "lost-request" }));
    const alone = await storeRun(env, step(2));
    expect(alone.store.problems).toHaveLength(1);
    expect(alone.id).toBe(await localId(env));
    s3.faults.length = 0;
    const after = await storeRun(env, { grade: grade(2) });
    expect([after.changed, after.store.problems]).toEqual([false, []]);
    expect([(await current(storeOf(env))).id, await changesIn(storeOf(env))]).toEqual([alone.id, 2]);
  }, 60_000);

  it("that was away while another publisher went on: what was recorded here is in a backup, and said", async () => {
    const [a, b] = [machine("a"), machine("b")];
    await storeRun(a, step(1));
    s3.faults.push(() => ({ kind: "lost-request" }));
    const alone = await storeRun(a, step(2));
    s3.faults.length = 0;
    await storeRun(b, step(3));
    const after = await storeRun(a, step(4));
    expect(after.store.problems[0]).toContain(`what was recorded up to ${alone.id} is in a backup`);
    expect(await changesIn(storeOf(a))).toBe(3);
  }, 60_000);
});
