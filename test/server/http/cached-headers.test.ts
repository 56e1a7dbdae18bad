/**
 * What caches on the way read (RFC 9110 §15.4.5, RFC 9111): on a 200, a HEAD and a 304 of everything that may be
 * kept.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { someOf } from "../../support/extent.ts";
import { everyRequest } from "../../support/every-request.ts";
import { openSurface } from "./surface-server.ts";
import { ask } from "./wire.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
let file = "";
beforeAll(async () => {
  surface = await openSurface();
  const manifest = (await ask(`${surface.url}/v1/data/manifest.json`)).json<{
    tables: { grades: { files: { url: string }[] } };
  }>();
  file = manifest.tables.grades.files[0]?.url ?? "";
});
afterAll(() => surface?.close());

const PAGES = [
  ...["/v1/data/manifest.json", "/v1/snapshots", "/v1/data/lake.ducklake", "/v1/openapi.json", "/v1", "/v1/rest"],
  ...["/", "/find", "/docs/courses.md", "/client.js", "file"],
];
/** The site and the lists differ by Accept, which the endpoints do too. */
const NEGOTIATED = /^\/(v1\/rest.*|v1|find)?$/;

const ids = { "/courses/:id": "DANCE10", "/instructors/:id": "ramberley" };
const requests = everyRequest({ year: "2024", quarter: "Fall", ids }).map((path) => `/v1/rest${path}`);

const distinct = [...new Set(requests)];
it.each([...someOf(distinct, Math.ceil(distinct.length / 4)), ...PAGES])("%s", async (path) => {
  const url = surface.url + (path === "file" ? file : path);
  const get = (headers: Record<string, string> = {}, method = "GET") => ask(url, { headers, method });
  const whole = await get();
  if (whole.status !== 200) return;
  const { "cache-control": cached, vary = "", etag } = whole.headers;
  expect([whole.headers.age, whole.headers["x-cache"]]).toEqual([undefined, undefined]);
  expect(whole.headers["cache-status"] !== undefined).toBe(/^\/v1\/rest\/schedule\?(?!.*explain=true)/.test(path));
  expect(vary.split(", ")).toContain("Accept-Encoding");
  if (NEGOTIATED.test(path.split("?")[0] ?? "")) expect(vary.split(", ")).toContain("Accept");
  const head = await get({}, "HEAD");
  const names = ["cache-control", "vary", "etag", "last-modified", "content-type", "cache-status"];
  const secondsLater = (text: unknown) => String(text).replace(/max-age=\d{1,4}$/, "max-age=…");
  for (const name of names)
    expect([name, secondsLater(head.headers[name])]).toEqual([name, secondsLater(whole.headers[name])]);
  expect([head.status, head.raw.length]).toEqual([200, 0]);
  if (cached === "no-store") return expect(etag).toBeUndefined();
  // Fresh on arrival, or asked for again with its tag.
  expect(cached).toMatch(/^(public, max-age=[1-9]\d*(, immutable)?|no-cache)$/);
  expect(etag).toMatch(/^"/);
  for (const method of ["GET", "HEAD"]) {
    const same = await get({ "if-none-match": String(etag) }, method);
    expect([same.status, same.raw.length]).toEqual([304, 0]);
    for (const name of ["cache-control", "vary", "etag"])
      expect([name, secondsLater(same.headers[name])]).toEqual([name, secondsLater(whole.headers[name])]);
    expect([same.headers.age, same.headers["cache-status"]]).toEqual([undefined, undefined]);
  }
});

it.each(["/v1/openapi.json", "/v1/data/lake.ducklake"])(
  "%s is refused to a Host that no URL can have",
  async (path) => {
    for (const host of ["x:99999", "a,b;c=d:70000"]) {
      const { status, text } = await ask(surface.url + path, { headers: { host }, undocumented: true });
      expect([host, status]).toEqual([host, 400]);
      expect(text).toContain("The Host header of the request is not valid.");
    }
  },
);
