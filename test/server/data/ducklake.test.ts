/** The lake over HTTP: what it names is served, by whatever address it is asked, and nothing of its making stays. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { openCatalogue } from "../../pipeline/lake/ducklake/catalogue-reader.ts";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { publishRows } from "../../support/published/published.ts";
import { type Answer, ask } from "../http/wire.ts";
import { FOR_EVER, openTwoGenerations, sha256 } from "./two-generations.ts";

const scratch = mkdtempSync(join(tmpdir(), "lakes-"));
vi.stubEnv("TMPDIR", scratch);
const { url, artifacts, manifest, older, now, close } = await openTwoGenerations({
  env: { BASE_PATH: "/academic", TRUST_PROXY: "1" },
});
afterAll(async () => {
  await close();
  vi.unstubAllEnvs();
  rmSync(scratch, { recursive: true });
});

const LAKE = "/v1/data/lake.ducklake";
/** Every file that it names, with the snapshots of its time there. */
async function filesOf({
  raw,
}: Answer): Promise<{ address: string; bytes: number; begin: number; end: number | null }[]> {
  const path = join(scratch, `${sha256(raw)}.read`);
  writeFileSync(path, raw);
  const lake = await openCatalogue(path);
  try {
    return await lake.rows(
      `SELECT value || path AS address, file_size_bytes::INTEGER AS bytes, begin_snapshot::INTEGER AS "begin", end_snapshot::INTEGER AS "end"
       FROM ducklake_data_file, ducklake_metadata WHERE key = 'data_path' ORDER BY ALL`,
    );
  } finally {
    lake.close();
    rmSync(path);
  }
}
const baseOf = async (answer: Answer) => (await filesOf(answer))[0]?.address.replace(/v1\/data\/.*/, "");

async function expectServed(answer: Answer, count: number): Promise<void> {
  const files = await filesOf(answer);
  expect(files).toHaveLength(count);
  for (const { address, bytes } of files) {
    const { status, headers } = await ask(address, { method: "HEAD", undocumented: true });
    expect([address, status, headers["content-length"]]).toEqual([address, 200, String(bytes)]);
  }
}

it("is a file like others: tag, ranges, conditions", async () => {
  const whole = await ask(url + LAKE);
  const { etag = "" } = whole.headers;
  expect([whole.status, etag]).toEqual([200, `"${sha256(whole.raw)}"`]);
  expect(whole.headers).toMatchObject({
    "cache-control": "no-cache",
    "accept-ranges": "bytes",
    "content-length": String(whole.raw.length),
    "x-data-snapshot": now.id,
  });
  const head = await ask(url + LAKE, { method: "HEAD" });
  expect([head.status, head.headers.etag, head.headers["content-length"]]).toEqual([
    200,
    etag,
    String(whole.raw.length),
  ]);
  const part = await ask(url + LAKE, { headers: { Range: "bytes=8-19" } });
  expect([part.status, part.headers.etag, part.raw]).toEqual([206, etag, whole.raw.subarray(8, 20)]);
  const other = await ask(url + LAKE, { headers: { Range: "bytes=8-19", "If-Range": '"other"' } });
  expect([other.status, other.raw.length]).toEqual([200, whole.raw.length]);
  expect((await ask(url + LAKE, { headers: { "If-None-Match": etag } })).status).toBe(304);
  expect((await ask(url + LAKE, { headers: { Range: "bytes=99999999-" } })).status).toBe(416);
});

it("every file of every retained snapshot is served", async () => {
  const answer = await ask(url + LAKE);
  // The course stays, the grades of 2024 are replaced, those of 2023 are new.
  await expectServed(answer, 4);
  const spans = (await filesOf(answer)).map(({ begin, end }) => `${begin} to ${end}`);
  expect(spans.sort()).toEqual(["1 to 2", "1 to null", "2 to null", "2 to null"]);
});

it("names the address that it was asked by: host, prefix, and what a trusted proxy says", async () => {
  const ofRequest = async (headers: Record<string, string>) => baseOf(await ask(url + LAKE, { headers }));
  expect(await ofRequest({})).toBe(`${url}/academic/`);
  expect(await ofRequest({ Host: "data.example.edu:8080" })).toBe("http://data.example.edu:8080/academic/");
  const forwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "data.example.edu" };
  expect(await ofRequest(forwarded)).toBe("https://data.example.edu/academic/");
  expect(await ofRequest({ "X-Forwarded-Proto": "ftp", "X-Forwarded-Host": "a/b" })).toBe(`${url}/academic/`);
  const below = await ask(`${url}/academic${LAKE}`, { undocumented: true });
  expect(below.headers.etag).toBe((await ask(url + LAKE)).headers.etag);
});

it("a snapshot has one of its own, which never changes", async () => {
  for (const [generation, count] of [
    [older, 2],
    [now, 3],
  ] as const) {
    const answer = await ask(`${url}/v1/data/${generation.name}/lake.ducklake`);
    expect([answer.status, answer.headers["cache-control"]]).toEqual([200, FOR_EVER]);
    expect(answer.headers["x-data-snapshot"]).toBe(generation.id);
    await expectServed(answer, count);
  }
  expect((await ask(`${url}/v1/data/9-0000000000000000/lake.ducklake`)).status).toBe(404);
});

it("is written once for all who wait, and for few addresses at a time; nothing stays on the disk", async () => {
  const together = await Promise.all(
    Array.from({ length: 20 }, () => ask(url + LAKE, { headers: { Host: "together" } })),
  );
  expect(new Set(together.map(({ status, headers }) => `${status} ${headers.etag}`)).size).toBe(1);
  const made = Array.from({ length: 100 }, (_, n) => ask(url + LAKE, { headers: { Host: `made-up-${n}` } }));
  const answers = await Promise.all(made);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  for (const { status, headers } of answers) if (status === 503) expect(headers["retry-after"]).toBe("1");
  expect((await ask(url + LAKE)).status).toBe(200);
  expect(readdirSync(scratch).filter((name) => name.startsWith("ducklake-"))).toEqual([]);
});

it("after the next publication there is another, and what the one before names is still served", async () => {
  const before = await ask(url + LAKE);
  const { id } = await publishRows(artifacts, { grades: [gradeRow({ year: "2023", gradeACount: 7 })] });
  await vi.waitFor(async () => expect((await manifest()).id).toBe(id), { timeout: 30_000 });
  const after = await ask(url + LAKE);
  expect([after.status, after.headers["x-data-snapshot"]]).toEqual([200, id]);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  await expectServed(before, 4);
  await expectServed(after, 5);
});
