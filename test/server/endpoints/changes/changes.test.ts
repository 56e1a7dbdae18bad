/** The list of changes against a plain search of the same rows. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Change } from "../../../../pipeline/contract/rows/change.ts";
import { scratchDatabase } from "../../../pipeline/publish/scratch.ts";
import { askPlainly, crawlOf, drawPublication } from "../../../support/worlds/drawn-changes.ts";
import { openApp, type OpenedApp } from "../../../support/published/opened-app.ts";
import { changeRow, publishChanges } from "../../../support/published/published-changes.ts";
import { openFolder } from "../../../support/whole-run.ts";

const PUBLICATIONS = 6;
const folder = await openFolder();
const database = await scratchDatabase(1);
const snapshots: string[] = [];
let all: Change[] = [];
let app: OpenedApp;

beforeAll(async () => {
  for (let i = 0; i < PUBLICATIONS; i++) {
    const [drafts = []] = fc.sample(drawPublication(i), { numRuns: 1, seed: i });
    const options = { now: new Date(crawlOf(i).getTime() + 60_000) };
    const published = await publishChanges(folder.artifacts, all, i === 0 ? [] : drafts, options);
    snapshots.push(published.id);
    ({ all } = published);
  }
  app = await openApp(folder.artifacts, () => crawlOf(PUBLICATIONS), { judgedEvery: 10 });
});
afterAll(async () => {
  await app?.close();
  await folder.remove();
});

const toQuery = (asked: object) => new URLSearchParams(asked as Record<string, string>).toString();
const get = (asked: object) => app.get(`/changes?${toQuery(asked)}`);
const json = async (asked: Parameters<typeof get>[0]) => (await get(asked)).json() as Promise<object[]>;

describe("the list", () => {
  it("comes in pages that lie behind each other", async () => {
    const expected = askPlainly(all, {}, snapshots);
    const rows: object[] = [];
    let next: string | undefined = "/changes?limit=7";
    while (next !== undefined) {
      const page: Response = await app.get(next);
      expect(page.headers.get("x-total-count")).toBe(String(expected.length));
      rows.push(...((await page.json()) as object[]));
      next = /<\/v1\/rest([^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(rows).toEqual(expected);
  });

  it("names the nearest snapshots where one is not retained, and every wrong parameter", async () => {
    const unknown = await get({ since: "0".repeat(16) });
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining(snapshots[0] ?? "")]);
    const wrong = await app.get("/changes?since=never&until=2024-13-01&kind=added,moved&sectionCodes=1");
    const { message } = (await wrong.json()) as { message: string };
    expect([wrong.status, message.match(/Invalid \w+/g)]).toEqual([
      400,
      ["Invalid since", "Invalid until", "Invalid sectionCodes", "Invalid kind"],
    ]);
  });
});

describe("other formats", () => {
  it.each([{}, { year: "2024", limit: 5, offset: 3 }, { year: "1999" }])("hold the same rows: %o", async (asked) => {
    const expected = await json(asked);
    const lines = (await (await get({ ...asked, format: "ndjson" })).text()).split("\n").filter((line) => line !== "");
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(expected);
    const csv = parse(await (await get({ ...asked, format: "csv" })).text(), { columns: true, relax_quotes: false });
    const texts = expected.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, field]) => [name, field ?? ""])),
    );
    expect(csv).toEqual(texts);
    const file = join(folder.artifacts, "changes.parquet");
    await writeFile(file, Buffer.from(await (await get({ ...asked, format: "parquet" })).arrayBuffer()));
    const read = await database.connection.runAndReadAll("SELECT to_json(t)::VARCHAR FROM read_parquet($1) t", [file]);
    expect(read.getRowsJS().map(([row]) => JSON.parse(row as string) as object)).toEqual(expected);
  });

  it("a feed has the newest first, with stable ids", async () => {
    const newest = askPlainly(all, {}, snapshots).toReversed() as Change[];
    const response = await app.get("/changes", { headers: { Accept: "application/atom+xml" } });
    expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const feed = readFeed(await response.text());
    expect(feed.entries.map(({ updated, category }) => [updated, category])).toEqual(
      newest.slice(0, 100).map(({ at, kind }) => [at, kind]),
    );
    expect([feed.title, feed.updated]).toEqual(["Changes of the schedule of classes", newest[0]?.at]);
    const ids = feed.entries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of [feed.id, ...ids]) expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const part = readFeed(await (await get({ format: "atom", limit: 4, offset: 2 })).text());
    expect(part.entries.map(({ id }) => id)).toEqual(ids.slice(2, 6));
    const none = readFeed(await (await get({ format: "atom", year: "1999" })).text());
    expect([none.entries, Number.isNaN(Date.parse(none.updated ?? ""))]).toEqual([[], false]);
    const titled = readFeed(await (await get({ format: "atom", department: "I&C SCI", quarter: "Fall" })).text());
    expect(titled.title).toBe("Changes of the schedule of classes in I&CSCI, Fall");
  });
});

describe("a feed after a large publication", () => {
  let later: OpenedApp;
  let newest: Change[] = [];
  beforeAll(async () => {
    const at = crawlOf(PUBLICATIONS).toISOString();
    const changed = Array.from({ length: 230 }, (_, i) =>
      changeRow({ at, sectionCode: String(10_000 + i), department: i % 2 === 0 ? "DANCE" : "I&C SCI" }),
    );
    // Its term was crawled before those of earlier publications.
    const late = changeRow({ at: all.at(-3)?.at ?? at, quarter: "Winter", sectionCode: "00007", department: "DANCE" });
    const published = await publishChanges(folder.artifacts, all, [...changed, late]);
    newest = published.all.filter(({ snapshot }) => snapshot === published.id);
    ({ all } = published);
    snapshots.push(published.id);
    later = await openApp(folder.artifacts);
  });
  afterAll(() => later?.close());

  const read = async (path: string) => readFeed(await (await later.get(path)).text());
  const keyOf = ({ at, sectionCode, field }: Pick<Change, "at" | "sectionCode" | "field">) =>
    `${at} ${sectionCode} ${field}`;
  const keysIn = (entries: readonly Entry[]) =>
    entries.map(({ updated, content }) => {
      const [, field = "", code = ""] = /^\w+: (\S+) of \d+ \w+ (\d+) /.exec(content ?? "") ?? [];
      return `${updated} ${code} ${field}`;
    });

  it.each(["format=atom", "department=dance&format=atom", "format=atom&offset=7", "format=atom&limit=50&kind=status"])(
    "%s: its pages have every change once",
    async (query) => {
      const { format: _format, limit, offset = "0", ...asked } = Object.fromEntries(new URLSearchParams(query));
      const expected = (askPlainly(all, asked, snapshots).toReversed() as Change[]).slice(Number(offset)).map(keyOf);
      const entries: Entry[] = [];
      let [next, pages]: [string | undefined, number] = [`/v1/rest/changes?${query}`, 0];
      while (next !== undefined) {
        const page: ReturnType<typeof readFeed> = await read(next.replace(/^.*\/v1\/rest/, ""));
        expect(new URLSearchParams(page.links["self"]?.split("?")[1]).toString()).toBe(
          sorted(new URLSearchParams(next.split("?")[1])),
        );
        expect(page.updated).toBe(page.entries[0]?.updated);
        if (pages++ === 0 && limit === undefined && offset === "0") {
          const own = newest.filter(({ department }) => !asked["department"] || department === "DANCE").map(keyOf);
          expect(keysIn(page.entries)).toEqual(expect.arrayContaining(own));
        }
        entries.push(...page.entries);
        ({ next } = page.links);
      }
      expect(keysIn(entries)).toEqual(expected);
      expect(pages).toBeGreaterThan(1);
    },
  );

  it("chosen by Accept names itself with its format", async () => {
    const { links } = readFeed(
      await (await later.get("/changes?kind=added&nonsense=1", { headers: { Accept: "application/atom+xml" } })).text(),
    );
    const address = "http://localhost/";
    expect(links).toEqual({ alternate: address, self: `${address}v1/rest/changes?kind=added&format=atom` });
  });
});

const sorted = (query: URLSearchParams): string => {
  query.sort();
  return query.toString();
};

type Entry = Record<string, string>;

/** Strictly parsed; every element that RFC 4287 requires must be there. */
function readFeed(xml: string) {
  const feed: Entry = {};
  const entries: Entry[] = [];
  const links: Record<string, string> = {};
  const path: string[] = [];
  let into = feed;
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ local, uri, attributes }) => {
    expect(uri).toBe("http://www.w3.org/2005/Atom");
    path.push(local);
    if (local === "entry") entries.push((into = {}));
    const valueOf = (name: string) => (attributes as Record<string, { value: string }>)[name]?.value ?? "";
    if (local === "link" && entries.length === 0) links[valueOf("rel")] = valueOf("href");
    if (local === "category") into["category"] = valueOf("term");
  });
  parser.on("text", (text) => {
    const name = path.at(-1) ?? "";
    into[name] = (into[name] ?? "") + text;
  });
  parser.on("closetag", () => void path.pop());
  parser.write(xml).close();
  for (const one of [feed, ...entries])
    expect(Object.keys(one)).toEqual(expect.arrayContaining(["id", "title", "updated"]));
  expect(feed["name"]).not.toBe("");
  return { ...feed, entries, links } as Entry & { entries: Entry[]; links: Record<string, string> };
}
