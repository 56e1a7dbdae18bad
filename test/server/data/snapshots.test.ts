/** The list of retained snapshots: times, what changed, and only what is on disk. */
import { readLocalManifest } from "../../../pipeline/store/published.ts";
import { rename, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { SnapshotList } from "../../../server/data/snapshots.ts";
import { hour, PARTS, publishVersion } from "../../support/published/published-worlds.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { ask } from "../http/wire.ts";

const CHANGED = [PARTS, ["sections"], ["grades", "calendar"], ["otherTerm", "listings"]] as const;
const folder = await openFolder();
const ids: string[] = [];
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  for (const [version, parts] of CHANGED.entries()) {
    if (version === 2) server = await serve(folder.env);
    ids.unshift((await publishVersion(folder.artifacts, version, parts, { derive: true })).id);
  }
  await vi.waitFor(async () => expect((await list()).length).toBe(4), { timeout: 30_000 });
});
afterAll(async () => {
  await server?.close();
  await folder.remove();
});

const fetchList = (headers: Record<string, string> = {}) => ask(`${server.url}/v1/snapshots`, { headers });
const list = async () => (await fetchList()).json<SnapshotList>();

it("has them newest first, each from its publication to the next", async () => {
  const found = await list();
  expect(found.map(({ id, generation }) => [id, generation])).toEqual(ids.map((id, i) => [id, 4 - i]));
  expect(found.map(({ createdAt, servedFrom, servedUntil }) => [createdAt, servedFrom, servedUntil])).toEqual(
    [3, 2, 1, 0].map((version) => {
      const at = hour(version).toISOString();
      return [at, at, version === 3 ? null : hour(version + 1).toISOString()];
    }),
  );
});

it("says which tables and terms changed since the one before", async () => {
  const whole = (table: string) => ({ table, terms: [] });
  expect((await list()).map(({ changed }) => changed?.filter(({ table }) => table !== "sources"))).toEqual([
    [whole("departments"), { table: "sections", terms: ["2025 Winter"] }, whole("terms")],
    [whole("calendar"), { table: "grades", terms: ["2024"] }],
    [{ table: "sections", terms: ["2024 Fall"] }],
    undefined,
  ]);
});

it("answers like every page: tag, HEAD, OPTIONS, other methods", async () => {
  const { headers, status } = await fetchList();
  expect([status, headers["x-data-snapshot"], headers["access-control-allow-origin"]]).toEqual([200, ids[0], "*"]);
  expect((await fetchList({ "If-None-Match": String(headers.etag) })).status).toBe(304);
  const at = `${server.url}/v1/snapshots`;
  const head = await ask(at, { method: "HEAD" });
  expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", headers["content-length"]]);
  expect((await ask(at, { method: "OPTIONS" })).status).toBe(204);
  expect((await ask(at, { method: "POST" })).status).toBe(405);
});

it("serves the files of all of them", async () => {
  for (const { id, generation } of await list()) {
    const manifest = await readLocalManifest(folder.artifacts, `${generation}-${id}`);
    for (const { path } of manifest.files)
      expect((await ask(`${server.url}/v1/data/${generation}-${id}/${path}`, { method: "HEAD" })).status).toBe(200);
  }
});

it("leaves out what is not there, and what cannot be read", async () => {
  const manifestOf = (generation: number) =>
    join(folder.artifacts, "snapshots", `${generation}-${ids[4 - generation]}.json`);
  await rename(manifestOf(2), join(folder.artifacts, "away"));
  const [, third, first] = await list();
  expect([third?.generation, first?.generation]).toEqual([3, 1]);
  expect(third?.changed?.map(({ table }) => table)).toEqual(["calendar", "grades", "sections"]);
  await rename(join(folder.artifacts, "away"), manifestOf(2));
  await server.close();
  await truncate(manifestOf(2), 20);
  server = await serve(folder.env);
  expect((await list()).map(({ generation }) => generation)).toEqual([4, 3, 1]);
});
