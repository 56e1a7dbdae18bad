/** Which snapshot is served, what becomes of the ones before, and of one that does not load. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { openDatabase } from "../../../pipeline/store/database.ts";
import { writeFreshness } from "../../../pipeline/store/freshness.ts";
import { sql } from "../../../server/duckdb/sql.ts";
import { createBodyCache } from "../../../server/http/cache.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";
import type { Snapshot } from "../../../server/snapshot/snapshot.ts";
import { openStore, type Store } from "../../../server/snapshot/store.ts";
import { openPublisher, type Publisher } from "../../pipeline/publish/publisher.ts";
import { publishRows } from "../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { DAMAGES } from "./store-damages.ts";

const TERM = { year: "2024", quarter: "Fall" } as const;
/** The store looks when it is told to. */
const NEVER = 2_000_000_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("the store", () => {
  let artifacts: string;
  let publisher: Publisher;
  let pool: Pool;
  let store: Store;

  beforeEach(async () => {
    artifacts = mkdtempSync(join(tmpdir(), "store-"));
    mkdirSync(artifacts, { recursive: true });
    const database = await openDatabase({ memoryLimit: "300MB", threads: 1, tempFolder: join(artifacts, "spill") });
    publisher = await openPublisher(artifacts, { rows: 20, database });
    await publisher.publish();
    pool = await createPool({ artifactsDir: artifacts });
    store = await openStore({ artifactsDir: artifacts, pool, log: silentLog, pollMs: NEVER });
    await store.current()?.prepare();
  });
  afterEach(async () => {
    await store.close();
    await pool.close();
    publisher.close();
    rmSync(artifacts, { recursive: true, force: true });
  });

  const publish = async () => {
    const { stamp } = await publisher.publish();
    await store.checkForUpdate();
    return stamp;
  };
  const stampOf = async (snapshot: Snapshot) => {
    const { from, records } = snapshot.tables.grades;
    const served = [...records.join().matchAll(/"gradeACount":(\d+)/g)].map(([, digits]) => Number(digits));
    const [[rows] = []] = await pool.columns(sql`SELECT count(*)::INTEGER FROM ${from}`);
    expect(rows).toBe(served.length);
    const [stamps = []] = await pool.columns(sql`SELECT DISTINCT gradeACount FROM ${from}`);
    return [...new Set([...(stamps as number[]), ...served])];
  };
  const titleOf = (snapshot: Snapshot) =>
    snapshot.withTerm(TERM, async ({ from }) => {
      const [titles = []] = await pool.columns(sql`SELECT DISTINCT "courseTitle" FROM ${from}`);
      return titles;
    });
  const loadedOf = (snapshot: Snapshot, term: Term) => snapshot.withTerm(term, (loaded) => Promise.resolve(loaded));
  const served = () => store.withSnapshot(stampOf);
  const tableCount = async () => {
    const [[count] = []] = await pool.columns(sql`SELECT count(*)::INTEGER FROM duckdb_tables()`);
    return count as number;
  };
  /** Drops are not waited for. */
  const settled = (count: number) => expect.poll(tableCount, { timeout: 30_000 }).toBe(count);

  it("switches to a new generation, whole, and drops the tables of the one before", async () => {
    const count = await tableCount();
    for (let i = 0; i < 8; i++) {
      const stamp = await publish();
      expect(await served()).toEqual([stamp]);
      expect(await store.withSnapshot((snapshot) => titleOf(snapshot) as Promise<unknown[]>)).toEqual([
        `GENERATION ${stamp}`,
      ]);
    }
    await settled(count);
  });

  it("what is running finishes on its own snapshot, also on a term that it has not loaded yet; then that is freed", async () => {
    const count = await tableCount();
    await store.withSnapshot(async (old) => {
      const before = await stampOf(old);
      for (let i = 0; i < 3; i++) await publish();
      expect(await served()).not.toEqual(before);
      expect(await stampOf(old)).toEqual(before);
      expect(await titleOf(old)).toEqual([`GENERATION ${before[0] ?? ""}`]);
      expect(await tableCount()).toBeGreaterThan(count);
    });
    await settled(count);
  });

  it("what did not change is not loaded again: each table, and each term", async () => {
    const before = store.current() as Snapshot;
    const term = await loadedOf(before, TERM);
    await publishRows(artifacts, { terms: [{ ...TERM, longName: "another name" }] });
    await store.checkForUpdate();
    const after = store.current() as Snapshot;
    expect(after.id).not.toBe(before.id);
    const shared = Object.entries(before.tables).map(([name, table]) => [
      name,
      table === after.tables[name as keyof typeof after.tables],
    ]);
    expect(Object.fromEntries(shared)).toEqual({
      former_names: true,
      grades: true,
      departments: true,
      terms: false,
      courses: true,
      instructors: true,
      larc: true,
      calendar: true,
    });
    expect(await loadedOf(after, TERM)).toBe(term);
  });

  it("the most requested terms are loaded before the switch", async () => {
    const years = ["2019", "2020", "2021", "2022", "2023", "2024"];
    const inAllTerms = (courseTitle: string) => ({
      sections: years.map((year) => sectionRow({ year, courseTitle })),
      headings: years.flatMap((year) => headingsOf([sectionRow({ year })])),
    });
    await publishRows(artifacts, inAllTerms("FIRST"));
    await store.checkForUpdate();
    const before = store.current() as Snapshot;
    for (const year of ["2019", "2021", "2019", "2020", "2019", "2020", "2022", "2022"])
      await loadedOf(before, { year, quarter: "Fall" });
    await publishRows(artifacts, inAllTerms("SECOND"));
    await store.checkForUpdate();
    const after = store.current() as Snapshot;
    expect(after.id).not.toBe(before.id);
    expect(after.loadedTerms().map(({ year }) => year)).toEqual(["2024", "2022", "2020", "2019"]);
    expect(await titleOf(after)).toEqual(["SECOND"]);
  });

  it.each(DAMAGES)(
    "refuses %s: the last good one stays, freshness with it, and nothing of it stays in memory",
    async (_, damage, why) => {
      const [good] = (await served()) as number[];
      const count = await tableCount();
      const fresh = { products: { grades: "2024-10-01T10:00:00.000Z" }, terms: {}, nextRefresh: null };
      await writeFreshness(artifacts, fresh);
      await store.checkForUpdate();
      const { published } = await publisher.publish();
      await writeFreshness(artifacts, { ...fresh, products: { grades: "2024-10-01T11:00:00.000Z" } });
      await damage(artifacts, published.manifest);
      await store.checkForUpdate();
      expect(await served()).toEqual([good]);
      expect(store.state().refused).toMatch(why);
      expect(store.freshness()).toEqual(fresh);
      await settled(count);
      // The next sound one is served at once.
      const stamp = await publish();
      expect(await served()).toEqual([stamp]);
      expect(store.state().refused).toBeUndefined();
      expect(store.freshness().products["grades"]).toBe("2024-10-01T11:00:00.000Z");
      await settled(count);
    },
  );

  it("a snapshot that was replaced is kept by nothing, least of all by the one after it", async () => {
    const seen: WeakRef<Snapshot>[] = [];
    for (let i = 0; i < 4; i++) {
      seen.push(new WeakRef(store.current() as Snapshot));
      await publish();
      await store.current()?.prepare();
    }
    const left = async () => {
      // Whatever was looked at in this turn of the event loop stays until its end.
      await sleep(20);
      collectGarbage();
      return seen.filter((one) => one.deref() !== undefined).length;
    };
    // The last two may still stand on somebody's stack.
    await expect.poll(left, { timeout: 30_000 }).toBeLessThanOrEqual(2);
  });

  it("tells when a snapshot has been freed, and not before: its answers can be forgotten", async () => {
    const freedFor: (string | undefined)[] = [];
    const events = {
      swapped() {},
      refused() {},
      disposed: (current: Snapshot | undefined) => void freedFor.push(current?.id),
    };
    const told = await openStore({
      artifactsDir: artifacts,
      pool,
      log: silentLog,
      pollMs: NEVER,
      events,
    });
    const before = told.current()?.id;
    let end = (): void => undefined;
    const using = told.withSnapshot(() => new Promise<void>((resolve) => (end = resolve)));
    await publisher.publish();
    await told.checkForUpdate();
    expect([told.current()?.id === before, freedFor]).toEqual([false, []]);
    end();
    await using;
    expect(freedFor).toEqual([told.current()?.id]);
    await told.close();

    const cache = createBodyCache();
    const answer = { bytes: Buffer.from("[]"), encoding: "identity", headers: {} } as const;
    for (const key of ["a identity /week", "ab identity /week"]) cache.set(key, answer);
    cache.retain(new Set(["ab"]));
    expect(["a identity /week", "ab identity /week"].map((key) => cache.find(key) !== undefined)).toEqual([
      false,
      true,
    ]);
  });

  it("starts with an older generation when the newest is damaged, and without any until there is one", async () => {
    const [good] = (await served()) as number[];
    const { published } = await publisher.publish();
    await DAMAGES[0]?.[1](artifacts, published.manifest);
    const late = await openStore({ artifactsDir: artifacts, pool, log: silentLog, pollMs: NEVER });
    expect(await late.withSnapshot(stampOf)).toEqual([good]);
    await late.close();

    const empty = mkdtempSync(join(tmpdir(), "store-empty-"));
    const waiting = await openStore({ artifactsDir: empty, pool, log: silentLog, pollMs: NEVER });
    expect(waiting.withSnapshot(stampOf)).toBeUndefined();
    await waiting.close();
    rmSync(empty, { recursive: true, force: true });
  });
});
