/** `limit` and `offset` of the schedule count courses: what a page shows, against slices of the whole tree (server/RULES.md, HTTP). */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSql } from "../../../../pipeline/publish/sql/sql-shell.ts";
import { scratchDatabase } from "../../../pipeline/publish/scratch.ts";
import { assertAtOnce } from "../../../support/at-once.ts";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { plainRows, type PlainRow } from "../../response/representations/plain-rows.ts";
import { linksOf } from "../../response/paging-world.ts";
import { nastyTerm } from "./nasty-sections.ts";
import { filterArbitraries, queryArbitrary } from "./schedule-queries.ts";
import { everyCourse, joined, partOfTree, type Tree } from "./tree-parts.ts";

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
let compat: Awaited<ReturnType<typeof serve>>;
let earlier: string;
beforeAll(async () => {
  folder = await openFolder();
  const fewer = { ...term, sections: term.sections.filter((_, i) => i % 3 > 0) };
  earlier = (await publishRows(folder.artifacts, fewer)).id;
  await publishRows(folder.artifacts, term);
  server = await serve(folder.env);
  compat = await serve({ ...folder.env, COMPAT: "1" });
});
afterAll(async () => {
  await server?.close();
  await compat?.close();
  await folder?.remove();
});

const get = (query: string, init?: RequestInit) => server.get(`/schedule?${query}`, init);
const treeOf = async (query: string): Promise<Tree> => (await get(query)).json() as Promise<Tree>;

describe.each([
  ["bare", false],
  ["with COMPAT=1", true],
])("%s", (_, isCompat) => {
  it("a page is the tree of its courses and of nothing else, with the total and the links", async () => {
    const of = isCompat ? () => compat : () => server;
    const ask = async (query: string) => {
      const response = await of().get(`/schedule?${query}`);
      const body = (await response.json()) as Tree & { payload: Tree };
      return { response, tree: isCompat ? body.payload : (body as Tree) };
    };
    await assertAtOnce(
      fc.tuple(question, pageOf),
      async ([query, page]) => {
        const [{ tree: whole, response: complete }, { tree, response }] = await Promise.all([
          ask(query),
          ask(query + inQuery(page)),
        ]);
        const total = everyCourse(whole).length;
        const [from, to] = [page.offset ?? 0, (page.offset ?? 0) + (page.limit ?? Infinity)];
        expect(JSON.stringify(tree)).toBe(JSON.stringify(partOfTree(whole, from, to)));
        expect([response.headers.get("x-total-count"), complete.headers.get("x-total-count")]).toEqual([
          String(total),
          null,
        ]);
        expect([complete.headers.get("link"), response.headers.get("warning")]).toEqual([
          null,
          complete.headers.get("warning"),
        ]);
        const { next, prev } = linksOf(response.headers.get("link"));
        expect([next !== undefined, prev !== undefined]).toEqual([to < total, Math.min(from, total) > 0]);
      },
      { numRuns: 200 },
    );
  });
});

it("pages that follow each other's links, joined at their seams, are the whole", async () => {
  await fc.assert(
    fc.asyncProperty(question, fc.integer({ min: 1, max: 12 }), async (query, parts) => {
      const whole = await treeOf(query);
      const limit = Math.max(1, Math.ceil(everyCourse(whole).length / parts));
      const pages: Tree[] = [];
      for (let at: string | undefined = `/schedule?${query}&limit=${limit}`; at !== undefined;) {
        const response = await server.get(at.replace("/v1/rest", ""));
        pages.push((await response.json()) as Tree);
        at = linksOf(response.headers.get("link"))["next"];
      }
      expect(JSON.stringify(joined(pages))).toBe(JSON.stringify(whole));
    }),
    { numRuns: 20 },
  );
});

describe("the same courses", async () => {
  const database = await scratchDatabase();

  it("are in CSV, NDJSON, Parquet, calendars, the statement of an explanation and with fields", async () => {
    await fc.assert(
      fc.asyncProperty(question, pageOf, async (query, page) => {
        const asked = `${query}${inQuery(page)}`;
        const response = await get(asked);
        const text = await response.text();
        const rows = plainRows("/schedule", JSON.parse(text), `/schedule?${asked}`);
        const codes = rows.map(({ sectionCode }) => sectionCode);
        const inFormat = async (format: string) => {
          const one = await get(`${asked}&format=${format}`);
          expect([format, one.status, one.headers.get("x-total-count")]).toEqual([
            format,
            200,
            response.headers.get("x-total-count"),
          ]);
          return one;
        };
        const lines = (await (await inFormat("ndjson")).text()).split("\n").slice(0, -1);
        expect(lines.map((line) => JSON.parse(line) as PlainRow)).toEqual(rows);
        const csv = parse(await (await inFormat("csv")).text(), { columns: true }) as PlainRow[];
        expect(csv.map(({ sectionCode }) => sectionCode)).toEqual(codes);
        const file = join(folder.artifacts, "part.parquet");
        await writeFile(file, Buffer.from(await (await inFormat("parquet")).arrayBuffer()));
        const read = await database.connection.runAndReadAll("SELECT sectionCode FROM read_parquet($1)", [file]);
        expect(read.getRowsJS().flat()).toEqual(codes);
        const calendar = (await (await inFormat("ics")).text()).replaceAll("\r\n ", "");
        // Sections without a time are named in the description; cancelled ones may be in neither.
        const shown = new Set(
          [...calendar.matchAll(/^UID:2024-Fall-(\d{5})-|\((\d{5})\)/gm)].map(([, a, b]) => a ?? b),
        );
        const cancelled = asked.includes("cancelledCourses") ? codes.filter((code) => !shown.has(String(code))) : [];
        expect([...shown, ...cancelled].sort()).toEqual([...codes].sort());

        const explained = (await (await get(`${asked}&explain=true`)).json()) as { sql: string; rows: number };
        expect(explained.rows).toBe(rows.length);
        let found = "";
        for await (const part of runSql(folder.artifacts, explained.sql, "json", { tempFolder: folder.data }))
          found += part;
        expect((JSON.parse(found) as PlainRow[]).map(({ sectionCode }) => sectionCode)).toEqual(codes);

        const few = await (await get(`${asked}&fields=sectionCode`)).text();
        expect([...few.matchAll(/"sectionCode":"(\d{5})"/g)].map(([, code]) => code)).toEqual(codes);
      }),
      { numRuns: 12 },
    );
  });

  it("are counted in an earlier snapshot as it was", async () => {
    await assertAtOnce(
      fc.tuple(question, pageOf),
      async ([query, page]) => {
        const whole = await treeOf(`${query}&asOf=${earlier}`);
        const [from, to] = [page.offset ?? 0, (page.offset ?? 0) + (page.limit ?? Infinity)];
        const tree = await treeOf(`${query}${inQuery(page)}&asOf=${earlier}`);
        expect(JSON.stringify(tree)).toBe(JSON.stringify(partOfTree(whole, from, to)));
      },
      { numRuns: 20 },
    );
  });
});

it("beyond the end there is nothing but the total; a term that nobody has published has none", async () => {
  const response = await get(`${TERM}&limit=5&offset=9007199254740993`);
  const total = everyCourse(await treeOf(TERM)).length;
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
