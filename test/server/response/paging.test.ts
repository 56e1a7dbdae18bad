/** server/RULES.md, HTTP: "every endpoint that returns an array accepts `limit` (1–10,000) and `offset` (≥ 0) and then sends `Link` (`next`, `prev`) and `X-Total-Count`". */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { endpoints } from "../../../server/endpoints/all.ts";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import { linksOf, openPagingWorld, othersOf, QUESTIONS, questions } from "./paging-world.ts";

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

const arrays = endpoints.filter(({ returns }) => returns.schema instanceof z.ZodArray).map(({ path }) => path);

/** Search gives its ten best hits to those who do not say how many: the whole is asked for. */
const WHOLE = "limit=10000";
const wholes = new Map<string, unknown[]>();
async function wholeOf(path: string, query: string): Promise<unknown[]> {
  const asked = `${path}?${path === "/search" ? `${query}&${WHOLE}` : query}`;
  const whole = wholes.get(asked) ?? ((await (await app.get(asked)).json()) as unknown[]);
  wholes.set(asked, whole);
  return whole;
}

const partOf = (address: string) => {
  const { searchParams } = new URL(address, "http://x");
  return { limit: Number(searchParams.get("limit")), offset: Number(searchParams.get("offset")) };
};

it("every endpoint that returns an array is requested here", () => {
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
