/** Whatever was requested of a snapshot and is still cached, the snapshot is collected once another one is served. */
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import MiniSearch from "minisearch";
import { afterAll, beforeAll, expect, it } from "vitest";
import { draws, someOf } from "../../support/extent.ts";
import { everyRequest } from "../../support/every-request.ts";
import { PARTS, publishVersion } from "../../support/published/published-worlds.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { ask } from "./wire.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
/** Counts the indexes for searches that are in memory. */
function indexes(): number {
  collectGarbage();
  return queryObjects(MiniSearch, { format: "count" });
}

const ROUNDS = draws(12, 2);
const ids = { "/courses/:id": "DANCE1", "/instructors/:id": "person1" };
const REQUESTS = someOf(everyRequest({ year: "2024", quarter: "Fall", ids }), 30);

/** Indexes of other tests in this process. */
let others: number;
let folder: Awaited<ReturnType<typeof openFolder>>;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  others = indexes();
  folder = await openFolder();
  await publishVersion(folder.artifacts, 0, PARTS);
  server = await serve(folder.env);
});
afterAll(async () => {
  await server?.close();
  await folder?.remove();
});

it("every endpoint in every format, of the current snapshot and by id", async () => {
  const get = (path: string) => ask(`${server.url}/v1/rest${path}`);
  const statuses = new Map<number, number>();
  for (let round = 1; round <= ROUNDS; round++) {
    const { id } = await publishVersion(folder.artifacts, round, PARTS);
    const served = async () => (await get("/courses/all")).headers["x-data-snapshot"];
    await expect.poll(served, { timeout: 20_000 }).toBe(id);
    // The second response comes from a cached body, and is cached itself.
    for (const request of REQUESTS.flatMap((path) => [path, path, `${path}&asOf=${id}`, `${path}&asOf=${id}`])) {
      const { status } = await get(request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  expect(statuses.get(200)).toBeGreaterThan(ROUNDS * REQUESTS.length);
  // Each snapshot has an index for searches: that of the current one, and of one that is still being replaced.
  await expect.poll(() => indexes() - others).toBeLessThanOrEqual(2);
}, 300_000);
