/** The worlds for tests, each with an upstream double: the invented one always, the visible one if ../shared exists. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { shared } from "../shared.ts";
import { drawWorld } from "./drawn-world.ts";
import { startUpstream, type Upstream, type UpstreamOptions } from "../upstream/upstream.ts";
import type { World } from "./world.ts";

export interface TestWorld {
  readonly name: string;
  /** A fresh copy. */
  read(): World;
  start(world: World, options?: object): Promise<Upstream>;
}

export const inventedWorld: TestWorld = {
  name: "the invented world",
  read: drawWorld,
  start: (world, options: UpstreamOptions = {}) => startUpstream(world, options),
};

/** The visible world's lists do not treat `V.B` as a category. */
const withEveryCategory = (world: World): World => ({
  ...world,
  courses: world.courses.map((course) =>
    course.geText === "(II and V.B)" ? { ...course, geList: ["GE-2", "GE-5B"] } : course,
  ),
});

const visibleWorld = (folder: string): TestWorld => ({
  name: "the visible world",
  read: () =>
    withEveryCategory(
      JSON.parse(gunzipSync(readFileSync(`${folder}/real/world-visible.json.gz`)).toString("utf8")) as World,
    ),
  async start(world, options = {}) {
    const upstream = (await import(pathToFileURL(`${folder}/tools/upstream.mjs`).href)) as {
      startUpstream(world: World, options: object): Promise<Upstream>;
    };
    return upstream.startUpstream(world, options);
  },
});

export const testWorlds: readonly TestWorld[] = shared ? [inventedWorld, visibleWorld(shared)] : [inventedWorld];
