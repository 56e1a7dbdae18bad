/** The published files over HTTP: each as the manifest says, whole or in part, for as long as its generation is kept. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, readlink, rename, rm, truncate, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readCurrent } from "../../../pipeline/publish/generation.ts";
import { writeFreshness } from "../../../pipeline/publish/freshness.ts";
import { CONTRACT_VERSION, TABLE_NAMES, TABLES } from "../../../pipeline/contract/tables.ts";
import type { BulkFile, BulkManifest } from "../../../pipeline/contract/bulk-manifest.ts";
import { gradeRow, scratchDatabase } from "../../publish/scratch.ts";
import { openFolder, serve } from "../../world.ts";
import { courseRow } from "../catalogue-rows.ts";
import { publishRows } from "../published.ts";
import { ask, parseRaw, sendRaw } from "../wire.ts";

const FOR_EVER = "public, max-age=31536000, immutable";
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

let folder: Awaited<ReturnType<typeof openFolder>>;
let server: Awaited<ReturnType<typeof serve>>;
/** Of the generation before, which is kept. */
let older: BulkManifest;
let now: BulkManifest;
let grades: BulkFile;
/** Some megabytes that no compression makes less. */
let large: BulkFile;

const manifest = async () => (await ask(`${server.url}/v1/data/manifest.json`)).json<BulkManifest>();
const fileOf = ({ tables }: BulkManifest, table: string) => tables[table]?.files[0] as BulkFile;
const at = (file: BulkFile) => `${server.url}${file.url}`;
const bytesOf = async (file: BulkFile) => readFile(join(folder.artifacts, "generations", now.name, file.path));

beforeAll(async () => {
  folder = await openFolder();
  const description = randomBytes(12_000_000).toString("base64");
  await publishRows(folder.artifacts, { grades: [gradeRow()], courses: [courseRow({ description })] });
  server = await serve(folder.env);
  older = await manifest();
  const many = Array.from({ length: 500 }, (_, n) => gradeRow({ sectionCode: String(10_000 + n) }));
  const { id } = await publishRows(folder.artifacts, { grades: [...many, gradeRow({ year: "2023" })] });
  now = await vi.waitFor(
    async () => {
      const found = await manifest();
      expect(found.id).toBe(id);
      // It is written after the flip, and told a moment later.
      expect(found.freshness).toEqual(JSON.parse(await readFile(join(folder.artifacts, "freshness.json"), "utf8")));
      return found;
    },
    { timeout: 10_000 },
  );
  grades = now.tables["grades"]?.files.find(({ partition }) => partition.year === "2024") as BulkFile;
  large = fileOf(now, "courses");
});
afterAll(async () => {
  await server?.close();
  await folder?.remove();
});

describe("the manifest", () => {
  it("says what is served: snapshot, contract, source, freshness, every table with its columns", async () => {
    const published = (await readCurrent(folder.artifacts))?.manifest;
    expect(now).toMatchObject({
      id: published?.id,
      generation: 2,
      name: `2-${published?.id}`,
      contract: CONTRACT_VERSION,
      createdAt: published?.createdAt,
      source: { schedule: "a test" },
      sample: false,
      note: "",
      freshness: JSON.parse(await readFile(join(folder.artifacts, "freshness.json"), "utf8")),
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
    expect(now.tables["grades"]?.columns.slice(0, 7)).toEqual([
      { name: "year", type: "VARCHAR" },
      { name: "quarter", type: "VARCHAR" },
      { name: "sectionCode", type: "VARCHAR" },
      { name: "department", type: "VARCHAR" },
      { name: "courseNumber", type: "VARCHAR" },
      { name: "courseNumeric", type: "INTEGER" },
      { name: "geCategories", type: "VARCHAR[]" },
    ]);
    expect(now.tables["larc"]).toMatchObject({ rows: 0, files: [] });
    expect(grades.url).toBe(`/v1/data/${now.name}/${grades.path}`);
    expect(grades.path).toMatch(/^grades\/year=2024\/[0-9a-f]{32}\.parquet$/);
  });

  it("has a tag of its snapshot that an unchanged one answers with 304, and a short life", async () => {
    const url = `${server.url}/v1/data/manifest.json`;
    const { headers, status } = await ask(url, { headers: { "Accept-Encoding": "gzip" } });
    expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(headers).toMatchObject({
      "content-encoding": "gzip",
      "cache-control": "public, max-age=1",
      "x-data-snapshot": now.id,
      vary: "Accept-Encoding",
    });
    expect(headers.etag).toMatch(new RegExp(`^"${now.id}-[0-9a-f]+-gzip"$`));
    const again = await ask(url, { headers: { "Accept-Encoding": "gzip", "If-None-Match": headers.etag ?? "" } });
    expect([again.status, again.raw.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    const plain = await ask(url, { headers: { "If-None-Match": headers.etag ?? "" } });
    expect([plain.status, plain.headers["content-encoding"]]).toEqual([200, undefined]);
    const head = await ask(url, { method: "HEAD" });
    expect([head.status, head.raw.length, head.headers["content-length"]]).toEqual([200, 0, String(plain.raw.length)]);
  });

  it("gets another tag when nothing but the freshness changed", async () => {
    const before = await ask(`${server.url}/v1/data/manifest.json`);
    const freshness = { ...now.freshness, nextRefresh: "2031-01-01T00:00:00.000Z" };
    await writeFreshness(folder.artifacts, freshness);
    await expect.poll(async () => (await manifest()).freshness, { timeout: 10_000 }).toEqual(freshness);
    const after = await ask(`${server.url}/v1/data/manifest.json`);
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
    await publishRows(
      sampled.artifacts,
      { grades: [gradeRow()] },
      { source: { schedule: "sample campus (standard)" } },
    );
    const other = await serve(sampled.env);
    const found = (await ask(`${other.url}/v1/data/manifest.json`)).json<BulkManifest>();
    expect([found.sample, found.note]).toEqual([true, expect.stringMatching(/invented/)]);
    await other.close();
    await sampled.remove();
  });
});

describe("a file", () => {
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
    const whole = await bytesOf(grades);
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
    for (const tag of [`"${large.sha256}"`, `W/"${grades.sha256}"`, "Sat, 21 Nov 2026 07:00:00 GMT"])
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

  it("a page of another origin may ask for ranges and read what they are", async () => {
    const preflight = await ask(at(grades), {
      method: "OPTIONS",
      headers: {
        Origin: "https://example.org",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "range",
      },
    });
    expect([preflight.status, preflight.headers["access-control-allow-headers"]]).toEqual([204, "*"]);
    const exposed = (await ask(at(grades), { headers: { Range: "bytes=0-3" } })).headers[
      "access-control-expose-headers"
    ];
    for (const name of ["Accept-Ranges", "Content-Range", "Content-Length", "ETag", "Repr-Digest"])
      expect(exposed).toContain(name);
    expect((await ask(at(grades), { method: "POST" })).status).toBe(405);
  });

  it("can be read by DuckDB as it was downloaded", async () => {
    const { connection } = await scratchDatabase();
    const copy = join(folder.artifacts, "copy.parquet");
    await writeFile(copy, (await ask(at(grades))).raw);
    const read = await connection.runAndReadAll("SELECT count(*)::INTEGER, min(year) FROM read_parquet($1)", [copy]);
    expect(read.getRowsJS()).toEqual([[500, "2024"]]);
    await rm(copy);
  });
});

describe("a generation", () => {
  it("stays as long as it is kept, also when it is no longer in service", async () => {
    expect(older.generation).toBe(1);
    for (const table of ["grades", "courses"]) {
      const file = fileOf(older, table);
      const { status, raw, headers } = await ask(at(file));
      expect([status, sha256(raw), headers["x-data-snapshot"]]).toEqual([200, file.sha256, older.id]);
      expect(headers["cache-control"]).toBe(FOR_EVER);
    }
  });

  it("current is the one in service: its files have the same tag, but are asked for again", async () => {
    const { status, raw, headers } = await ask(`${server.url}/v1/data/current/${grades.path}`);
    expect([status, sha256(raw)]).toEqual([200, grades.sha256]);
    expect([headers.etag, headers["cache-control"]]).toEqual([`"${grades.sha256}"`, "no-cache"]);
    // A file of the generation before only.
    const gone = fileOf(older, "grades");
    expect((await ask(`${server.url}/v1/data/current/${gone.path}`)).status).toBe(404);
  });

  it("that is gone is 404, and the answer says where to look", async () => {
    const away = join(folder.artifacts, "away");
    await rename(join(folder.artifacts, "generations", older.name), away);
    const { status, text, headers } = await ask(at(fileOf(older, "grades")));
    expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
    expect(text).toContain("is not kept any more");
    expect(text).toContain("/v1/data/manifest.json");
    await rename(away, join(folder.artifacts, "generations", older.name));
    expect((await ask(at(fileOf(older, "grades")))).status).toBe(200);
  });

  it("a file of it that was cut off on the disk is not handed out", async () => {
    const file = fileOf(older, "grades");
    await truncate(join(folder.artifacts, "generations", older.name, file.path), file.bytes - 1);
    expect((await ask(at(file))).status).toBe(404);
  });
});

describe("nothing else can be had", () => {
  it.each([
    "/v1/data/current/manifest.json",
    "/v1/data/current/../../freshness.json",
    "/v1/data/current/..%2f..%2ffreshness.json",
    "/v1/data/..%2f..%2freport.txt",
    "/v1/data/%2e%2e/%2e%2e/etc/passwd",
    "/v1/data/..\\..\\freshness.json",
    "/v1/data/current//etc/passwd",
    "/v1/data/current/grades",
    "/v1/data/current/",
    "/v1/data/current",
    "/v1/data/",
    "/v1/data/1-0000000000000000/grades/x.parquet",
    "/v1/data/__proto__/constructor",
  ])("%s is 404", async (path) => {
    const { status, body } = parseRaw(
      await sendRaw(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    expect(status).toBe(404);
    expect(body).not.toContain(folder.artifacts);
  });

  it("a path that is no percent-encoding is 400; one that is encoded more than needed is found", async () => {
    const { status } = parseRaw(
      await sendRaw(server.url, "GET /v1/data/%zz/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    );
    expect(status).toBe(400);
    expect((await ask(at(grades).replace("year=", "year%3D"))).status).toBe(200);
  });
});

/** How many published files this process (and so the server in it) has open. */
async function openFiles(): Promise<number> {
  const links = await Promise.all(
    (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return links.filter((target) => target.endsWith(large.path.split("/").at(-1) ?? "")).length;
}

const knowsOpenFiles = existsSync("/proc/self/fd");
if (!knowsOpenFiles) process.stdout.write("skipped: this system does not tell which files are open\n");

describe.skipIf(!knowsOpenFiles)("clients that are slow or leave", () => {
  /** Node closes a forgotten file some day, and warns of it. */
  const forgotten: string[] = [];
  const note = ({ message }: Error) => void (/garbage collection/.test(message) && forgotten.push(message));
  beforeAll(() => void process.on("warning", note));
  afterAll(() => void process.off("warning", note));

  it("a download that stands still is not read ahead; a client that hangs up leaves no open file", async () => {
    expect(await openFiles()).toBe(0);
    const before = process.memoryUsage().arrayBuffers;
    const downloads = Array.from({ length: 8 }, () => {
      const asked = request(at(large), { agent: false }, (response) => response.pause());
      asked.on("error", () => undefined);
      asked.end();
      return asked;
    });
    await expect.poll(openFiles, { timeout: 10_000 }).toBe(8);
    await sleep(300);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * large.bytes);
    // Meanwhile others are answered.
    expect((await ask(at(grades))).status).toBe(200);
    for (const asked of downloads) asked.destroy();
    await expect.poll(openFiles, { timeout: 10_000 }).toBe(0);
    expect(forgotten).toEqual([]);
  });

  it("one that reads slowly gets all of it", async () => {
    const hash = createHash("sha256");
    await new Promise<void>((resolve, reject) => {
      const asked = request(at(large), { agent: false }, async (response) => {
        try {
          let pieces = 0;
          for await (const piece of response) {
            hash.update(piece as Buffer);
            if (pieces++ % 32 === 0) await sleep(5);
          }
          resolve();
        } catch (error) {
          reject(error as Error);
        }
      });
      asked.on("error", reject);
      asked.end();
    });
    expect(hash.digest("hex")).toBe(large.sha256);
    await expect.poll(openFiles, { timeout: 10_000 }).toBe(0);
  });

  it("HEAD, 304 and 416 leave no open file either", async () => {
    await ask(at(large), { method: "HEAD" });
    await ask(at(large), { headers: { "If-None-Match": "*" } });
    await ask(at(large), { headers: { Range: `bytes=${large.bytes}-` } });
    expect(await openFiles()).toBe(0);
  });
});
