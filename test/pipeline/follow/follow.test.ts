/** A server that follows another one: swaps arrive whole, and it serves the same. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import { openFollower } from "../../../pipeline/follow.ts";
import { exportSnapshot } from "../../../pipeline/lake/complete.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { writeFreshness } from "../../../pipeline/store/freshness.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { acquireLock } from "../../../pipeline/disk/lock.ts";
import { readServerConfig } from "../../../pipeline/settings/server.ts";
import { ask } from "../../server/http/wire.ts";
import { serve } from "../../support/whole-run.ts";
import { followOrigin } from "./followed-origin.ts";

const { origin, originServer, way, artifacts, follower, originManifest, publishAtOrigin, follow, copied, files } =
  followOrigin();

describe("a copy", () => {
  it("is the same snapshot: same id, number, time, source, files and freshness", async () => {
    await follower().poll();
    expect(follower().state().problem).toBeNull();
    expect(await copied()).toEqual((await readCurrent(origin().artifacts))?.manifest);
    const freshness = async (folder: string) =>
      JSON.parse(await readFile(join(folder, "freshness.json"), "utf8")) as unknown;
    expect(await freshness(artifacts())).toEqual(await freshness(origin().artifacts));
    expect(await readdir(join(artifacts(), "staging"))).toEqual([]);
  });

  it("polls conditionally, and fetches changed files only; unchanged ones are shared on the disk", async () => {
    await follower().poll();
    expect(files()).toHaveLength(2);
    await follower().poll();
    expect(way().asked.at(-1)?.status).toBe(304);
    const id = await publishAtOrigin(60);
    await follower().poll();
    expect((await copied())?.id).toBe(id);
    expect(
      files()
        .slice(2)
        .map(({ path }) => path.split("/").at(-1)?.slice(0, 5)),
    ).toEqual(["2024-"]);
    expect(await readdir(join(artifacts(), "snapshots"))).toHaveLength(2);
  });

  it("takes over a new freshness alone", async () => {
    await follower().poll();
    const { freshness, id } = await originManifest();
    const later = { ...freshness, nextRefresh: "2032-02-02T00:00:00.000Z" };
    await writeFreshness(origin().artifacts, later);
    await expect.poll(async () => (await originManifest()).freshness, { timeout: 30_000 }).toEqual(later);
    await follower().poll();
    expect(JSON.parse(await readFile(join(artifacts(), "freshness.json"), "utf8"))).toEqual(later);
    expect((await copied())?.id).toBe(id);
  });

  it("takes the lock of every run: while another holds it nothing is copied", async () => {
    const lock = await acquireLock(join(artifacts(), "lock"));
    await follower().poll();
    expect([follower().state().problem, await copied()]).toEqual(["another run holds the lock", undefined]);
    await lock.release();
    await follower().poll();
    expect([follower().state().problem, (await copied())?.id]).toEqual([null, (await originManifest()).id]);
  });

  it("knows ten seconds later what the origin has removed since it published", async () => {
    let ms = Date.now();
    const url = new URL(way().url);
    const now = () => new Date(ms);
    const other = openFollower({ url, artifactsDir: artifacts(), everyMs: 3_600_000, log: silentLog, now });
    await publishAtOrigin(65);
    const { id } = await originManifest();
    const known = async () => {
      await other.poll();
      return [other.state().problem, other.origin.earlierThan(id)?.size];
    };
    const { length } = (await ask(`${originServer().url}/v1/snapshots`)).json<unknown[]>();
    expect([await known(), length > 1, other.origin.earlierThan("another")]).toEqual([
      [null, length - 1],
      true,
      undefined,
    ]);
    way().breakBy(({ url: path }, response) => path === "/v1/snapshots" && !response.end("[]").closed);
    expect(await known()).toEqual([null, length - 1]);
    ms += 10_000;
    expect(await known()).toEqual([null, 0]);
    await other.close();
  });

  it("that cannot be written says so without a word of where", async () => {
    await writeFile(join(artifacts(), "snapshots"), "no folder");
    await follower().poll();
    expect(follower().state().problem).toMatch(/^it cannot be published here \(\w+\)$/);
    await rm(join(artifacts(), "snapshots"));
    await follower().poll();
    expect(follower().state().problem).toBeNull();
  });

  it("of a static folder is the same; it is exported again and again into one place", async () => {
    const folder = join(artifacts(), "static");
    await exportSnapshot(origin().artifacts, openFolderStore(folder), { now: new Date() });
    const statics = createServer((request, response) => {
      readFile(join(folder, request.url ?? "")).then(
        (bytes) => response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => void statics.listen(0, "127.0.0.1", resolve));
    const other = follow(`http://127.0.0.1:${(statics.address() as AddressInfo).port}/`);
    await other.poll();
    const published = (await readCurrent(origin().artifacts))?.manifest;
    expect([other.state().problem, await copied()]).toEqual([null, published]);
    const id = await publishAtOrigin(70);
    await exportSnapshot(origin().artifacts, openFolderStore(folder), { now: new Date() });
    await other.poll();
    expect([other.state().problem, (await copied())?.id]).toEqual([null, id]);
    await other.close();
    await new Promise((resolve) => statics.close(resolve));
  });
});

describe("a replica", () => {
  it("serves what the origin serves, answer by answer and tag by tag; a swap arrives; trouble shows in /ready", async () => {
    const replica = await serve({ ARTIFACTS_DIR: artifacts(), FOLLOW_URL: way().url });
    const both = (path: string) => Promise.all([originServer().url, replica.url].map((base) => ask(`${base}${path}`)));
    const id = await publishAtOrigin(200);
    const ready = async () =>
      (await ask(`${replica.url}/ready`)).json<{
        status: string;
        snapshot: string;
        following: { problem: string | null };
      }>();
    await expect.poll(async () => (await ready()).snapshot, { timeout: 30_000 }).toBe(id);
    // A run writes the freshness after the snapshot, so that it may arrive one poll later.
    const freshness = async (base: string) =>
      (await ask(`${base}/v1/data/manifest.json`)).json<BulkManifest>().freshness;
    const written = JSON.parse(await readFile(join(origin().artifacts, "freshness.json"), "utf8")) as unknown;
    for (const base of [originServer().url, replica.url])
      await expect.poll(() => freshness(base), { timeout: 30_000 }).toEqual(written);
    for (const path of [
      "/v1/rest/grades/raw",
      "/v1/rest/grades/aggregate?year=2023",
      "/v1/rest/grades/raw?format=csv",
      "/v1/data/manifest.json",
    ]) {
      const [first, other] = await both(path);
      expect([path, other?.status, other?.text, other?.headers.etag]).toEqual([
        path,
        200,
        first?.text,
        first?.headers.etag,
      ]);
      expect(other?.headers["last-modified"]).toBe(first?.headers["last-modified"]);
    }
    const file = (await originManifest()).tables["grades"]?.files[0]?.url ?? "";
    const [first, other] = await both(file);
    expect([other?.status, other?.raw.equals(first?.raw ?? Buffer.alloc(0))]).toEqual([200, true]);
    way().breakBy((_request, response) => !response.writeHead(500).end().closed);
    await expect.poll(ready, { timeout: 30_000 }).toMatchObject({
      status: "degraded",
      following: { problem: expect.stringMatching(/returned status 500/) as string },
    });
    expect((await ask(`${replica.url}/v1/rest/grades/raw`)).status).toBe(200);
    way().breakBy(undefined);
    await replica.close();
  });
});

describe("the address", () => {
  it.each(["ftp://x", "x", "http://", "http://x/?a", "file://x/y"])("%s is none", (text) => {
    expect(() => readServerConfig({ FOLLOW_URL: text })).toThrow(/FOLLOW_URL must be the web address of a server/);
  });
});
