/** Formats as HTTP sees them: who gets which, tags, headers, errors, streams, live answers, COMPAT. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../../pipeline/log.ts";
import { exampleOf, withParameter } from "../../../support/examples.ts";
import { appOf } from "../../../support/published/app-of.ts";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { openLiveSchedule } from "../../../../server/endpoints/schedule/live-schedule.ts";
import { representationsOf } from "../../../../server/response/representations/all.ts";
import { createPool } from "../../../../server/duckdb/pool.ts";
import { openStore } from "../../../../server/snapshot/store.ts";
import { serve } from "../../../support/whole-run.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";
import { openSurface } from "../../http/surface-server.ts";
import { ask } from "../../http/wire.ts";
import { CACHE_STATUS } from "../../../../server/response/headers.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => {
  surface = await openSurface();
});
afterAll(() => surface?.close());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  ask(`${surface.base}${path}`, { headers, method });
const typeOf = async (path: string, headers: Record<string, string> = {}) =>
  (await get(path, headers)).headers["content-type"]?.split(";")[0];

describe("who gets which format", () => {
  it("JSON by default; the others by Accept or by format=, which takes precedence", async () => {
    expect(await typeOf("/larc?year=2024&quarter=Fall")).toBe("application/json");
    expect(await typeOf("/larc?year=2024&quarter=Fall", { Accept: BROWSER })).toBe("application/json");
    expect(await typeOf("/larc?year=2024&quarter=Fall", { Accept: "image/png" })).toBe("application/json");
    expect(await typeOf("/larc?year=2024&quarter=Fall", { Accept: "text/csv" })).toBe("text/csv");
    expect(await typeOf("/larc?year=2024&quarter=Fall&format=ndjson", { Accept: "text/csv" })).toBe(
      "application/x-ndjson",
    );
    expect(await typeOf("/larc?year=2024&quarter=Fall&format=json", { Accept: "text/csv" })).toBe("application/json");
    expect(await typeOf("/larc?year=2024&quarter=Fall&format=", { Accept: "text/csv" })).toBe("text/csv");
  });

  it("an unknown format is 400 and names those that there are, together with what else is wrong", async () => {
    const { status, headers, text } = await get("/grades/raw?format=xml&year=x");
    expect([status, headers["content-type"]]).toEqual([400, "application/json; charset=utf-8"]);
    expect(text).toContain(`Invalid format provided: \\"xml\\" (allowed: one of json, csv, ndjson, parquet)`);
    expect(text).toContain("Invalid year provided");
  });

  it("errors stay JSON", async () => {
    for (const format of ["csv", "ndjson", "parquet"]) {
      const { status, headers, json } = await get(`/courses/NOBODY?format=${format}`, { Accept: "text/csv" });
      expect([status, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
      expect(json<{ statusCode: number }>().statusCode).toBe(404);
    }
  });

  it("format is no unknown parameter", async () => {
    expect((await get("/courses/all?format=csv")).headers["warning"]).toBeUndefined();
  });
});

describe("headers", () => {
  const tagOf = async (path: string, headers: Record<string, string> = {}) => (await get(path, headers)).headers.etag;

  it("each format has a tag of its own, the same by Accept and by format=", async () => {
    const path = "/grades/aggregateByCourse?department=DANCE";
    const tags = await Promise.all(
      ["json", "csv", "ndjson", "parquet"].map((format) => tagOf(`${path}&format=${format}`)),
    );
    expect(new Set(tags).size).toBe(4);
    for (const tag of tags) expect(tag).toMatch(new RegExp(`^"${surface.id}-`));
    expect(await tagOf(path)).toBe(tags[0]);
    expect(await tagOf(path, { Accept: "text/csv" })).toBe(tags[1]);
    expect(await tagOf(path, { Accept: "application/x-ndjson" })).toBe(tags[2]);
    expect(await tagOf(path, { Accept: "application/vnd.apache.parquet" })).toBe(tags[3]);
  });

  it("Vary names Accept wherever it decides, also on a 304; what was known as CSV is no JSON", async () => {
    const csv = await get("/grades/aggregateByCourse", { Accept: "text/csv" });
    expect(csv.headers.vary).toBe("Accept-Encoding, Accept, Prefer");
    const tag = csv.headers.etag ?? "";
    const same = await get("/grades/aggregateByCourse", { Accept: "text/csv", "If-None-Match": tag });
    expect([same.status, same.headers.vary, same.raw.length]).toEqual([304, "Accept-Encoding, Accept, Prefer", 0]);
    const json = await get("/grades/aggregateByCourse", { "If-None-Match": tag });
    expect([json.status, json.headers.vary]).toEqual([200, "Accept-Encoding, Accept, Prefer"]);
  });

  it("equal questions give equal bytes, whether remembered or made anew", async () => {
    const other = await serve({ ARTIFACTS_DIR: surface.artifacts });
    for (const format of ["csv", "ndjson", "parquet"]) {
      const path = `/courses?format=${format}`;
      const [first, again] = [await get(path), await get(path)];
      const elsewhere = await ask(`${other.url}/v1/rest${path}`);
      expect([first.status, first.raw.equals(again.raw), first.raw.equals(elsewhere.raw)]).toEqual([200, true, true]);
      expect(first.headers.etag).toBe(elsewhere.headers.etag);
      expect(first.headers["content-disposition"]).toBe(`attachment; filename="courses.${format}"`);
    }
    await other.close();
  });

  it("CSV and NDJSON are compressed like JSON, Parquet is compressed in itself", async () => {
    const packed = { "Accept-Encoding": "gzip" };
    expect((await get("/grades/raw?format=csv", packed)).headers["content-encoding"]).toBe("gzip");
    expect((await get("/courses?format=ndjson", packed)).headers["content-encoding"]).toBe("gzip");
    expect((await get("/grades/raw?format=parquet", packed)).headers["content-encoding"]).toBeUndefined();
  });

  it("HEAD says what GET would", async () => {
    for (const path of ["/courses?format=csv", "/courses?format=parquet", "/grades/raw?format=csv"]) {
      const [head, full] = [await get(path, {}, "HEAD"), await get(path)];
      expect([head.status, head.raw.length]).toEqual([200, 0]);
      for (const name of ["content-type", "content-length", "accept-ranges", "etag", "vary"])
        expect(head.headers[name]).toBe(full.headers[name]);
    }
  });
});

describe("parts of a file", () => {
  it.each(["parquet", "csv", "ndjson"])(
    "of %s put together are the whole, and as long as HEAD says",
    async (format) => {
      const path = `/courses?format=${format}`;
      const whole = await get(path);
      const size = whole.raw.length;
      expect([whole.headers["accept-ranges"], whole.headers["content-length"]]).toEqual(["bytes", String(size)]);
      // As readers of Parquet ask: the end first, then what it points to; at last from what is kept.
      for (const _ of [1, 2, 3]) {
        const [end, begin] = [
          await get(path, { Range: "bytes=-8" }),
          await get(path, { Range: `bytes=0-${size - 9}` }),
        ];
        expect([end.status, begin.status]).toEqual([206, 206]);
        expect(Buffer.concat([begin.raw, end.raw]).equals(whole.raw)).toBe(true);
        expect(end.headers["content-range"]).toBe(`bytes ${size - 8}-${size - 1}/${size}`);
        expect(end.headers.etag).toBe(whole.headers.etag);
        const head = await get(path, { Range: "bytes=0-3" }, "HEAD");
        expect([head.status, head.headers["content-length"], head.raw.length]).toEqual([206, "4", 0]);
        expect((await get(path)).raw.equals(whole.raw)).toBe(true);
      }
      const beyond = await get(path, { Range: `bytes=${size}-` });
      expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, `bytes */${size}`]);
    },
  );

  it.each(endpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
    "of %s are sent, as the OpenAPI document says, in each format that has them",
    async (_path, endpoint) => {
      for (const { name, hasRanges = false, isFormat } of representationsOf(endpoint)) {
        if (!isFormat) continue;
        const whole = withParameter(exampleOf(endpoint), "format", name);
        // What is over 1 MB has none.
        const path = "limit" in endpoint.params ? withParameter(whole, "limit", "100") : whole;
        const { status, headers } = await get(path, { Range: "bytes=0-0" });
        const size = headers["content-range"]?.split("/")[1];
        const inParts = [size === "0" ? 416 : 206, "bytes"];
        expect([name, status, headers["accept-ranges"]]).toEqual([name, ...(hasRanges ? inParts : [200, undefined])]);
        if (hasRanges) expect((await get(path, { Range: `bytes=${size}-` })).status).toBe(416);
      }
    },
  );

  it("are of the version that the client has, and of a file that is sent as it is", async () => {
    const path = "/courses?format=parquet";
    const { etag = "" } = (await get(path)).headers;
    const statusOf = async (headers: Record<string, string>, at = path) =>
      (await get(at, { Range: "bytes=0-3", ...headers })).status;
    expect(await statusOf({ "If-Range": etag })).toBe(206);
    expect(await statusOf({ "If-Range": '"another"' })).toBe(200);
    expect(await statusOf({ "If-None-Match": etag })).toBe(304);
    expect(await statusOf({ "Accept-Encoding": "gzip" }, "/courses?format=csv")).toBe(200);
    expect(await statusOf({}, "/courses")).toBe(200);
    expect((await get("/courses")).headers["accept-ranges"]).toBeUndefined();
  });
});

describe("a large answer", () => {
  it("comes whole, also to several at once, and says how long it is", async () => {
    const rows = (await get("/grades/raw")).json<unknown[]>();
    const answers = await Promise.all([1, 2, 3].map(() => get("/grades/raw?format=ndjson&excludePNP=true")));
    for (const { status, text, raw, headers } of answers) {
      // A file is whole before it is sent.
      expect([status, headers["content-length"]]).toEqual([200, String(raw.length)]);
      expect(
        text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual(rows);
    }
    const parquet = await Promise.all([1, 2, 3].map(() => get("/grades/raw?format=parquet")));
    for (const { status, raw } of parquet) expect([status, raw.subarray(-4).toString()]).toEqual([200, "PAR1"]);
  });
});

describe("a live answer", () => {
  it("comes in every format, and nobody may keep it", async () => {
    const pool = await createPool({ artifactsDir: surface.artifacts });
    const store = await openStore({ artifactsDir: surface.artifacts, pool, log: silentLog });
    const sections = [
      sectionRow({ sectionCode: "30000", instructors: ['O"BRIEN, P.'] }),
      sectionRow({ sectionCode: "30001", sectionComment: "=HYPERLINK(1)", restrictions: "+1", numRequested: "-2" }),
    ];
    const live = openLiveSchedule(() =>
      Promise.resolve({ address: "", query: () => Promise.resolve({ sections, headings: headingsOf(sections) }) }),
    );
    const app = appOf({ endpoints, store, pool, live, log: silentLog });
    const asked = (format: string) =>
      app.request(`/v1/rest/schedule?year=2024&quarter=Fall&department=DANCE&cache=false&format=${format}`);
    const csv = await asked("csv");
    expect([csv.status, csv.headers.get("cache-status"), csv.headers.get("cache-control")]).toEqual([
      200,
      CACHE_STATUS.bypass,
      "no-store",
    ]);
    const lines = (await csv.text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^year,quarter,schoolName,/);
    for (const line of lines.slice(1)) expect(line).toMatch(/^2024,Fall,/);
    expect(lines[1]).toContain(',30000,Lec,A,4,"[""O\\""BRIEN, P.""]",');
    // To a spreadsheet these are formulas; a reader of CSV gets what the schedule says.
    for (const cell of [",=HYPERLINK(1),", ",+1,", ",-2,"]) expect(`${lines[2]},`).toContain(cell);
    const ndjson = (await (await asked("ndjson")).text()).trimEnd().split("\n");
    expect(ndjson.map((line) => (JSON.parse(line) as { sectionCode: string }).sectionCode)).toEqual(["30000", "30001"]);
    const parquet = Buffer.from(await (await asked("parquet")).arrayBuffer());
    expect(parquet.subarray(0, 4).toString()).toBe("PAR1");
    await store.close();
    await pool.close();
  });
});

describe("COMPAT=1", () => {
  it("wraps JSON and nothing else", async () => {
    const compat = await serve({ ARTIFACTS_DIR: surface.artifacts, COMPAT: "1" });
    const at = (path: string) => ask(`${compat.url}/v1/rest${path}`);
    expect((await at("/courses")).json()).toMatchObject({ success: true });
    for (const path of ["/courses", "/grades/raw"]) {
      for (const format of ["csv", "ndjson"]) {
        const [bare, other] = [await get(`${path}?format=${format}`), await at(`${path}?format=${format}`)];
        expect([other.status, other.text === bare.text, other.headers.etag]).toEqual([200, true, bare.headers.etag]);
      }
    }
    expect((await at("/schedule/terms?format=parquet")).raw.subarray(0, 4).toString()).toBe("PAR1");
    await compat.close();
  });
});
