/** If-Modified-Since (RFC 9110 §13.1.3): with and without the response cache, in every format, and for published files. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { partOf, someOf } from "../../support/extent.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { sectionRow } from "../../support/worlds/section-rows.ts";
import { openSurface } from "./surface-server.ts";
import { ask, type Asking, parseRaw, sendRaw } from "./wire.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A time in the obsolete formats. */
function obsolete(at: Date): string[] {
  const [, day, month, year = "", time] = at.toUTCString().split(" ");
  const long = at.toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" });
  const plainDay = String(Number(day)).padStart(2);
  return [
    `${long}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
    `${long.slice(0, 3)} ${MONTHS[at.getUTCMonth()]} ${plainDay} ${time} ${year}`,
  ];
}

describe.each(["0", "1"])("COMPAT=%s", (compat) => {
  let surface: Awaited<ReturnType<typeof openSurface>>;
  let file = "";
  beforeAll(async () => {
    surface = await openSurface({ COMPAT: compat });
    const { body } = parseRaw(
      await sendRaw(surface.url, "GET /v1/data/manifest.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    );
    file = (JSON.parse(body) as { tables: { grades: { files: { url: string }[] } } }).tables.grades.files[0]?.url ?? "";
  });
  afterAll(() => surface?.close());

  const pathOf = (path: string) => (path === "file" ? file : path.replace("SNAPSHOT", surface.id));

  const PATHS = [
    "/v1/rest/schedule?year=2024&quarter=Fall&department=DANCE",
    "/v1/rest/courses/DANCE10",
    "/v1/rest/courses/all?limit=1",
    "/v1/rest/grades/raw",
    "/v1/rest/grades/raw?year=2024&ge=GE-5B&format=csv",
    "/v1/rest/courses?format=ndjson",
    "/v1/rest/courses?format=parquet",
    "/v1/rest/week",
    "/v1/rest/week?year=2024&month=10&day=1",
    "/v1/rest/courses/DANCE10?asOf=SNAPSHOT",
    "file",
  ];
  describe.each([
    ["identity", 0],
    ["gzip", 1],
  ] as const)("Accept-Encoding: %s", (encoding, turn) => {
    it.each(partOf(PATHS, turn, 2))("%s", async (path) => {
      const get = (headers: Record<string, string> = {}, asking: Asking = {}) =>
        ask(surface.url + pathOf(path), { ...asking, headers: { "accept-encoding": encoding, ...headers } });
      const since = (text: string, asking?: Asking) => get({ "if-modified-since": text }, asking);
      // A body is in the response cache from its second request on.
      for (let round = 0; round < 2; round++) {
        const whole = (await get()).headers;
        const at = new Date(whole["last-modified"] ?? "");
        const later = (seconds: number) => new Date(at.getTime() + 1000 * seconds).toUTCString();
        for (const text of [later(0), later(1), later(86_400), ...obsolete(at)]) {
          const { status, raw, headers } = await since(text);
          expect([text, status, raw.length, headers.etag]).toEqual([text, 304, 0, whole.etag]);
        }
        expect((await since(later(0), { method: "HEAD" })).status).toBe(304);
        // The unit test of these dates knows more that are none.
        const others = [later(-1), later(-86_400), "", "tomorrow", "2099-01-01", "Fri, 31 Feb 2099 00:00:00 GMT"];
        for (const text of someOf(others, 3)) {
          const { status, raw } = await since(text);
          expect([text, status]).toEqual([text, 200]);
          expect(raw.length).toBeGreaterThan(0);
        }
        const other = { "if-modified-since": later(86_400), "if-none-match": '"another"' };
        expect((await get(other)).status).toBe(200);
      }
    });
  });

  it("two dates are none", async () => {
    const line = `If-Modified-Since: ${new Date().toUTCString()}\r\n`;
    const request = (lines: string) =>
      `GET /v1/rest/courses/DANCE20 HTTP/1.1\r\nHost: x\r\n${lines}Connection: close\r\n\r\n`;
    for (let round = 0; round < 3; round++) {
      expect(parseRaw(await sendRaw(surface.url, request(line))).status).toBe(304);
      expect(parseRaw(await sendRaw(surface.url, request(line + line))).status).toBe(200);
    }
  });

  it("no other status changes, and no response that has no Last-Modified", async () => {
    const headers = { "if-modified-since": new Date().toUTCString() };
    const statusOf = async (path: string, method = "GET") =>
      (await ask(surface.url + path, { method, headers })).status;
    expect(await statusOf("/v1/rest/courses/NOBODY")).toBe(404);
    expect(await statusOf("/v1/rest/courses?limit=0")).toBe(400);
    expect(await statusOf("/v1/rest/courses/DANCE10", "POST")).toBe(405);
    for (const path of ["/v1/rest/courses/DANCE10?explain=true", "/v1/data/manifest.json", "/v1/snapshots", "/health"])
      expect([path, await statusOf(path)]).toEqual([path, 200]);
  });
});

it("a snapshot whose run was killed before it wrote the freshness is new, not as old as the freshness", async () => {
  const folder = await openFolder();
  const [before, after] = [new Date("2026-11-20T10:00:00Z"), new Date("2026-11-20T11:00:00.250Z")];
  await publishRows(folder.artifacts, { grades: [gradeRow()], sections: [sectionRow()] }, { now: before });
  const freshness = await readFile(join(folder.artifacts, "freshness.json"));
  await publishRows(folder.artifacts, { grades: [gradeRow({ gradeACount: 7 })] }, { now: after });
  await writeFile(join(folder.artifacts, "freshness.json"), freshness);
  const server = await serve(folder.env);
  try {
    for (const path of ["/grades/raw", "/schedule?year=2024&quarter=Fall&department=DANCE"]) {
      const get = (headers = {}) => ask(`${server.url}/v1/rest${path}`, { headers });
      expect([path, (await get()).headers["last-modified"]]).toEqual([path, after.toUTCString()]);
      expect([path, (await get({ "if-modified-since": before.toUTCString() })).status]).toEqual([path, 200]);
      // The date has no milliseconds.
      expect([path, (await get({ "if-modified-since": after.toUTCString() })).status]).toEqual([path, 304]);
    }
  } finally {
    await server.close();
    await folder.remove();
  }
});
