/** Files of views and of empty tables are listed and sent; no table, count or start of the server depends on them. */
import { rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import { isMade } from "../../../pipeline/contract/documents/manifest.ts";
import type { ServedManifest } from "../../../pipeline/contract/documents/served-manifest.ts";
import { TABLE_NAMES } from "../../../pipeline/contract/tables.ts";
import type { Publication } from "../../../pipeline/store/published.ts";
import type { Status } from "../../../server/status/status-report.ts";
import { PARTS, publishVersion } from "../../support/published/published-worlds.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { ask } from "../http/wire.ts";

const folder = await openFolder();
let published: Publication;
let server: Awaited<ReturnType<typeof serve>>;
const get = (path: string) => ask(`${server.url}${path}`, { headers: { Accept: "application/json" } });
const pathOf = (name: string) => published.published.manifest.files.find(({ table }) => table === name)?.path ?? "";

beforeAll(async () => {
  const parts = PARTS.filter((part) => part !== "larc");
  published = await publishVersion(folder.artifacts, 0, parts, { derive: true });
  await rm(join(published.published.folder, pathOf("views/seats")));
  await truncate(join(published.published.folder, pathOf("empty/larc")), 9);
  server = await serve(folder.env);
});
afterAll(async () => {
  await server?.close();
  await folder.remove();
});

it("a snapshot is served without a file of a view and with a damaged empty one", async () => {
  expect((await get("/ready")).status).toBe(200);
  const address = (name: string) => `/v1/data/${published.id}/${pathOf(name)}`;
  const names = ["views/seats", "empty/larc", "views/schedule", "empty/former_names", "grades"];
  expect(await Promise.all(names.map(async (name) => (await get(address(name))).status))).toEqual([
    404, 404, 200, 200, 200,
  ]);
});

it("status and overview count the rows of the tables alone", async () => {
  const ofTables = new Set(
    published.published.manifest.files.filter((file) => !isMade(file)).map((file) => file.table),
  );
  const { snapshot } = (await get("/status")).json<Status>();
  expect(snapshot?.tables.map(({ table }) => table)).toEqual([...ofTables]);
  expect(Object.keys((await get("/")).json<{ snapshot: { rows: object } }>().snapshot.rows)).toEqual([...ofTables]);
});

it("the manifest and the snapshot have them beside the tables", async () => {
  const { tables, views = [] } = (await get("/v1/data/manifest.json")).json<BulkManifest>();
  expect(Object.keys(tables)).toEqual(TABLE_NAMES);
  expect([tables["larc"]?.files, tables["larc"]?.rows, tables["larc"]?.empty?.path]).toEqual([
    [],
    0,
    pathOf("empty/larc"),
  ]);
  expect(tables["grades"]?.empty).toBeUndefined();
  expect(views.find(({ name }) => name === "seats")?.files?.[0]?.path).toBe(pathOf("views/seats"));
  const { derived, files } = (await get(`/v1/snapshots/${published.id}`)).json<ServedManifest>();
  expect(files).toEqual(published.published.manifest.files.filter((file) => !isMade(file)));
  const made = published.published.manifest.files.filter(isMade);
  expect(derived.map(({ path, madeOf }) => [path, madeOf])).toEqual(made.map(({ path, madeOf }) => [path, madeOf]));
  expect(derived.find(({ path }) => path === pathOf("empty/larc"))?.table).toBe("larc");
});
