/** `/v1/data/manifest.json?since=…` (server/RULES.md, Time): with it a copy of an earlier snapshot becomes one of the current snapshot. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BulkManifest, filesIn } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import type { ManifestChanges } from "../../../server/data/manifest-changes.ts";
import { hour, PARTS, publishVersion } from "../../support/published/published-worlds.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { ask } from "../http/wire.ts";

const CHANGED = [PARTS, ["sections"], ["grades", "calendar"]] as const;
const folder = await openFolder();
const manifests: BulkManifest[] = [];
let server: Awaited<ReturnType<typeof serve>>;
const get = (query: string, headers: Record<string, string> = {}) =>
  ask(`${server.url}/v1/data/manifest.json${query}`, { headers });

beforeAll(async () => {
  for (const [version, parts] of CHANGED.entries()) {
    await publishVersion(folder.artifacts, version, parts, { derive: true });
    const one = await serve(folder.env);
    manifests.push((await ask(`${one.url}/v1/data/manifest.json`)).json<BulkManifest>());
    await one.close();
  }
  server = await serve(folder.env);
});
afterAll(async () => {
  await server?.close();
  await folder.remove();
});

it.each([0, 1])("names the files that version %i lacks and those that it need not keep", async (version) => {
  const [before, now] = [manifests[version] as BulkManifest, manifests.at(-1) as BulkManifest];
  const answer = await get(`?since=${before.id}`);
  expect(answer.headers["content-type"]).toBe("application/vnd.academic-data.manifest-delta+json; charset=utf-8");
  expect([answer.status, answer.headers["x-data-snapshot"]]).toEqual([200, now.id]);
  const { since, now: served, added, removed } = answer.json<ManifestChanges>();
  const named = ({ id, generation, name }: BulkManifest) => ({ id, generation, name });
  expect([since, served]).toEqual([named(before), named(now)]);
  expect([added.length, removed.length].every((count) => count > 0)).toBe(true);
  const kept = filesIn(before).filter(({ path }) => removed.every((file) => file.path !== path));
  const paths = (files: readonly { path: string }[]) => files.map(({ path }) => path).sort();
  expect(paths([...kept, ...added])).toEqual(paths(filesIn(now)));
  for (const file of added) {
    const { table, ...rest } = file;
    const { empty, files = [] } = now.tables[table] ?? {};
    const ofView = now.views?.find(({ name }) => table === `views/${name}`)?.files ?? [];
    expect([...files, ...(empty ? [empty] : []), ...ofView]).toContainEqual(expect.objectContaining(rest));
  }
  expect(added.some(({ table }) => table.startsWith("views/"))).toBe(true);
  for (const { url } of [...added, ...removed])
    expect((await ask(server.url + url, { method: "HEAD" })).status).toBe(200);
  expect((await get(`?since=${before.id}`, { "If-None-Match": String(answer.headers.etag) })).status).toBe(304);
});

it("a date or time means the snapshot of that time; nothing changed since the current one", async () => {
  const [, one, now] = manifests;
  const since = async (text: string) => (await get(`?since=${encodeURIComponent(text)}`)).json<ManifestChanges>();
  expect((await since(hour(1).toISOString())).since.id).toBe(one?.id);
  expect(await since(now?.id ?? "")).toMatchObject({ since: { id: now?.id }, added: [], removed: [] });
});

it("what is not retained is a 404 that names the nearest, anything else a 400; an empty value is none", async () => {
  const unknown = await get("?since=0123456789abcdef");
  expect(unknown.status).toBe(404);
  const { message } = unknown.json<{ message: string }>();
  for (const one of [manifests[0], manifests.at(-1)]) expect(message).toContain(one?.id);
  for (const query of ["?since=last%20week", `?since=2026-01-01&since=2026-01-02`])
    expect((await get(query)).status).toBe(400);
  const plain = await get("");
  for (const query of ["?since=", "?other=1"]) {
    const { text, headers } = await get(query);
    expect([text, headers.etag]).toEqual([plain.text, plain.headers.etag]);
  }
});
