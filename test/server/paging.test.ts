/** Behaviour §1: "every endpoint that returns an array accepts `limit` (1–10,000) and `offset` (≥ 0) and then sends `Link` (`next`, `prev`) and `X-Total-Count`". */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { endpoints } from "../../server/endpoints/all.ts";
import { SHAPES } from "../../server/shapes.ts";
import { scratchDatabase } from "../publish/scratch.ts";
import { serve } from "../world.ts";
import { plainRows } from "./formats/plain-rows.ts";
import { openApp, type OpenedApp } from "./opened-app.ts";
import { openPagingWorld, QUESTIONS } from "./paging-world.ts";
import { ask } from "./wire.ts";

let folder: Awaited<ReturnType<typeof openPagingWorld>>;
let app: OpenedApp;
beforeAll(async () => {
  folder = await openPagingWorld();
  app = await openApp(folder.artifacts, undefined, { judgedEvery: 10 });
});
afterAll(async () => {
  await app?.close();
  await folder?.remove();
});
const database = await scratchDatabase();

const arrays = endpoints.filter(({ returns }) => SHAPES[returns] instanceof z.ZodArray).map(({ path }) => path);

/** Search gives its ten best hits to those who do not say how many: the whole is asked for. */
const WHOLE = "limit=10000";
const wholes = new Map<string, unknown[]>();
async function wholeOf(path: string, query: string): Promise<unknown[]> {
  const asked = `${path}?${path === "/search" ? `${query}&${WHOLE}` : query}`;
  const whole = wholes.get(asked) ?? ((await (await app.get(asked)).json()) as unknown[]);
  wholes.set(asked, whole);
  return whole;
}

const linksOf = (header: string | null): Record<string, string> =>
  Object.fromEntries([...(header ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]));
/** Every parameter but those of paging, as they are understood. */
const othersOf = (address: string): string[] =>
  [...new URL(address, "http://x").searchParams]
    .filter(([name]) => name !== "limit" && name !== "offset")
    .map(([name, value]) => `${name}=${value}`);
const partOf = (address: string) => {
  const { searchParams } = new URL(address, "http://x");
  return { limit: Number(searchParams.get("limit")), offset: Number(searchParams.get("offset")) };
};

const questions = Object.entries(QUESTIONS).flatMap(([path, queries]) => queries.map((query) => ({ path, query })));

it("every endpoint that returns an array is asked here", () => {
  expect(arrays).toEqual(expect.arrayContaining(Object.keys(QUESTIONS)));
  expect(Object.keys(QUESTIONS)).toEqual(expect.arrayContaining(arrays));
});

describe("a part of an array", () => {
  it("is that part of the whole, with the total, and with links to the parts beside it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...questions),
        fc.option(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 10_000 })), { nil: undefined }),
        fc.option(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 800 })), { nil: undefined }),
        async ({ path, query }, limit, offset) => {
          if (limit === undefined && offset === undefined) return;
          const whole = await wholeOf(path, query);
          const asked = [
            query,
            ...(limit === undefined ? [] : [`limit=${limit}`]),
            ...(offset === undefined ? [] : [`offset=${offset}`]),
          ];
          const response = await app.get(`${path}?${asked.filter(Boolean).join("&")}`);
          expect(response.status).toBe(200);
          const most = limit ?? (path === "/search" ? 10 : Infinity);
          const [from, to] = [offset ?? 0, (offset ?? 0) + most];
          expect(await response.json()).toEqual(whole.slice(from, to));
          expect(response.headers.get("x-total-count")).toBe(String(whole.length));
          const { next, prev, ...others } = linksOf(response.headers.get("link"));
          expect(others).toEqual({});
          if (to < whole.length) {
            expect(partOf(next ?? "")).toEqual({ limit: most, offset: to });
            expect(othersOf(next ?? "")).toEqual(othersOf(`/?${query}`));
            expect(next?.startsWith(`/v1/rest${path}?`)).toBe(true);
          } else expect(next).toBeUndefined();
          const before = Math.min(from, whole.length);
          if (before > 0) {
            const part = partOf(prev ?? "");
            expect(part.offset + part.limit).toBe(before);
            expect(part.limit).toBe(Math.min(before, most, 10_000));
          } else expect(prev).toBeUndefined();
        },
      ),
      { numRuns: 250 },
    );
  });

  it("leads by its links through the whole: pages concatenated equal it, forwards and backwards", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...questions),
        fc.integer({ min: 3, max: 9 }),
        fc.integer({ min: 0, max: 5 }),
        async ({ path, query }, parts, first) => {
          const whole = await wholeOf(path, query);
          const limit = Math.max(1, Math.ceil(whole.length / parts));
          const walk = async (start: string, rel: "next" | "prev") => {
            const pages: unknown[][] = [];
            for (let at: string | undefined = start; at !== undefined;) {
              const response = await app.get(at.replace("/v1/rest", ""));
              pages.push((await response.json()) as unknown[]);
              at = linksOf(response.headers.get("link"))[rel];
            }
            return pages;
          };
          const forwards = await walk(`${path}?limit=${limit}&offset=${first}&${query}`, "next");
          expect(forwards.flat()).toEqual(whole.slice(first));
          const backwards = await walk(`${path}?${query}&offset=${whole.length + first}&limit=${limit}`, "prev");
          expect(backwards.toReversed().flat()).toEqual(whole);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("is the same part in every format", async () => {
    for (const { path, query } of questions) {
      const part = `${path}?${query}&limit=5&offset=2`;
      const json = await app.get(part);
      const rows = plainRows(path, await json.json(), part);
      const inFormat = async (format: string) => {
        const response = await app.get(`${part}&format=${format}`);
        expect([format, response.status]).toEqual([format, 200]);
        expect(response.headers.get("x-total-count")).toBe(json.headers.get("x-total-count"));
        expect(linksOf(response.headers.get("link"))["prev"]?.includes(`format=${format}`) ?? true).toBe(true);
        return response;
      };
      const lines = (await (await inFormat("ndjson")).text()).split("\n").slice(0, -1);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rows);
      expect(parse(await (await inFormat("csv")).text(), { columns: true })).toHaveLength(rows.length);
      const file = join(folder.artifacts, "part.parquet");
      await writeFile(file, Buffer.from(await (await inFormat("parquet")).arrayBuffer()));
      const read = await database.connection.runAndReadAll("SELECT count(*)::INTEGER FROM read_parquet($1)", [file]);
      expect(read.getRowsJS()).toEqual([[rows.length]]);
    }
  });

  it("beyond the end is empty, and says how many there are", async () => {
    for (const { path, query } of questions) {
      const response = await app.get(`${path}?${query}&offset=9007199254740993&limit=3`);
      const { length } = await wholeOf(path, query);
      expect([await response.text(), response.headers.get("x-total-count")]).toEqual(["[]", String(length)]);
      const { next, prev } = linksOf(response.headers.get("link"));
      expect(next).toBeUndefined();
      if (length > 0) expect(partOf(prev ?? "").offset).toBe(Math.max(0, length - 3));
    }
  });
});

describe("the whole", () => {
  it('"Without them the response is complete": no total, no links', async () => {
    for (const path of arrays.filter((one) => one !== "/search"))
      for (const query of QUESTIONS[path] ?? [])
        for (const empty of ["", "&limit=&offset="]) {
          const { headers } = await app.get(`${path}?${query}${empty}`);
          expect([headers.get("x-total-count"), headers.get("link"), headers.get("warning")]).toEqual([
            null,
            null,
            null,
          ]);
        }
  });

  it("an endpoint without an array does not know the parameters", async () => {
    for (const path of ["/week", "/grades/aggregate", "/grades/options", "/courses/ART0"]) {
      const { status, headers } = await app.get(`${path}?limit=5&offset=1`);
      expect([path, status, headers.get("x-total-count")]).toEqual([path, 200, null]);
      expect(headers.get("warning")).toMatch(/unknown parameter limit ignored.*unknown parameter offset ignored/);
    }
  });
});

describe("what is refused", () => {
  it.each(["limit=0", "limit=-1", "limit=10001", "limit=abc", "limit=1.5", "limit=1e2", "limit=٣", "limit=1&limit=2"])(
    "%s",
    async (part) => {
      for (const path of arrays) {
        const response = await app.get(`${path}?${QUESTIONS[path]?.[0]}&${part}`);
        const { message } = (await response.json()) as { message: string };
        expect([path, response.status]).toEqual([path, 400]);
        expect(message).toMatch(
          part.includes("&") ? /"limit" takes one value/ : /Invalid limit provided: .*from 1 to 10000/,
        );
      }
    },
  );

  it.each(["offset=-1", "offset=abc", "offset=0.5", "offset=1&offset=2"])("%s", async (part) => {
    expect((await app.get(`/courses/all?${part}`)).status).toBe(400);
  });

  it("nothing that is said twice in the same way, nor what is empty", async () => {
    const response = await app.get("/courses/all?limit=3&limit=3&limit=&offset=&%6Fffset=%31");
    expect([response.status, ((await response.json()) as unknown[]).length]).toEqual([200, 3]);
    const { next = "", prev = "" } = linksOf(response.headers.get("link"));
    expect([next, prev]).toEqual(["/v1/rest/courses/all?limit=3&offset=4", "/v1/rest/courses/all?limit=1&offset=0"]);
  });
});

describe("over HTTP", () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let compat: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    server = await serve(folder.env);
    compat = await serve({ ...folder.env, COMPAT: "1" });
  });
  afterAll(async () => {
    await server?.close();
    await compat?.close();
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
      const exposed = full.headers["access-control-expose-headers"]?.split(", ");
      expect(exposed).toEqual(expect.arrayContaining(["Link", "X-Total-Count"]));
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
});
