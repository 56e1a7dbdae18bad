/** Which snapshot is served: the newest sound one, from the moment it is published, and the last good one while a newer is damaged. */
import { cpSync, existsSync, renameSync, rmSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { layoutOf, nameOf } from "../../../pipeline/store/layout.ts";
import { openPublisher, type Publisher } from "../../pipeline/publish/publisher.ts";
import { scratchDatabase } from "../../pipeline/publish/scratch.ts";
import { someOf } from "../../support/extent.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { flipByte, setCurrent, withObject } from "./store-damages.ts";

const database = await scratchDatabase(1);

let folder: Awaited<ReturnType<typeof openFolder>>;
let publisher: Publisher;
let server: Awaited<ReturnType<typeof serve>> | undefined;

beforeEach(async () => {
  folder = await openFolder();
  publisher = await openPublisher(folder.artifacts, { rows: 20, tables: ["grades"], database });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  publisher.close();
  await folder.remove();
});

interface Ready {
  status: string;
  snapshot: string | null;
  generation: number | null;
  refused: string | null;
}

async function ready(): Promise<Ready & { http: number }> {
  const response = await fetch(`${server?.url}/ready`);
  return { ...((await response.json()) as Ready), http: response.status };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 300) throw new Error("it never came to that");
    await sleep(20);
  }
}

/** The stamp that every row carries. */
async function servedStamp(): Promise<number | undefined> {
  const response = await server?.get("/grades/raw");
  if (response?.status !== 200) return undefined;
  const rows = (await response.json()) as { gradeACount: number }[];
  const stamps = new Set(rows.map((row) => row.gradeACount));
  expect([rows.length, stamps.size]).toEqual([40, 1]);
  return [...stamps][0];
}

type Damage = (artifacts: string, manifest: Manifest) => void | Promise<void>;

/** Puts a snapshot into service that was sound before `damage` got at it: the pointer is replaced when all else is there. */
async function publishDamaged(damage: Damage): Promise<void> {
  const { artifacts } = folder;
  const aside = join(dirname(artifacts), "aside");
  cpSync(artifacts, aside, { recursive: true, verbatimSymlinks: true });
  const other = await openPublisher(aside, { rows: 20, tables: ["grades"], database });
  const { manifest } = (await other.publish()).published;
  other.close();
  await damage(aside, manifest);
  for (const name of ["grades", "snapshots"])
    if (existsSync(join(aside, name))) cpSync(join(aside, name), join(artifacts, name), { recursive: true });
  renameSync(layoutOf(aside).pointer, layoutOf(artifacts).pointer);
  rmSync(aside, { recursive: true });
}

const firstFile = (artifacts: string, { files }: Manifest) => join(artifacts, files[0]?.path ?? "");

const DAMAGES: readonly (readonly [what: string, damage: Damage, why: RegExp])[] = [
  ["a flipped byte", (...of) => flipByte(firstFile(...of)), /the content has another SHA-256/],
  ["a file that is cut off", (...of) => truncateSync(firstFile(...of), 100), /: 100 bytes, not \d+$/],
  ["a file that is gone", (...of) => unlinkSync(firstFile(...of)), /\.parquet: missing$/],
  [
    "another contract version",
    (artifacts, manifest) => setCurrent(artifacts, { ...manifest, contract: CONTRACT_VERSION + 1 }),
    /contract version/,
  ],
  [
    "a file that is no Parquet, under its right hash",
    async (artifacts, manifest) => {
      unlinkSync(join(layoutOf(artifacts).snapshots, `${nameOf(manifest)}.json`));
      await setCurrent(artifacts, await withObject(artifacts, manifest, "grades", Buffer.from("this is no Parquet")));
    },
    /does not load/,
  ],
];
const cutOff: Damage = (artifacts) => truncateSync(layoutOf(artifacts).pointer, 50);

describe("before the first publication", () => {
  it('"503 no data published yet", then 200 without a restart', async () => {
    server = await serve(folder.env);
    for (const path of ["/grades/raw", "/schedule/terms", "/week", "/courses/X1"]) {
      const response = await server.get(path);
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "30"]);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(await response.json()).toMatchObject({ statusCode: 503, error: "Service Unavailable" });
    }
    expect((await server.get("/nothing")).status).toBe(404);
    expect((await server.get("/week", { method: "POST" })).status).toBe(405);
    expect(await ready()).toMatchObject({ http: 503, status: "no data", snapshot: null });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect((await fetch(`${server.url}/`)).status).toBe(200);
    const { id } = await publisher.publish(7);
    await until(async () => (await servedStamp()) === 7);
    expect(await ready()).toMatchObject({ http: 200, status: "ready", snapshot: id, generation: 1, refused: null });
  });
});

describe("a newer generation", () => {
  it("is served as soon as it is published; its tags are new", async () => {
    await publisher.publish();
    server = await serve(folder.env);
    const { headers } = await server.get("/grades/raw");
    await publisher.publish();
    await until(async () => (await servedStamp()) === 2);
    const after = await server.get("/grades/raw", { headers: { "if-none-match": headers.get("etag") ?? "" } });
    expect(after.status).toBe(200);
    expect(after.headers.get("x-data-snapshot")).not.toBe(headers.get("x-data-snapshot"));
  });

  // `store-swaps.test.ts` has every damage, without a server for each.
  it.each([...someOf(DAMAGES, 2), ["a pointer that is cut off", cutOff, /^current\.json is no JSON$/] as const])(
    "with %s is refused: the old one stays, readiness says why, a good one recovers",
    async (_what, damage, why) => {
      await publisher.publish();
      server = await serve(folder.env);
      const tag = (await server.get("/grades/raw")).headers.get("etag");
      await publishDamaged(damage);
      await until(async () => (await ready()).status === "degraded");
      const { refused, ...state } = await ready();
      expect(state).toMatchObject({ http: 200, generation: 1 });
      expect(refused).toMatch(why);
      expect(refused).not.toContain(folder.artifacts);
      expect(await servedStamp()).toBe(1);
      expect((await server.get("/grades/raw")).headers.get("etag")).toBe(tag);
      await publisher.publish(9);
      await until(async () => (await servedStamp()) === 9);
      expect(await ready()).toMatchObject({ status: "ready", refused: null });
    },
  );
});

describe("a start", () => {
  it.each(someOf(DAMAGES, 2))(
    "on %s falls back to an older generation, until a good one is published",
    async (_what, damage, why) => {
      await publisher.publish();
      await publishDamaged(damage);
      server = await serve(folder.env);
      expect(await servedStamp()).toBe(1);
      expect(await ready()).toMatchObject({
        http: 200,
        status: "degraded",
        generation: 1,
        refused: expect.stringMatching(why) as string,
      });
      await publisher.publish(9);
      await until(async () => (await servedStamp()) === 9);
      expect(await ready()).toMatchObject({ status: "ready", refused: null });
    },
  );

  it("on a damaged pointer serves the newest snapshot whose manifest can be read", async () => {
    await publisher.publish();
    await publisher.publish();
    const { manifest } = (await publisher.publish()).published;
    await cutOff(folder.artifacts, manifest);
    truncateSync(join(layoutOf(folder.artifacts).snapshots, `${nameOf(manifest)}.json`), 50);
    server = await serve(folder.env);
    expect(await servedStamp()).toBe(2);
    const refused = "current.json is no JSON";
    expect(await ready()).toMatchObject({ http: 200, status: "degraded", generation: 2, refused });
    await publisher.publish(9);
    await until(async () => (await servedStamp()) === 9);
    expect(await ready()).toMatchObject({ status: "ready", refused: null });
  });

  it("without a pointer serves the newest snapshot", async () => {
    await publisher.publish();
    await publisher.publish();
    rmSync(layoutOf(folder.artifacts).pointer);
    server = await serve(folder.env);
    expect(await servedStamp()).toBe(2);
    expect(await ready()).toMatchObject({ http: 200, status: "degraded", refused: "current.json is missing" });
    await publisher.publish(9);
    await until(async () => (await servedStamp()) === 9);
    expect(await ready()).toMatchObject({ status: "ready", refused: null });
  });

  it("on nothing but damage answers 503 until something sound is published", async () => {
    await cutOff(folder.artifacts, (await publisher.publish()).published.manifest);
    rmSync(layoutOf(folder.artifacts).snapshots, { recursive: true });
    server = await serve(folder.env);
    expect((await server.get("/grades/raw")).status).toBe(503);
    expect(await ready()).toMatchObject({ http: 503, status: "no data", refused: "current.json is no JSON" });
    await publisher.publish(5);
    await until(async () => (await servedStamp()) === 5);
  });

  it("with a freshness file that is damaged serves all the same", async () => {
    await publisher.publish();
    writeFileSync(layoutOf(folder.artifacts).freshness, "{");
    server = await serve(folder.env);
    const { status, headers } = await server.get("/grades/raw");
    expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=60"]);
  });
});
