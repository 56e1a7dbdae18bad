/** Files of snapshots over HTTP: they are to be had for as long as their snapshot is kept. */
import { rename, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ask } from "../http/wire.ts";
import { fileOf, FOR_EVER, openTwoGenerations, sha256 } from "./two-generations.ts";

const { url, artifacts, older, grades, at, close } = await openTwoGenerations();
afterAll(close);

it("stays as long as it is kept, also when it is no longer in service", async () => {
  expect(older.generation).toBe(1);
  for (const table of ["grades", "courses"]) {
    const file = fileOf(older, table);
    const { status, raw, headers } = await ask(at(file));
    expect([status, sha256(raw), headers["x-data-snapshot"]]).toEqual([200, file.sha256, older.id]);
    expect(headers["cache-control"]).toBe(FOR_EVER);
  }
});

it("current is the one in service: its files have the same tag, but are revalidated", async () => {
  const { status, raw, headers } = await ask(`${url}/v1/data/current/${grades.path}`);
  expect([status, sha256(raw)]).toEqual([200, grades.sha256]);
  expect([headers.etag, headers["cache-control"]]).toEqual([`"${grades.sha256}"`, "no-cache"]);
  // A file of the snapshot before only.
  const gone = fileOf(older, "grades");
  expect((await ask(`${url}/v1/data/current/${gone.path}`)).status).toBe(404);
});

it("that is gone is 404, and the answer says where to look", async () => {
  const away = join(artifacts, "away");
  await rename(join(artifacts, "snapshots", `${older.name}.json`), away);
  const { status, text, headers } = await ask(at(fileOf(older, "grades")));
  expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
  expect(text).toContain("is not retained");
  expect(text).toContain("/v1/data/manifest.json");
  await rename(away, join(artifacts, "snapshots", `${older.name}.json`));
  expect((await ask(at(fileOf(older, "grades")))).status).toBe(200);
});

it("a file of it that was cut off on the disk is not handed out", async () => {
  const file = fileOf(older, "grades");
  await truncate(join(artifacts, file.path), file.bytes - 1);
  expect((await ask(at(file))).status).toBe(404);
});
