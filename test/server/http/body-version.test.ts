/** Bodies outlive the swaps that do not concern them, and no others. */
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { join } from "node:path";
import { endpoints } from "../../../server/endpoints/all.ts";
import { bodyVersion, bodyVersions } from "../../../server/http/cache.ts";
import type { Snapshot } from "../../../server/snapshot/snapshot.ts";
import { exampleOf } from "../../support/examples.ts";
import { isWhole } from "../../support/extent.ts";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import { hour, PARTS, publishVersion } from "../../support/published/published-worlds.ts";
import { openFolder } from "../../support/whole-run.ts";

/** Of these, each changes other parts. */
const swapsOf = (compat: boolean): number => (isWhole ? 9 : compat ? 1 : 3);
const AT_ONCE = 4;
const ASKED = [
  ...endpoints.map(exampleOf),
  "/schedule?year=2025&quarter=Winter&cacheOnly=true",
  "/schedule?year=2024&quarter=Fall&department=DANCE&format=csv",
  "/grades/raw?department=DANCE&limit=3&offset=2",
  "/grades/aggregateByOffering?format=ndjson",
  "/grades/raw?instructorIds=true",
  "/schedule?year=2024&quarter=Fall&netid=ramberl1&cacheOnly=true",
  "/enrollmentHistory?year=2019",
  "/instructors/all",
  "/courses/dance21",
  "/search?q=dance",
];

const folder = await openFolder();
afterAll(() => folder.remove());

/** Errors and the envelope of COMPAT=1 name the request and its time. */
const bare = (text: string): string => text.replaceAll(/"(requestId|timestamp)":"[^"]*"/g, '"$1":""');

async function ask(app: OpenedApp, asked: string) {
  // What every request for it gets from the second one on.
  const [, response] = [await app.get(asked), await app.get(asked)];
  return [asked, response.status, response.headers.get("etag"), bare(await response.text())];
}

describe.each([false, true])("COMPAT=%s", (compat) => {
  it("a server that saw every version answers as one that sees the last only", async () => {
    const artifacts = join(folder.artifacts, `swaps-${compat}`);
    const swaps = swapsOf(compat);
    const orders = fc.sample(fc.shuffledSubarray(PARTS, { minLength: PARTS.length }), { numRuns: swaps, seed: 23 });
    const drawn = orders.flat().slice(0, swaps * AT_ONCE);
    let now = hour(0);
    await publishVersion(artifacts, 0, PARTS);
    const old = await openApp(artifacts, () => now, { compat, judgedEvery: 50 });
    for (const asked of ASKED) await ask(old, asked);
    for (let i = 0; i < swaps; i++) {
      const parts = drawn.slice(i * AT_ONCE, (i + 1) * AT_ONCE);
      now = new Date(hour(i + 1).getTime() + 600_000);
      await publishVersion(artifacts, i + 1, parts);
      await old.update();
      const fresh = await openApp(artifacts, () => now, { compat, judgedEvery: 50 });
      for (const asked of ASKED) expect(await ask(old, asked)).toEqual(await ask(fresh, asked));
      await fresh.close();
    }
    await old.close();
  });
});

it("a swap changes the versions of the endpoints that read the changed tables, and of those of one snapshot", async () => {
  const artifacts = join(folder.artifacts, "versions");
  await publishVersion(artifacts, 0, PARTS);
  const app = await openApp(artifacts);
  const versions = (compat: boolean) =>
    new Map(
      endpoints.map((endpoint) => [endpoint.path, bodyVersion(endpoint, app.store.current() as Snapshot, compat)]),
    );
  const [before, compatBefore] = [versions(false), versions(true)];
  await publishVersion(artifacts, 1, ["otherTerm"]);
  await app.update();
  const changed = [...versions(false)].filter(([path, version]) => before.get(path) !== version).map(([path]) => path);
  expect(changed.sort()).toEqual(["/changes", "/schedule", "/search"]);
  expect([...versions(true)].every(([path, version]) => compatBefore.get(path) !== version)).toBe(true);
  const all = bodyVersions(endpoints, app.store.current() as Snapshot);
  expect([...versions(false).values(), ...versions(true).values()].every((version) => all.has(version))).toBe(true);
  await app.close();
});
