/** A small campus that was published once, at `OCTOBER`; each test goes on by hourly runs from a copy of its own. */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import { type Freshness, isMade } from "../../../pipeline/contract/documents/manifest.ts";
import { QUARTER_CODES, type Term } from "../../../pipeline/contract/vocabulary.ts";
import { later, readSmallWorld } from "../worlds/small-world.ts";
import type { World } from "../worlds/world.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { once } from "../once.ts";
import { openFolder, run } from "../whole-run.ts";

/** The term as the search form names it. */
export const formTerm = ({ year, quarter }: Term) => `${year}-${QUARTER_CODES[quarter]}`;

/** The data of all systems, including those of which runs then know only some. Tests that only read use it as it is. */
export const publishedCampus = once(async () => {
  const world = readSmallWorld();
  const upstream = await startUpstream(world, { recordsSplit: "term" });
  const built = await openFolder();
  expect((await run({ ...built.env, ...upstream.urls }, "build", later({}))).failed).toBe(false);
  return { world, upstream, built };
});

/** Call it where the tests are declared; `systems` are the addresses that the runs know, by default all. */
export function openHourlyCampus(systems?: readonly string[]) {
  let world: World;
  let upstream: Upstream;
  /** Every test goes on from a copy. */
  let built: Awaited<ReturnType<typeof openFolder>>;
  let folder: Awaited<ReturnType<typeof openFolder>>;

  beforeAll(async () => {
    ({ world, upstream, built } = await publishedCampus());
  });
  beforeEach(async () => {
    folder = await openFolder();
    await cp(built.data, folder.data, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await cp(built.artifacts, folder.artifacts, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    upstream.setWorld(world);
    upstream.setFaults([]);
    upstream.setClock();
    upstream.reset();
  });
  afterEach(() => folder.remove());

  /** The addresses of the systems. */
  const urls = () =>
    Object.fromEntries(Object.entries(upstream.urls).filter(([name]) => systems?.includes(name) ?? true));
  const refresh = (when: { days?: number; hours?: number }, env: Record<string, string> = {}) => {
    upstream.reset();
    return run({ ...folder.env, ...urls(), ...env }, "refresh", later(when));
  };
  const askedSystems = () => [...new Set(upstream.requests.map(({ system }) => system))].sort();
  const askedTerms = () => [...new Set(upstream.requests.flatMap(({ params }) => params["YearTerm"] ?? []))].sort();
  const exportsAsked = (status: number) =>
    upstream.requests
      .filter((request) => request.system === "records" && request.path !== "/records/" && request.status === status)
      .map(({ path }) => path.replace("/records/", ""));
  const freshness = async () =>
    JSON.parse(await readFile(join(folder.artifacts, "freshness.json"), "utf8")) as Freshness;
  /** The paths of the tables' files. */
  const files = async () => {
    const text = await readFile(join(folder.artifacts, "current/manifest.json"), "utf8");
    const manifest = JSON.parse(text) as { files: { table: string; path: string }[] };
    return manifest.files.filter((file) => !isMade(file)).map(({ path }) => path);
  };

  return {
    world: () => world,
    upstream: () => upstream,
    folder: () => folder,
    urls,
    refresh,
    askedSystems,
    askedTerms,
    exportsAsked,
    freshness,
    files,
  };
}
