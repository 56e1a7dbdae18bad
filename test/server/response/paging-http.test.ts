/** Parts of arrays as HTTP sees them (server/RULES.md, HTTP): HEAD, 304, tags, heads, what is remembered, COMPAT. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve } from "../../support/whole-run.ts";
import { linksOf, openPagingWorld, othersOf, questions } from "./paging-world.ts";
import { ask } from "../http/wire.ts";

let folder: Awaited<ReturnType<typeof openPagingWorld>>;
let server: Awaited<ReturnType<typeof serve>>;
let compat: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  folder = await openPagingWorld();
  server = await serve(folder.env);
  compat = await serve({ ...folder.env, COMPAT: "1" });
});
afterAll(async () => {
  await server?.close();
  await compat?.close();
  await folder?.remove();
});
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  ask(`${server.url}/v1/rest${path}`, { headers, method });

it("HEAD, 304 and pages of other sites know of it; each part has a tag of its own", async () => {
  const tags = new Set<string>();
  for (const part of ["", "&limit=5", "&limit=6", "&offset=5", "&limit=5&offset=5", "&offset=0"]) {
    const path = `/enrollmentHistory?year=2019${part}`;
    const [full, head] = [await get(path), await get(path, {}, "HEAD")];
    for (const name of ["link", "x-total-count", "etag"]) expect(head.headers[name]).toBe(full.headers[name]);
    const tag = full.headers.etag ?? "";
    tags.add(tag);
    const same = await get(path, { "If-None-Match": tag });
    expect([same.status, same.headers.etag]).toEqual([304, tag]);
    expect(full.headers["access-control-expose-headers"]).toBe("*");
  }
  expect(tags.size).toBe(6);
  expect((await get("/courses/all?limit=5")).headers.etag).toBe(
    (await get("/courses/all?offset=0&limit=5")).headers.etag,
  );
});

it("an answer that is remembered leads to its own asker's next part, not to another's", async () => {
  const spellings = [
    "/courses?department=ART&titleContains=move&limit=4&offset=4",
    "/courses?offset=4&titleContains=move&limit=4&department=art&x=%3Cy%3E",
    "/courses/?limit=4&department=a%52t&titleContains=move&offset=4",
  ];
  for (const path of [...spellings, ...spellings]) {
    const { headers } = await get(path);
    const others = path.slice(0, path.indexOf("?"));
    const { next = "", prev = "" } = linksOf(headers.link?.toString() ?? "");
    for (const link of [next, prev]) {
      expect(link.startsWith(`/v1/rest${others}?`)).toBe(true);
      expect(othersOf(link)).toEqual(othersOf(path));
    }
    expect((await get(next.replace("/v1/rest", ""))).json()).toHaveLength(4);
  }
});

it("a head stays short, however long the address is; what is written stays as it was", async () => {
  const long = `titleContains=${"%C3%A9".repeat(1200)}`;
  for (const offset of [0, 2]) {
    const { status, headers } = await get(`/courses?${long.slice(0, 7000)}&x=<">&limit=1&offset=${offset}`);
    expect(status).toBe(200);
    expect(JSON.stringify(headers).length).toBeLessThan(12_000);
  }
  const { headers } = await get(`/grades/raw?quarter=Fall&ge=&x=${"y".repeat(6000)}&limit=1&offset=2`);
  expect(Object.keys(linksOf(headers.link?.toString() ?? ""))).toEqual(["next"]);
  expect(JSON.stringify(headers).length).toBeLessThan(12_000);
});

it("COMPAT=1: the part is the payload; the schedule's older name leads to itself", async () => {
  for (const { path, query } of questions) {
    const part = `${path}?${query}&limit=3&offset=1`;
    const wrapped = await ask(`${compat.url}/v1/rest${part}`);
    const bare = await get(part);
    const { payload } = wrapped.json<{ payload: unknown[] }>();
    expect([part, payload.length]).toEqual([part, bare.json<unknown[]>().length]);
    for (const name of ["link", "x-total-count"]) expect(wrapped.headers[name]).toBe(bare.headers[name]);
  }
  const { headers } = await ask(`${compat.url}/v1/rest/websoc/depts?limit=1`);
  expect(headers.link).toBe('</v1/rest/websoc/depts?limit=1&offset=1>; rel="next"');
});
