/** `limit` and `offset` of the schedule count courses: calendars of pages, their ends and their tags (server/RULES.md, HTTP). */
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { linksOf } from "../../response/paging-world.ts";
import { nastyTerm } from "./nasty-sections.ts";
import { filterArbitraries, queryArbitrary } from "./schedule-queries.ts";

const term = nastyTerm(300);
const TERM = "year=2024&quarter=Fall&cacheOnly=true";
const filters = queryArbitrary(filterArbitraries(term.sections), { least: 0, most: 2 });
const question = fc
  .tuple(fc.constantFrom(TERM, `${TERM}&instructorIds=true`), fc.option(filters, { nil: [] }))
  .map(([term, query]) => `${term}&${new URLSearchParams(query.flat())}`);
const pageOf = fc
  .record({
    limit: fc.option(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 10_000 })), { nil: undefined }),
    offset: fc.option(fc.oneof(fc.nat(9), fc.nat(400)), { nil: undefined }),
  })
  .filter(({ limit, offset }) => limit !== undefined || offset !== undefined);
const inQuery = ({ limit, offset }: { limit?: number | undefined; offset?: number | undefined }) =>
  `${limit === undefined ? "" : `&limit=${limit}`}${offset === undefined ? "" : `&offset=${offset}`}`;

let folder: Awaited<ReturnType<typeof openFolder>>;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  folder = await openFolder();
  await publishRows(folder.artifacts, term);
  server = await serve(folder.env);
});
afterAll(async () => {
  await server?.close();
  await folder?.remove();
});

const get = (query: string, init?: RequestInit) => server.get(`/schedule?${query}`, init);
const codesOf = async (query: string): Promise<string[]> =>
  [...(await (await get(query)).text()).matchAll(/"sectionCode":"(\d{5})"/g)].map(([, code = ""]) => code);

it("a calendar has the same courses", async () => {
  await fc.assert(
    fc.asyncProperty(question, pageOf, async (query, page) => {
      const asked = `${query}${inQuery(page)}`;
      const codes = await codesOf(asked);
      const calendar = (await (await get(`${asked}&format=ics`)).text()).replaceAll("\r\n ", "");
      // Sections without a time are named in the description; cancelled ones may be in neither.
      const shown = new Set([...calendar.matchAll(/^UID:2024-Fall-(\d{5})-|\((\d{5})\)/gm)].map(([, a, b]) => a ?? b));
      const cancelled = asked.includes("cancelledCourses") ? codes.filter((code) => !shown.has(String(code))) : [];
      expect([...shown, ...cancelled].sort()).toEqual([...codes].sort());
    }),
    { numRuns: 20 },
  );
});

it("beyond the end there is nothing but the total; a term that nobody has published has none", async () => {
  const response = await get(`${TERM}&limit=5&offset=9007199254740993`);
  const total = Number((await get(`${TERM}&limit=1`)).headers.get("x-total-count"));
  expect(total).toBeGreaterThan(100);
  expect([await response.text(), response.headers.get("x-total-count")]).toEqual(['{"schools":[]}', String(total)]);
  expect(Object.keys(linksOf(response.headers.get("link")))).toEqual(["prev"]);
  for (const format of ["json", "csv"]) {
    const none = await get(`year=1999&quarter=Fall&cacheOnly=true&limit=5&format=${format}`);
    expect([none.status, none.headers.get("x-total-count"), none.headers.get("link")]).toEqual([200, "0", null]);
  }
});

it("pages have tags and a HEAD of their own; without them nothing is new", async () => {
  const tags = new Set<string | null>();
  for (const page of ["", "&limit=5", "&limit=6", "&offset=5", "&limit=5&offset=5"]) {
    const [full, head] = [await get(TERM + page), await get(TERM + page, { method: "HEAD" })];
    for (const name of ["etag", "link", "x-total-count"]) expect(head.headers.get(name)).toBe(full.headers.get(name));
    const same = await get(TERM + page, { headers: { "If-None-Match": full.headers.get("etag") ?? "" } });
    expect(same.status).toBe(304);
    tags.add(full.headers.get("etag"));
  }
  expect(tags.size).toBe(5);
  const [plain, empty] = [await get(TERM), await get(`${TERM}&limit=&offset=`)];
  expect(empty.headers.get("etag")).toBe(plain.headers.get("etag"));
  expect((await get(`${TERM}&limit=0`)).status).toBe(400);
});
