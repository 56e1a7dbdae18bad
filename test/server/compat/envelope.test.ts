/** COMPAT=1 (server/RULES.md, HTTP): "existing clients of the predecessor can be pointed here unchanged". */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { exampleOf } from "../../support/examples.ts";
import { openSurface } from "../http/surface-server.ts";
import { ask, hasZstd, parseRaw, sendRaw } from "../http/wire.ts";

interface Envelope {
  statusCode: number;
  timestamp: string;
  requestId: string;
  payload: unknown;
  success: boolean;
}

/** Common log format, in UTC: `04/Mar/2023:21:04:09 +0000`. */
const LOG_TIME = /^\d\d\/(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\/\d{4}:\d\d:\d\d:\d\d \+0000$/;

let compat: Awaited<ReturnType<typeof openSurface>>;
let bare: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => {
  compat = await openSurface({ COMPAT: "1" });
  bare = await openSurface();
});
afterAll(async () => {
  await compat?.close();
  await bare?.close();
});

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  ask(`${compat.base}${path}`, { method, headers });

/** Instead of the specification's fields, or beside them: `shapes.test.ts` is about these. */
const DIFFERENT = /^\/(courses|instructors|larc|enrollmentHistory)/;

describe.each(endpoints.map((endpoint) => [endpoint.path, exampleOf(endpoint)]))("%s", (path, example) => {
  it("every body is wrapped as `{statusCode, timestamp, requestId, payload, success}`", async () => {
    const answer = await get(example);
    const body = answer.json<Envelope>();
    expect(Object.keys(body)).toEqual(["statusCode", "timestamp", "requestId", "payload", "success"]);
    expect(body).toMatchObject({ statusCode: 200, requestId: answer.headers["x-request-id"], success: true });
    expect(body.timestamp).toMatch(LOG_TIME);
    const at = Date.parse(body.timestamp.replace(/\//g, " ").replace(":", " "));
    expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);
    if (!DIFFERENT.test(path)) expect(body.payload).toEqual((await ask(`${bare.base}${example}`)).json());
  });

  it("each answer has a request of its own, remembered or not; 304 and HEAD still work", async () => {
    const [one, two] = [await get(example), await get(example)];
    expect(two.json<Envelope>().requestId).toBe(two.headers["x-request-id"]);
    expect(two.headers["x-request-id"]).not.toBe(one.headers["x-request-id"]);
    const tag = one.headers["etag"] ?? "";
    // The bytes differ from answer to answer: the tag is a weak one.
    expect(tag).toMatch(/^W\/"/);
    expect(two.headers["etag"]).toBe(tag);
    for (const known of [tag, tag.replace("W/", ""), "*"])
      expect([(await get(example, { "if-none-match": known })).status, known]).toEqual([304, known]);
    // A body without the envelope is another one.
    const plain = (await ask(`${bare.base}${example}`)).headers["etag"] ?? "";
    expect((await get(example, { "if-none-match": plain })).status).toBe(200);
    const head = await get(example, {}, "HEAD");
    expect([head.status, head.raw.length, head.headers["etag"]]).toEqual([200, 0, tag]);
  });
});

describe("repeated requests", () => {
  it.each(["identity", "gzip", "br"])(
    "is put into an envelope of its own each time, however it is kept (%s)",
    async (encoding) => {
      for (const path of [
        "/week?year=2024&month=10&day=1",
        "/grades/aggregateByCourse?department=DANCE",
        "/grades/raw",
      ]) {
        const payload = (await ask(`${bare.base}${path}`)).text;
        const tags = new Set<unknown>();
        for (const id of ["a".repeat(64), undefined, "b"]) {
          const sent = { "accept-encoding": encoding, ...(id === undefined ? {} : { "x-request-id": id }) };
          const answer = await get(path, sent);
          const requestId = answer.headers["x-request-id"];
          expect(answer.json()).toMatchObject({ statusCode: 200, requestId: id ?? requestId, success: true });
          expect(answer.text.includes(`"payload":${payload},`)).toBe(true);
          expect(answer.json<Envelope>().timestamp).toMatch(LOG_TIME);
          const length = answer.headers["content-length"];
          if (length !== undefined) expect(answer.raw).toHaveLength(Number(length));
          tags.add(answer.headers["etag"]);
          expect((await get(path, { ...sent, "if-none-match": String(answer.headers["etag"]) })).status).toBe(304);
          const head = await get(path, sent, "HEAD");
          expect([head.status, head.raw.length]).toEqual([200, 0]);
        }
        expect(tags.size).toBe(1);
      }
    },
  );

  it.each([
    ["gzip, deflate, br", "gzip"],
    ["br;q=0.9, gzip;q=0.5", "br"],
    ["br", "br"],
    ["identity", undefined],
  ])("Accept-Encoding %s: gzip where it is as welcome as another", async (accept, encoding) => {
    const answer = await get("/courses/DANCE20", { "accept-encoding": accept });
    expect(answer.headers["content-encoding"]).toBe(encoding);
  });
});

describe("compression", () => {
  it.each(["br", "gzip", ...(hasZstd ? ["zstd"] : [])])(
    "%s: a small body and a large, streamed one",
    async (encoding) => {
      const small = await get("/courses/DANCE20", { "accept-encoding": encoding });
      expect(small.headers["content-encoding"]).toBe(encoding);
      expect(small.json<{ payload: { id: string } }>().payload.id).toBe("DANCE20");
      for (let time = 0; time < 2; time++) {
        const large = await get("/grades/raw", { "accept-encoding": encoding });
        expect(large.headers["content-encoding"]).toBe(encoding);
        const { payload, requestId, success } = large.json<Envelope>();
        expect(payload).toHaveLength(8000);
        expect([requestId, success]).toEqual([large.headers["x-request-id"], true]);
      }
    },
  );
});

describe("the older name of the schedule", () => {
  it.each([
    "/schedule/depts",
    "/schedule/terms",
    "/schedule?year=2024&quarter=Fall&department=DANCE",
    "/schedule/terms/",
  ])("%s", async (path) => {
    const [ours, theirs] = [await get(path), await get(path.replace("/schedule", "/websoc"))];
    expect(theirs.status).toBe(200);
    expect(theirs.json<Envelope>().payload).toEqual(ours.json<Envelope>().payload);
    expect(theirs.headers["etag"]).toBe(ours.headers["etag"]);
    expect(theirs.headers["cache-status"]).toBe(ours.headers["cache-status"]);
  });

  it("refuses as the other does", async () => {
    const answer = await get("/websoc?year=2024");
    expect(answer.status).toBe(400);
    expect(answer.json<{ message: string }>().message).toContain('Parameter "quarter" not provided');
    expect((await get("/websoc", {}, "POST")).status).toBe(405);
    expect((await get("/websoc/nothing")).status).toBe(404);
  });
});

describe("errors", () => {
  it.each([
    ["/grades/raw?year=x", 400, "Bad Request"],
    ["/courses/NOBODY", 404, "Not Found"],
    ["/nothing", 404, "Not Found"],
    [`/week?x=${"x".repeat(9000)}`, 414, "URI Too Long"],
  ])("%s", async (path, statusCode, error) => {
    const answer = await get(path);
    const body = answer.json<Record<string, unknown>>();
    expect(body).toMatchObject({ statusCode, error, success: false, requestId: answer.headers["x-request-id"] });
    expect(Object.keys(body).sort()).toEqual(["error", "message", "requestId", "statusCode", "success", "timestamp"]);
    expect(body["timestamp"]).toMatch(LOG_TIME);
  });

  it("also where no request came to be", async () => {
    for (const text of ["junk\r\n\r\n", "GET /v1/rest/week HTTP/1.1\r\nConnection: close\r\n\r\n"])
      expect(JSON.parse(parseRaw(await sendRaw(compat.url, text)).body)).toMatchObject({
        statusCode: 400,
        success: false,
        timestamp: expect.stringMatching(LOG_TIME) as string,
      });
  });
});
