/** Parts of lists: which part a request asks for, and the links to those beside it. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sql, statementText, toText } from "../../../server/duckdb/sql.ts";
import type { Endpoint } from "../../../server/response/endpoint.ts";
import {
  inPage,
  inPageOf,
  isPaged,
  limitParam,
  linkHeader,
  pageParams,
  pagedHeaders,
  pageOf,
  toResult,
  totalHeader,
} from "../../../server/response/paging.ts";
import { REQUEST_LIMITS } from "../../../server/response/request-limits.ts";
import { CACHE_STATUS } from "../../../server/response/headers.ts";

const most = REQUEST_LIMITS.rows.most;
const endpoint = (given: Partial<Endpoint>): Endpoint =>
  ({ path: "/things", params: {}, returns: { schema: z.string() }, ...given }) as Endpoint;
const ofArray = endpoint({ returns: { schema: z.array(z.string()) } as unknown as Endpoint["returns"] });
const ofCourses = endpoint({ pagesOf: "courses" });

describe("paging is offered", () => {
  it("where an array or pages of something are returned", () => {
    expect([endpoint({}), ofArray, ofCourses].map(isPaged)).toEqual([false, true, true]);
    const other = endpoint({});
    expect(pageParams(other)).toEqual({});
  });
  it("in the words of what is counted", () => {
    expect(pageParams(ofArray)).toMatchObject({
      limit: {
        about: "maximum number of elements; all by default",
        schema: { type: "integer", minimum: 1, maximum: most, examples: [100] },
      },
      offset: { about: "number of elements to skip", schema: { type: "integer", minimum: 0, examples: [100] } },
    });
    expect(pageParams(ofArray)["limit"]?.schema).not.toHaveProperty("default");
    const { limit, offset } = pageParams(ofCourses);
    expect([limit?.about, offset?.about]).toEqual([
      ...["maximum number of courses; all by default", "number of courses to skip"],
    ]);
  });
  it("with the endpoint's own limit where it has one", () => {
    const own = endpoint({ pagesOf: "hits", params: { limit: limitParam(10, "hits") } });
    expect(pageParams(own)["limit"]).toBe(own.params["limit"]);
    expect(own.params["limit"]).toMatchObject({
      about: "maximum number of hits; 10 by default",
      schema: { default: 10 },
    });
  });
  it("for whole numbers", () => {
    const { limit, offset } = pageParams(ofArray);
    expect(["1", String(most)].map((value) => limit?.read([value]))).toEqual([1, most]);
    for (const wrong of ["0", String(most + 1), "1x", "x1", "1.5", ""])
      expect(() => limit?.read([wrong])).toThrow(`a number from 1 to ${most}`);
    expect(offset?.read(["9".repeat(30)])).toBe(Number.MAX_SAFE_INTEGER);
    for (const wrong of ["-1", "1x", "1.5"]) expect(() => offset?.read([wrong])).toThrow("a number from 0 on");
  });
});

it("the page is what is asked for, or up to the endpoint's own limit", () => {
  const limited = endpoint({ params: { limit: limitParam(10) } });
  expect(pageOf(ofArray, undefined, undefined)).toBeUndefined();
  expect(pageOf(ofArray, 5, undefined)).toEqual({ limit: 5, offset: 0 });
  expect(pageOf(ofArray, undefined, 7)).toEqual({ limit: undefined, offset: 7 });
  expect(pageOf(limited, undefined, undefined)).toEqual({ limit: 10, offset: 0 });
  expect(pageOf(limited, 5, 7)).toEqual({ limit: 5, offset: 7 });
});

it("a page of rows, and of elements that are several rows, is selected by bound numbers", () => {
  const pages = [undefined, { limit: undefined, offset: 7 }, { limit: 5, offset: 7 }];
  expect(pages.map(inPage).map(statementText)).toEqual(["", "OFFSET 7", "LIMIT 5 OFFSET 7"]);
  expect(pages.map(inPage).map(({ values }) => values)).toEqual([[], [7], [5, 7]]);
  const [all, rest, part] = pages.map((page) => inPageOf(sql`course`, page));
  expect(all && toText(all)).toBe("");
  expect([rest?.values, part?.values]).toEqual([[7], [7, 5]]);
  expect([rest, part].map((one) => one && /QUALIFY .*course/.test(toText(one)))).toEqual([true, true]);
});

describe("a list", () => {
  const part = (from: number, to: number) => [Buffer.from(`${from}-${to}`)];
  const list = { total: 10, headers: { "Cache-Status": CACHE_STATUS.hit }, part };
  it("is cut to the page, with the number of its rows and the total", async () => {
    const pages = [undefined, { limit: 3, offset: 2 }, { limit: undefined, offset: 8 }, { limit: 5, offset: 20 }];
    const results = await Promise.all(pages.map((page) => toResult(list, page)));
    expect(results.map(({ body }) => String((body as Buffer[])[0]))).toEqual(["0-10", "2-5", "8-10", "10-10"]);
    expect(results.map(({ rows }) => rows)).toEqual([10, 3, 2, 0]);
    expect(results.map(({ headers }) => headers?.["X-Total-Count"])).toEqual([undefined, "10", "10", "10"]);
    const counted = await toResult({ ...list, rows: (from, to) => (to - from) * 7 }, { limit: 3, offset: 2 });
    expect(counted.rows).toBe(21);
  });
  it("keeps its headers, and other results stay what they are", async () => {
    expect(pagedHeaders(list, undefined)).toEqual({ "Cache-Status": CACHE_STATUS.hit });
    expect(pagedHeaders(list, { limit: 1, offset: 0 })).toEqual({
      "Cache-Status": CACHE_STATUS.hit,
      ...totalHeader(10),
    });
    const other = { body: [Buffer.from("{}")] };
    expect(await toResult(other, { limit: 1, offset: 0 })).toBe(other);
  });
});

describe("links", () => {
  const linksOf = (search: string, page: { limit: number | undefined; offset: number }, total: number) =>
    linkHeader("/", { pathname: "/v1/rest/things", search }, page, totalHeader(total))["Link"];
  const partsOf = (link = "") =>
    Object.fromEntries(
      [...link.matchAll(/<[^>]*[?&]limit=(\d+)&offset=(\d+)>; rel="(\w+)"/g)].map(([, limit, offset, rel]) => [
        ...[rel, [Number(offset), Number(offset) + Number(limit)]],
      ]),
    ) as { next?: [number, number]; prev?: [number, number] };

  it("lead to the elements right after and right before the page, and to no others", () => {
    const small = fc.integer({ min: 0, max: 12 });
    const property = fc.property(fc.option(fc.integer({ min: 1, max: 6 })), small, small, (limit, offset, total) => {
      const { next, prev } = partsOf(linksOf("", { limit: limit ?? undefined, offset }, total));
      const end = limit === null ? total : offset + limit;
      expect(next).toEqual(end < total ? [end, end + (limit ?? 0)] : undefined);
      const before = Math.min(offset, total);
      expect(prev).toEqual(before > 0 ? [Math.max(0, before - (limit ?? before)), before] : undefined);
    });
    fc.assert(property, { numRuns: 300 });
  });
  it("without a limit go back as far as one may ask for", () => {
    expect(partsOf(linksOf("", { limit: undefined, offset: most + 5 }, most + 9)).prev).toEqual([5, most + 5]);
  });
  it("keep all other parameters as they were written", () => {
    const search = "?department=I%26C%20SCI&limit=9&%6Fffset=3&&offset=5&x";
    expect(linksOf(search, { limit: 2, offset: 2 }, 6)).toBe(
      [
        '</v1/rest/things?department=I%26C%20SCI&x&limit=2&offset=4>; rel="next"',
        '</v1/rest/things?department=I%26C%20SCI&x&limit=2&offset=0>; rel="prev"',
      ].join(", "),
    );
    expect(linkHeader("/api/", { pathname: "/x", search: "" }, { limit: 1, offset: 0 }, totalHeader(2))).toEqual({
      Link: '</api/x?limit=1&offset=1>; rel="next"',
    });
    expect(linkHeader("/", { pathname: "/x", search: "" }, { limit: 1, offset: 0 })).toEqual({});
    expect(linkHeader("/", { pathname: "/x", search: "" }, { limit: 1, offset: 0 }, totalHeader(1))).toEqual({});
  });
  it("are no longer than a client reads: of two long ones the first stays", () => {
    // Both together are exactly as long as is allowed, and longer by one.
    const page = { limit: 1, offset: 10 };
    const room = 8192 - (linksOf("", page, 30)?.replace(", ", ",").length ?? 0);
    const relsOf = (length: number) => Object.keys(partsOf(linksOf(`?${"x".repeat(length)}`, page, 30)));
    expect(relsOf(room / 2 - 1)).toEqual(["next", "prev"]);
    expect(relsOf(room / 2)).toEqual(["next"]);
  });
});
