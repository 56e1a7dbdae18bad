/** The manifest over HTTP: what it says, its tags, and when there is nothing or only invented data to say. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { BulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import { describedColumns } from "../../../pipeline/contract/descriptions.ts";
import { CONTRACT_VERSION, TABLE_NAMES, TABLES } from "../../../pipeline/contract/tables.ts";
import { writeFreshness } from "../../../pipeline/store/freshness.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { publishRows } from "../../support/published/published.ts";
import { ask } from "../http/wire.ts";
import { openTwoGenerations } from "./two-generations.ts";

const { url, artifacts, manifest, now, grades, close } = await openTwoGenerations();
afterAll(close);

it("says what is served: snapshot, contract, source, freshness, every table with its columns", async () => {
  const published = (await readCurrent(artifacts))?.manifest;
  expect(now).toMatchObject({
    id: published?.id,
    generation: 2,
    name: `2-${published?.id}`,
    contract: CONTRACT_VERSION,
    createdAt: published?.createdAt,
    source: { schedule: "a test" },
    sample: false,
    note: "",
    freshness: JSON.parse(await readFile(join(artifacts, "freshness.json"), "utf8")),
  });
  expect(Object.keys(now.tables)).toEqual(TABLE_NAMES);
  expect(now.tables["grades"]).toMatchObject({
    about: TABLES.grades.about,
    partitionedBy: ["year"],
    rows: 501,
    files: [
      { partition: { year: "2023" }, rows: 1 },
      { partition: { year: "2024" }, rows: 500 },
    ],
  });
  expect(now.tables["grades"]?.columns).toEqual(describedColumns(TABLES.grades));
  expect(now.tables["grades"]?.columns.slice(5, 7)).toEqual([
    { name: "courseNumeric", type: "INTEGER", description: "the digits of the course number; 0 when it has none" },
    { name: "geCategories", type: "VARCHAR[]", description: "general education categories that it satisfies" },
  ]);
  expect(now.tables["larc"]).toMatchObject({ rows: 0, files: [] });
  expect(grades.url).toBe(`/v1/data/${now.name}/${grades.path}`);
  expect(grades.path).toMatch(/^grades\/2024-[0-9a-f]{32}\.parquet$/);
});

it("has a tag of its snapshot that an unchanged one answers with 304, and a short life", async () => {
  const address = `${url}/v1/data/manifest.json`;
  const { headers, status } = await ask(address, { headers: { "Accept-Encoding": "gzip" } });
  expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
  expect(headers).toMatchObject({
    "content-encoding": "gzip",
    "cache-control": "public, max-age=1",
    "x-data-snapshot": now.id,
    vary: "Accept-Encoding",
  });
  expect(headers.etag).toMatch(new RegExp(`^"${now.id}-[0-9a-f]+-gzip"$`));
  const again = await ask(address, { headers: { "Accept-Encoding": "gzip", "If-None-Match": headers.etag ?? "" } });
  expect([again.status, again.raw.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
  const plain = await ask(address, { headers: { "If-None-Match": headers.etag ?? "" } });
  expect([plain.status, plain.headers["content-encoding"]]).toEqual([200, undefined]);
  const head = await ask(address, { method: "HEAD" });
  expect([head.status, head.raw.length, head.headers["content-length"]]).toEqual([200, 0, String(plain.raw.length)]);
});

it("gets another tag when nothing but the freshness changed", async () => {
  const before = await ask(`${url}/v1/data/manifest.json`);
  const freshness = { ...now.freshness, nextRefresh: "2031-01-01T00:00:00.000Z" };
  await writeFreshness(artifacts, freshness);
  await expect.poll(async () => (await manifest()).freshness, { timeout: 30_000 }).toEqual(freshness);
  const after = await ask(`${url}/v1/data/manifest.json`);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  expect(after.json<BulkManifest>().id).toBe(now.id);
});

it("is 503 before anything is published", async () => {
  const empty = await openFolder();
  const other = await serve(empty.env);
  const { status, headers } = await ask(`${other.url}/v1/data/manifest.json`);
  expect([status, headers["retry-after"]]).toEqual([503, "30"]);
  expect((await ask(`${other.url}/v1/data/current/x.parquet`)).status).toBe(503);
  await other.close();
  await empty.remove();
});

it("announces the sample campus", async () => {
  const sampled = await openFolder();
  await publishRows(sampled.artifacts, { grades: [gradeRow()] }, { source: { schedule: "sample campus (standard)" } });
  const other = await serve(sampled.env);
  const found = (await ask(`${other.url}/v1/data/manifest.json`)).json<BulkManifest>();
  expect([found.sample, found.note]).toEqual([true, expect.stringMatching(/invented/)]);
  await other.close();
  await sampled.remove();
});
