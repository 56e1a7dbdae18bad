/** One published file over HTTP: whole or in part, with its tag and hash, to be kept for ever. */
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { scratchDatabase } from "../../pipeline/publish/scratch.ts";
import { ask } from "../http/wire.ts";
import { FOR_EVER, openTwoGenerations, sha256 } from "./two-generations.ts";

const { artifacts, now, grades, course, at, close } = await openTwoGenerations();
afterAll(close);

it("comes whole, with its hash, and may be kept for ever", async () => {
  for (const file of Object.values(now.tables).flatMap(({ files }) => files)) {
    const { status, headers, raw } = await ask(at(file), { headers: { "Accept-Encoding": "gzip, br" } });
    expect([status, raw.length, sha256(raw)]).toEqual([200, file.bytes, file.sha256]);
    expect(headers).toMatchObject({
      "content-type": "application/vnd.apache.parquet",
      "content-length": String(file.bytes),
      "cache-control": FOR_EVER,
      "accept-ranges": "bytes",
      etag: `"${file.sha256}"`,
      "repr-digest": `sha-256=:${createHash("sha256").update(raw).digest("base64")}:`,
      "x-data-snapshot": now.id,
      "access-control-allow-origin": "*",
      vary: "Accept-Encoding",
    });
    expect(headers["content-encoding"]).toBeUndefined();
  }
});

it.each([
  ["bytes=0-3", 0, 4],
  ["bytes=4-99", 4, 100],
  ["bytes=-8", -8, undefined],
  ["bytes=100-", 100, undefined],
])("%s is a part of it", async (range, from, to) => {
  const whole = await readFile(join(artifacts, grades.path));
  const part = whole.subarray(from, to);
  const first = from < 0 ? whole.length + from : from;
  const contentRange = `bytes ${first}-${first + part.length - 1}/${whole.length}`;
  const { status, headers, raw } = await ask(at(grades), { headers: { Range: range } });
  expect([status, headers["content-range"], raw.equals(part)]).toEqual([206, contentRange, true]);
  expect(headers).toMatchObject({ "content-length": String(part.length), etag: `"${grades.sha256}"` });
  const head = await ask(at(grades), { method: "HEAD", headers: { Range: range } });
  expect([head.status, head.headers["content-range"], head.raw.length]).toEqual([206, contentRange, 0]);
  expect(head.headers["content-length"]).toBe(String(part.length));
});

it("a range beyond its end is 416 with its size; several ranges, or none that can be read, give all of it", async () => {
  const beyond = await ask(at(grades), { headers: { Range: `bytes=${grades.bytes}-` } });
  expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, `bytes */${grades.bytes}`]);
  expect(beyond.json<{ statusCode: number }>().statusCode).toBe(416);
  for (const Range of ["bytes=0-1,3-4", "bytes=x", "lines=1-2"])
    expect((await ask(at(grades), { headers: { Range } })).raw.length).toBe(grades.bytes);
});

it("If-Range: a part of the same file, or all of another one", async () => {
  const part = (tag: string) => ask(at(grades), { headers: { Range: "bytes=0-3", "If-Range": tag } });
  expect((await part(`"${grades.sha256}"`)).status).toBe(206);
  for (const tag of [`"${course.sha256}"`, `W/"${grades.sha256}"`, "Sat, 21 Nov 2026 07:00:00 GMT"])
    expect([(await part(tag)).status, (await part(tag)).raw.length]).toEqual([200, grades.bytes]);
});

it("If-None-Match: 304 without a body", async () => {
  for (const tag of [`"${grades.sha256}"`, `"x", W/"${grades.sha256}"`, "*"]) {
    const { status, raw, headers } = await ask(at(grades), { headers: { "If-None-Match": tag, Range: "bytes=0-3" } });
    expect([status, raw.length, headers.etag]).toEqual([304, 0, `"${grades.sha256}"`]);
  }
  expect((await ask(at(grades), { headers: { "If-None-Match": '"x"' } })).status).toBe(200);
});

it("HEAD says everything but the bytes", async () => {
  const [head, get] = [await ask(at(grades), { method: "HEAD" }), await ask(at(grades))];
  const same = ["content-length", "content-type", "etag", "accept-ranges", "cache-control", "repr-digest"];
  expect([head.status, head.raw.length]).toEqual([200, 0]);
  for (const name of same) expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
});

it("a page of another origin may request ranges and read their headers", async () => {
  const preflight = await ask(at(grades), {
    method: "OPTIONS",
    headers: {
      Origin: "https://example.org",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "range",
    },
  });
  expect([preflight.status, preflight.headers["access-control-allow-headers"]]).toEqual([204, "*"]);
  const part = await ask(at(grades), { headers: { Range: "bytes=0-3" } });
  expect(part.headers["access-control-expose-headers"]).toBe("*");
  expect((await ask(at(grades), { method: "POST" })).status).toBe(405);
});

it("can be read by DuckDB as it was downloaded", async () => {
  const { connection } = await scratchDatabase();
  const copy = join(artifacts, "copy.parquet");
  await writeFile(copy, (await ask(at(grades))).raw);
  const read = await connection.runAndReadAll("SELECT count(*)::INTEGER, min(year) FROM read_parquet($1)", [copy]);
  expect(read.getRowsJS()).toEqual([[500, "2024"]]);
  await rm(copy);
});
