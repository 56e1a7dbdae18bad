/**
 * An origin, a follower that copies from it, and the connection between them, which counts requests and injects faults.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import type { BulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import { type Follower, openFollower } from "../../../pipeline/follow.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { gradeRow } from "../publish/scratch.ts";
import { publishRows } from "../../support/published/published.ts";
import { ask } from "../../server/http/wire.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { openWay, type Way } from "./way.ts";

const rows = (count: number) => Array.from({ length: count }, (_, n) => gradeRow({ sectionCode: String(10_000 + n) }));

/**
 * Call it where the tests are declared: an origin for all of them, a follower for each. `derive` publishes files of
 * views too.
 */
export function followOrigin({ derive = false } = {}) {
  let origin: Awaited<ReturnType<typeof openFolder>>;
  let originServer: Awaited<ReturnType<typeof serve>>;
  let way: Way;
  beforeAll(async () => {
    origin = await openFolder();
    await publishRows(origin.artifacts, { grades: [...rows(50), gradeRow({ year: "2023" })] }, { derive });
    originServer = await serve(origin.env);
    way = await openWay(originServer.url);
  });
  afterAll(async () => {
    await way?.close();
    await originServer?.close();
    await origin?.remove();
  });

  const originManifest = async () => (await ask(`${originServer.url}/v1/data/manifest.json`)).json<BulkManifest>();

  /** Publishes at the origin, and waits until it is announced. */
  async function publishAtOrigin(count: number): Promise<string> {
    const { id } = await publishRows(origin.artifacts, { grades: rows(count) }, { derive });
    // A run writes it after the snapshot, so that it may be announced later.
    const freshness: unknown = JSON.parse(readFileSync(join(origin.artifacts, "freshness.json"), "utf8"));
    await vi.waitFor(async () => expect(await originManifest()).toMatchObject({ id, freshness }), { timeout: 30_000 });
    return id;
  }

  let artifacts: string;
  let follower: Follower;
  beforeEach(() => {
    artifacts = mkdtempSync(join(tmpdir(), "follower-"));
    way.breakBy(undefined);
    way.asked.length = 0;
    follower = follow(way.url);
  });
  afterEach(async () => {
    await follower.close();
    rmSync(artifacts, { recursive: true, force: true });
  });

  /** Looks only when it is told to. */
  const follow = (url: string, idleMs = 2_000) =>
    openFollower({ url: new URL(url), artifactsDir: artifacts, everyMs: 3_600_000, log: silentLog, idleMs });
  const copied = async () => (await readCurrent(artifacts))?.manifest;
  const files = () => way.asked.filter(({ path }) => path.endsWith(".parquet"));

  return {
    /** The folder of what the origin publishes. */
    origin: () => origin,
    originServer: () => originServer,
    way: () => way,
    /** The folder of what was copied. */
    artifacts: () => artifacts,
    follower: () => follower,
    originManifest,
    publishAtOrigin,
    follow,
    copied,
    files,
  };
}
