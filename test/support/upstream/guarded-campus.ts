/**
 * A small campus, published and served, and runs against its upstream's next state: for tests of the parts that a run
 * refuses.
 */
import { afterAll, beforeAll, expect } from "vitest";
import { FALL, later, NEXT_FALL, SUMMER, WINTER } from "../worlds/small-world.ts";
import type { Row, World } from "../worlds/world.ts";
import { publishedCampus } from "./hourly-campus.ts";
import type { Upstream } from "./upstream.ts";
import { copyFolder, type openFolder, run, serve } from "../whole-run.ts";

type Report = Awaited<ReturnType<typeof run>>;

/** Together they show every row that is published. */
const EVERYTHING = [
  ...[FALL, NEXT_FALL, WINTER, SUMMER].map(
    ({ year, quarter }) => `/schedule?year=${year}&quarter=${quarter}&cacheOnly=true&cancelledCourses=Include`,
  ),
  "/schedule/terms",
  "/schedule/depts",
  "/grades/raw",
  "/courses/all",
  "/instructors/all",
  "/larc?year=2019&quarter=Fall",
  "/larc?year=2020&quarter=Winter",
  "/week?year=2019&month=10&day=10",
];
export const [FALL_SCHEDULE, NEXT_SCHEDULE] = EVERYTHING as [string, string];

/** Call it where the tests are declared: it opens a copy of the campus before them and closes it after them. */
export function openGuardedCampus() {
  let world: World;
  let upstream: Upstream;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  let original: Record<string, unknown>;
  let hours = 0;

  beforeAll(async () => {
    const { built, ...opened } = await publishedCampus();
    ({ world, upstream } = opened);
    upstream.setWorld(world);
    upstream.setFaults([]);
    upstream.setClock();
    folder = await copyFolder(built);
    server = await serve(folder.env);
    original = await everything();
  });
  afterAll(async () => {
    await server?.close();
    await folder?.remove();
  });

  const everything = async () =>
    Object.fromEntries(await Promise.all(EVERYTHING.map(async (path) => [path, await server.json(path)])));

  /** Runs, and waits until its snapshot is served. */
  async function publish(mode: "build" | "refresh", env: Record<string, string> = {}): Promise<Report> {
    upstream.reset();
    // Failures here are permanent.
    const policy = { retries: 1 };
    const report = await run({ ...folder.env, ...upstream.urls, ...env }, mode, later({ hours: ++hours }), policy);
    const served = async () => (await server.get("/schedule/terms")).headers.get("x-data-snapshot");
    await expect.poll(served, { timeout: 30_000 }).toBe(report.snapshot);
    return report;
  }

  /** The upstream is as it was: after this run, so is everything that is served. */
  async function recover(mode: "build" | "refresh" = "refresh"): Promise<void> {
    upstream.setWorld(world);
    upstream.setFaults([]);
    const report = await publish(mode, { ALLOW_SHRINK: "1" });
    expect(report.products.filter(({ damaged, error }) => damaged.length > 0 || error)).toEqual([]);
    expect(await everything()).toEqual(original);
  }

  return {
    /** The world as it was published first. */
    world: () => world,
    upstream: () => upstream,
    server: () => server,
    original: () => original,
    everything,
    publish,
    recover,
    wait: (more: number) => void (hours += more),
  };
}

export const product = (report: Report, name: string) => report.products.find((product) => product.product === name);
/** Every tenth section but the first is gone. */
export const thinned = <T extends Row>(rows: T[], isThinned: (row: T) => boolean): T[] => {
  let seen = 0;
  return rows.filter((row) => !isThinned(row) || seen++ % 10 !== 9);
};
