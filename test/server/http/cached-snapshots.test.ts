/** Cached responses do not keep the snapshots in memory that they came from. */
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import MiniSearch from "minisearch";
import { afterAll, beforeAll, expect, it } from "vitest";
import { publishRows } from "../../support/published/published.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { courseRow } from "../../support/worlds/catalogue-rows.ts";
import { ask } from "./wire.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let folder: Awaited<ReturnType<typeof openFolder>>;
let server: Awaited<ReturnType<typeof serve>>;
const publish = (round: number) =>
  publishRows(folder.artifacts, { courses: [courseRow({ department: "DANCE", title: `Round ${round}` })] });
beforeAll(async () => {
  folder = await openFolder();
  await publish(0);
  server = await serve(folder.env);
});
afterAll(async () => {
  await server?.close();
  await folder?.remove();
});

it("a snapshot that is no longer served is collected, though responses of it are cached", async () => {
  const get = (path: string) => ask(`${server.url}/v1/rest${path}`);
  for (let round = 1; round <= 6; round++) {
    const { id } = await publish(round);
    await expect.poll(async () => (await get("/courses/all")).headers["x-data-snapshot"], { timeout: 20_000 }).toBe(id);
    for (const path of [`/search?q=round${round}`, `/courses/all?round=${round}`, `/courses/all?asOf=${id}`])
      for (const cache of ["rendered", "cached", "replayed"])
        expect([cache, (await get(path)).status]).toEqual([cache, 200]);
  }
  // One index belongs to the snapshot that is served, another to one that is still being replaced.
  await expect
    .poll(() => {
      collectGarbage();
      return queryObjects(MiniSearch, { format: "count" });
    })
    .toBeLessThanOrEqual(2);
});
