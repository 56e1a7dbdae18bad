/** Earlier snapshots in memory: what they share, how many are open, and what a damaged file of one does. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";
import { sql } from "../../../server/duckdb/sql.ts";
import { DamagedSnapshot } from "../../../pipeline/store/manifest.ts";
import type { TableName } from "../../../pipeline/contract/tables.ts";
import type { Snapshot } from "../../../server/snapshot/snapshot.ts";
import type { Retained } from "../../../server/snapshot/earlier-generations.ts";
import { openStore, type Store } from "../../../server/snapshot/store.ts";
import { PARTS, publishVersion } from "../../support/published/published-worlds.ts";
import { openFolder } from "../../support/whole-run.ts";

/** Two more than are open at once, and the current one. */
const VERSIONS = 8;
const folder = await openFolder();
let pool: Pool;
let store: Store;
let earlier: Retained[];
beforeAll(async () => {
  for (let version = 0; version < VERSIONS; version++)
    await publishVersion(folder.artifacts, version, version === 0 ? PARTS : ["larc"]);
  pool = await createPool({ artifactsDir: folder.artifacts });
  store = await openStore({ artifactsDir: folder.artifacts, pool, log: silentLog });
  [, ...earlier] = await store.history.retained();
});
afterAll(async () => {
  await store.close();
  await pool.close();
  await folder.remove();
});

/** Of a client that stays. */
const withSnapshot = <T>(...[one, tables, use]: [Retained, readonly TableName[], (snapshot: Snapshot) => Promise<T>]) =>
  store.history.withSnapshot(one, tables, use, new AbortController().signal);

const at = (index: number): Retained => earlier[index] as Retained;
const tables = ["larc", "courses"] as const;

it("loads what is requested, and shares what is the same as now", async () => {
  const now = store.current()?.tables;
  await withSnapshot(at(0), tables, (snapshot) => {
    expect(Object.keys(snapshot.tables).sort()).toEqual(["courses", "larc"]);
    expect(snapshot.tables.courses.from).toBe(now?.courses.from);
    expect(snapshot.tables.larc.from).not.toBe(now?.larc.from);
    expect(snapshot.id).toBe(at(0).id);
    return Promise.resolve();
  });
});

it("is opened once for many requests", async () => {
  const found = await Promise.all(
    Array.from({ length: 20 }, () => withSnapshot(at(1), tables, (snapshot) => Promise.resolve(snapshot.tables.larc))),
  );
  expect(new Set(found).size).toBe(1);
});

it("waits while five others are in use, then replaces the one that is not", async () => {
  const uses = [0, 1, 2, 3, 4].map((index) => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const used = withSnapshot(at(index), ["larc"], async (snapshot) => {
      await ended;
      // It is still loaded.
      return pool.columns(sql`SELECT count(*)::INTEGER FROM ${snapshot.tables.larc.from}`);
    });
    return { used, end };
  });
  let isOpen = false;
  const sixth = withSnapshot(at(5), ["larc"], () => Promise.resolve(void (isOpen = true)));
  await new Promise((done) => setTimeout(done, 100));
  expect(isOpen).toBe(false);
  uses[2]?.end();
  await sixth;
  expect(isOpen).toBe(true);
  for (const { end } of uses) end();
  for (const { used } of uses) expect(await used).toEqual([[1]]);
});

it("is refused where a file is damaged, until it is whole again; other tables of it are read", async () => {
  const { manifest, folder: generation } = await store.history.readGeneration(at(6));
  const { path } = manifest.files.find(({ table }) => table === "larc") ?? { path: "" };
  const read = () => withSnapshot(at(6), ["larc"], () => Promise.resolve("read"));
  const bytes = await readFile(join(generation, path));
  const damaged = Buffer.from(bytes);
  damaged[50] = (damaged[50] ?? 0) ^ 1;
  await writeFile(join(generation, path), damaged);
  await expect(read()).rejects.toThrow(DamagedSnapshot);
  await withSnapshot(at(6), ["courses"], () => Promise.resolve());
  await writeFile(join(generation, path), bytes);
  expect(await read()).toBe("read");
});

it("is not waited for by a client that has gone away", async () => {
  const leaving = new AbortController();
  const ends: (() => void)[] = [];
  const uses = [0, 1, 2, 3, 4].map((index) =>
    withSnapshot(at(index), ["larc"], () => new Promise<void>((resolve) => ends.push(resolve))),
  );
  const left = store.history.withSnapshot(at(5), ["larc"], () => Promise.resolve("used"), leaving.signal);
  setTimeout(() => leaving.abort(), 20);
  await expect(left).rejects.toThrow("aborted");
  await expect.poll(() => ends.length).toBe(5);
  for (const end of ends) end();
  await Promise.all(uses);
});
