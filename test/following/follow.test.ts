/** A server that follows another one: swaps arrive whole; an origin that breaks or lies changes nothing of what is served. */
import { mkdtempSync, rmSync } from "node:fs";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { BulkManifest } from "../../pipeline/contract/bulk-manifest.ts";
import { exportSnapshot } from "../../pipeline/following/export.ts";
import { type Follower, openFollower, readFollowUrl } from "../../pipeline/follow.ts";
import { silentLog } from "../../pipeline/log.ts";
import { writeFreshness } from "../../pipeline/publish/freshness.ts";
import { readCurrent } from "../../pipeline/publish/generation.ts";
import { acquireLock } from "../../pipeline/publish/lock.ts";
import { gradeRow } from "../publish/scratch.ts";
import { openFolder, serve } from "../world.ts";
import { publishRows } from "../server/published.ts";
import { ask } from "../server/wire.ts";

const rows = (count: number) => Array.from({ length: count }, (_, n) => gradeRow({ sectionCode: String(10_000 + n) }));

/** What the way to the origin does to an answer; undefined = nothing. */
type Fault = (request: IncomingMessage, response: ServerResponse, body: Buffer) => boolean;

/** Stands between a follower and its origin, counts what is asked, and breaks what it is told to. */
async function openWay(origin: string) {
  const asked: { path: string; range: string | undefined; status: number }[] = [];
  let fault: Fault | undefined;
  const server = createServer((request, response) => {
    // Not compressed, so that the text can be changed.
    const headers = { ...request.headers, "accept-encoding": "identity" };
    const upstream = send(`${origin}${request.url}`, { headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        asked.push({ path: request.url ?? "", range: request.headers.range, status: answer.statusCode ?? 0 });
        const body = Buffer.concat(parts);
        if (fault?.(request, response, body)) return;
        response.writeHead(answer.statusCode ?? 500, answer.headers).end(body);
      });
    });
    upstream.on("error", () => response.destroy());
    upstream.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    breakBy: (next: Fault | undefined) => void (fault = next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

let origin: Awaited<ReturnType<typeof openFolder>>;
let originServer: Awaited<ReturnType<typeof serve>>;
let way: Awaited<ReturnType<typeof openWay>>;
beforeAll(async () => {
  origin = await openFolder();
  await publishRows(origin.artifacts, { grades: [...rows(50), gradeRow({ year: "2023" })] });
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
  const { id } = await publishRows(origin.artifacts, { grades: rows(count) });
  await vi.waitFor(async () => expect((await originManifest()).id).toBe(id), { timeout: 10_000 });
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
  openFollower({ url: readFollowUrl(url), artifactsDir: artifacts, everyMs: 3_600_000, log: silentLog, idleMs });
const copied = async () => (await readCurrent(artifacts))?.manifest;
const files = () => way.asked.filter(({ path }) => path.endsWith(".parquet"));

describe("a copy", () => {
  it("is the same snapshot: same id, number, time, source, files and freshness", async () => {
    await follower.look();
    expect(follower.state().problem).toBeNull();
    expect(await copied()).toEqual((await readCurrent(origin.artifacts))?.manifest);
    const freshness = async (folder: string) =>
      JSON.parse(await readFile(join(folder, "freshness.json"), "utf8")) as unknown;
    expect(await freshness(artifacts)).toEqual(await freshness(origin.artifacts));
    expect(await readdir(join(artifacts, "staging"))).toEqual([]);
  });

  it("asks conditionally, and for changed files only; unchanged ones are shared on the disk", async () => {
    await follower.look();
    expect(files()).toHaveLength(2);
    await follower.look();
    expect(way.asked.at(-1)?.status).toBe(304);
    const id = await publishAtOrigin(60);
    await follower.look();
    expect((await copied())?.id).toBe(id);
    expect(
      files()
        .slice(2)
        .map(({ path }) => path.split("/")[5]),
    ).toEqual(["year=2024"]);
    expect(await readdir(join(artifacts, "generations"))).toHaveLength(2);
  });

  it("takes over a new freshness alone", async () => {
    await follower.look();
    const { freshness, id } = await originManifest();
    const later = { ...freshness, nextRefresh: "2032-02-02T00:00:00.000Z" };
    await writeFreshness(origin.artifacts, later);
    await expect.poll(async () => (await originManifest()).freshness, { timeout: 10_000 }).toEqual(later);
    await follower.look();
    expect(JSON.parse(await readFile(join(artifacts, "freshness.json"), "utf8"))).toEqual(later);
    expect((await copied())?.id).toBe(id);
  });

  it("takes the lock of every run: while another holds it nothing is copied", async () => {
    const lock = await acquireLock(join(artifacts, "lock"));
    await follower.look();
    expect([follower.state().problem, await copied()]).toEqual(["another run holds the lock", undefined]);
    await lock.release();
    await follower.look();
    expect([follower.state().problem, (await copied())?.id]).toEqual([null, (await originManifest()).id]);
  });

  it("that cannot be written says so without a word of where", async () => {
    await writeFile(join(artifacts, "generations"), "no folder");
    await follower.look();
    expect(follower.state().problem).toMatch(/^it cannot be published here \(\w+\)$/);
    await rm(join(artifacts, "generations"));
    await follower.look();
    expect(follower.state().problem).toBeNull();
  });

  it("of a static folder is the same; it is exported again and again into one place", async () => {
    const folder = join(artifacts, "static");
    await exportSnapshot(origin.artifacts, folder);
    const statics = createServer((request, response) => {
      readFile(join(folder, request.url ?? "")).then(
        (bytes) => response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => void statics.listen(0, "127.0.0.1", resolve));
    const other = follow(`http://127.0.0.1:${(statics.address() as AddressInfo).port}/`);
    await other.look();
    expect([other.state().problem, await copied()]).toEqual([null, (await readCurrent(origin.artifacts))?.manifest]);
    const id = await publishAtOrigin(70);
    await exportSnapshot(origin.artifacts, folder);
    await other.look();
    expect([other.state().problem, (await copied())?.id]).toEqual([null, id]);
    await other.close();
    await new Promise((resolve) => statics.close(resolve));
  });
});

describe("an origin that breaks or lies", () => {
  /** A folder into which the snapshot before was copied, and what is new at the origin. */
  let seed: string;
  let id: string;
  beforeAll(async () => {
    seed = mkdtempSync(join(tmpdir(), "followed-"));
    const first = openFollower({ url: readFollowUrl(way.url), artifactsDir: seed, everyMs: 3_600_000, log: silentLog });
    await first.look();
    await first.close();
    id = await publishAtOrigin(100);
  });
  afterAll(() => rmSync(seed, { recursive: true, force: true }));

  /** Answers the manifest with what `change` makes of it. */
  const lying =
    (change: (manifest: BulkManifest) => unknown): Fault =>
    (request, response, body) => {
      if (!request.url?.endsWith("manifest.json") || body.length === 0) return false;
      response.writeHead(200).end(JSON.stringify(change(JSON.parse(body.toString()) as BulkManifest)));
      return true;
    };
  const inFile =
    (answer: (response: ServerResponse, body: Buffer) => unknown): Fault =>
    (request, response, body) => {
      if (!request.url?.endsWith(".parquet")) return false;
      answer(response, body);
      return true;
    };
  /** A manifest whose grades are changed, with an id that fits nevertheless. */
  const withFiles = (change: (file: BulkManifest["tables"][string]["files"][number]) => object) =>
    lying((manifest) => {
      const grades = manifest.tables["grades"];
      return {
        ...manifest,
        tables: {
          ...manifest.tables,
          grades: { ...grades, files: grades?.files.map((file) => ({ ...file, ...change(file) })) },
        },
      };
    });

  const FAULTS: [string, Fault, RegExp][] = [
    ["a manifest that fails", (_request, response) => !response.writeHead(500).end().closed, /answers 500/],
    ["a manifest that is no JSON", (_r, response) => !response.writeHead(200).end("<html>").closed, /no JSON/],
    ["a manifest without its tables", lying((manifest) => ({ ...manifest, tables: undefined })), /damaged at tables/],
    ["another contract version", lying((manifest) => ({ ...manifest, contract: 99 })), /contract version 99/],
    ["an id that is not that of the files", lying((manifest) => ({ ...manifest, id: "0".repeat(16) })), /snapshot id/],
    ["a file outside of its place", withFiles(() => ({ path: "../../../escaped.parquet" })), /not where it belongs/],
    ["a file of no year", withFiles(() => ({ partition: { year: "../.." } })), /not where it belongs/],
    ["an address elsewhere", withFiles(() => ({ url: "//127.0.0.2/x" })), /none below its own/],
    ["other rows than announced", withFiles(({ rows }) => ({ rows: rows + 1 })), /has not \d+ rows/],
    ["a generation that vanished", inFile((response) => response.writeHead(404).end()), /answers 404/],
    [
      "a file that is another",
      inFile((response, body) => response.end(Buffer.alloc(body.length))),
      /does not have its hash/,
    ],
    ["a file that is longer", inFile((response, body) => response.end(Buffer.concat([body, body]))), /longer than/],
    ["a file that is shorter", inFile((response, body) => response.end(body.subarray(0, 99))), /was cut off/],
    [
      "a connection that breaks",
      inFile((response, body) => {
        response.writeHead(200, { "Content-Length": body.length }).write(body.subarray(0, 99));
        setTimeout(() => response.destroy(), 20);
      }),
      /could not be fetched/,
    ],
  ];

  it.each(FAULTS)(
    "%s: what is published stays, the problem is told, and it goes on afterwards",
    async (_what, fault, problem) => {
      await cp(seed, artifacts, { recursive: true, verbatimSymlinks: true });
      const before = await copied();
      expect(before?.id).not.toBe(id);
      way.breakBy(fault);
      await follower.look();
      expect(follower.state().problem).toMatch(problem);
      expect(await copied()).toEqual(before);
      way.breakBy(undefined);
      await follower.look();
      expect([follower.state().problem, (await copied())?.id]).toEqual([null, id]);
    },
  );

  it("one that falls silent is given up", async () => {
    const impatient = follow(way.url, 100);
    way.breakBy(inFile((response, body) => response.writeHead(200).write(body.subarray(0, 9))));
    await impatient.look();
    expect(impatient.state().problem).toMatch(/did not come in time/);
    expect(await copied()).toBeUndefined();
    await impatient.close();
  });

  it("a download that was cut off goes on where it ended", async () => {
    way.breakBy(inFile((response, body) => response.end(body.subarray(0, 99))));
    await follower.look();
    way.breakBy(undefined);
    way.asked.length = 0;
    await follower.look();
    expect([follower.state().problem, (await copied())?.id]).toEqual([null, (await originManifest()).id]);
    expect(files()[0]).toMatchObject({ range: "bytes=99-", status: 206 });
  });
});

describe("a replica", () => {
  it("serves what the origin serves, answer by answer and tag by tag; a swap arrives; trouble shows in /ready", async () => {
    const replica = await serve({ ARTIFACTS_DIR: artifacts, FOLLOW_URL: way.url });
    const both = (path: string) => Promise.all([originServer.url, replica.url].map((base) => ask(`${base}${path}`)));
    const id = await publishAtOrigin(200);
    const ready = async () =>
      (await ask(`${replica.url}/ready`)).json<{
        status: string;
        snapshot: string;
        following: { problem: string | null };
      }>();
    await expect.poll(async () => (await ready()).snapshot, { timeout: 10_000 }).toBe(id);
    for (const path of [
      "/v1/rest/grades/raw",
      "/v1/rest/grades/aggregate?year=2023",
      "/v1/rest/grades/raw?format=csv",
      "/v1/data/manifest.json",
    ]) {
      const [one, other] = await both(path);
      expect([path, other?.status, other?.text, other?.headers.etag]).toEqual([
        path,
        200,
        one?.text,
        one?.headers.etag,
      ]);
      expect(other?.headers["last-modified"]).toBe(one?.headers["last-modified"]);
    }
    const file = (await originManifest()).tables["grades"]?.files[0]?.url ?? "";
    const [one, other] = await both(file);
    expect([other?.status, other?.raw.equals(one?.raw ?? Buffer.alloc(0))]).toEqual([200, true]);
    way.breakBy((_request, response) => !response.writeHead(500).end().closed);
    await expect
      .poll(ready, { timeout: 10_000 })
      .toMatchObject({ status: "degraded", following: { problem: expect.stringMatching(/answers 500/) as string } });
    expect((await ask(`${replica.url}/v1/rest/grades/raw`)).status).toBe(200);
    way.breakBy(undefined);
    await replica.close();
  });
});

describe("the address", () => {
  it.each(["ftp://x", "x", "http://", "http://x/?a", "file:///x"])("%s is none", (text) => {
    expect(() => readFollowUrl(text)).toThrow(/FOLLOW_URL must be the web address of a server/);
  });
});
