/** `/` and `/assets` as they stand on the wire: a page for people, an index for programs, files that are asked for again for nothing. */
import { load } from "cheerio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BASE } from "../../../../server/response/endpoint.ts";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { courseName } from "../../../../pipeline/campus/courses/courses.ts";
import { DEFAULT_SEED } from "../../../../pipeline/campus/listening/server.ts";
import { createWorld } from "../../../../pipeline/campus/world.ts";
import { CAMPUS_SIZES } from "../../../../pipeline/contract/sample-campus.ts";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { openSurface } from "../../http/surface-server.ts";
import { ask as askWire } from "../../http/wire.ts";
import { openPageWorld } from "./page-world.ts";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let world: Awaited<ReturnType<typeof openPageWorld>>;
beforeAll(async () => {
  world = await openPageWorld();
});
afterAll(() => world?.close());

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  askWire(world.url + path, { headers, method });

describe("the page", () => {
  it("says what it contains, how fresh it is, and loudly that it is the sample campus", async () => {
    const { status, headers, text } = await ask("/", HTML);
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const page = load(text);
    expect(text).toMatch(/^<!doctype html>/i);
    expect([page("html").attr("lang"), page("title").text()]).toEqual(["en", "Academic Data REST Service"]);
    expect(page("[role=note]").text()).toMatch(/This is the sample campus\. .* invented/);
    const contents = page("#contents").text();
    expect(contents).toContain(world.id);
    expect(contents).toContain("3 terms, 2023 Fall to 2025 Winter");
    for (const [table, rows] of [
      ["sections", "6"],
      ["grades", "6"],
      ["courses", "2"],
    ])
      expect(
        page(`#contents tr:contains("${table}") .number`)
          .toArray()
          .map((cell) => page(cell).text()),
      ).toContain(rows);
    expect(page('#contents tr:contains("Schedule of classes") time').attr("datetime")).toMatch(/^20.*Z$/);
    expect(page('#contents tr:contains("Enrollment history")').text()).toContain("not refreshed yet");
  });

  it("says that a refresh is overdue", async () => {
    const folder = await openFolder();
    const nextRefresh = new Date(Date.now() - 240_000);
    await publishRows(
      folder.artifacts,
      { terms: [{ year: "2024", quarter: "Fall", longName: "2024 Fall Quarter" }] },
      { nextRefresh },
    );
    const server = await serve(folder.env);
    const page = load((await askWire(server.url, { headers: HTML })).text);
    const [date, minute] = [nextRefresh.toISOString().slice(0, 10), nextRefresh.toISOString().slice(11, 16)];
    expect(page("#contents").text()).toContain(`Next refresh: overdue since ${date} ${minute} UTC.`);
    await server.close();
    await folder.remove();
  });

  it("suggests a course and a section code that the sample campus has in every main term", async () => {
    const placeholder = load((await ask("/", HTML)).text)("#q").attr("placeholder") ?? "";
    const [, course, code] = /^(\w+ \w+), a name, (\d{5})$/.exec(placeholder) ?? [];
    expect(course).toBe("ICS 46");
    const year = new Date().getFullYear();
    for (const size of CAMPUS_SIZES) {
      const campus = createWorld({ size, seed: DEFAULT_SEED, clock: () => new Date() });
      expect(campus.courses.flat().map(courseName)).toContain("I&C SCI 46");
      for (const quarter of ["Winter", "Spring", "Fall"] as const)
        for (const { sections } of [year, year + 1].map((one) => campus.term(String(one), quarter)))
          expect(sections.map((section) => section.code)).toContain(Number(code));
    }
  });

  it("is nothing but our own files: no inline script or style, and a policy that says so", async () => {
    const { headers, text } = await ask("/", HTML);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
    const page = load(text);
    for (const script of page("script").toArray()) expect(page(script).text()).toBe("");
    expect(page("style, [style], [onclick], iframe, base")).toHaveLength(0);
    for (const address of page("[src], link[href]")
      .toArray()
      .map((one) => page(one).attr("src") ?? page(one).attr("href") ?? "")) {
      expect(address).toMatch(/^\/assets\//);
      expect([address, (await ask(address)).status]).toEqual([address, 200]);
    }
  });

  it("has its landmarks, labels and headings in order", async () => {
    const page = load((await ask("/", HTML)).text);
    for (const landmark of ["header", "nav[aria-label]", "main", "form[role=search]", "[role=status]"])
      expect([landmark, page(landmark).length]).toEqual([landmark, 1]);
    for (const field of page("input").toArray())
      expect(page(`label[for=${page(field).attr("id")}]`).text()).toMatch(/\w/);
    for (const table of page("table").toArray()) expect(page(table).find("caption").text()).toMatch(/\w/);
    const levels = page("h1, h2, h3")
      .toArray()
      .map(({ tagName }) => Number(tagName[1]));
    expect(levels[0]).toBe(1);
    levels.slice(1).forEach((level, i) => expect(level - (levels[i] ?? 0)).toBeLessThanOrEqual(1));
    const ids = page("[id]")
      .toArray()
      .map((one) => page(one).attr("id"));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has a tag: the same page again costs nothing", async () => {
    const { headers } = await ask("/", HTML);
    expect(headers.etag).toMatch(/^"[\w-]+-identity"$/);
    expect(headers["cache-control"]).toBe("no-cache");
    expect(headers.vary).toBe("Accept-Encoding, Accept");
    const again = await ask("/", { ...HTML, "if-none-match": headers.etag ?? "" });
    expect([again.status, again.raw.length]).toEqual([304, 0]);
    const packed = await ask("/", { ...HTML, "accept-encoding": "br" });
    expect(packed.headers["content-encoding"]).toBe("br");
    expect(packed.headers.etag).not.toBe(headers.etag);
  });

  it("lists every endpoint, with links that lead somewhere", async () => {
    const surface = await openSurface();
    const html = (await askWire(surface.url, { headers: HTML })).text;
    const page = load(html);
    const text = page("#endpoints").text();
    for (const { path, summary } of endpoints) {
      expect(text).toContain(BASE + path);
      expect(text).toContain(summary);
    }
    const links = page("a[href^='/']")
      .toArray()
      .map((link) => page(link).attr("href") ?? "");
    expect(links.length).toBeGreaterThan(endpoints.length);
    for (const link of new Set(links)) expect([link, (await askWire(surface.url + link)).status]).toEqual([link, 200]);
    // Invented people are announced; these rows are no sample campus.
    expect(page("[role=note]")).toHaveLength(0);
    await surface.close();
  });

  it("says that nothing is published yet", async () => {
    const folder = await openFolder();
    const server = await serve(folder.env);
    expect(load((await askWire(server.url, { headers: HTML })).text)("main").text()).toContain(
      "No data has been published yet.",
    );
    expect((await askWire(server.url)).json()).toMatchObject({ snapshot: null });
    await server.close();
    await folder.remove();
  });
});

describe("for a program", () => {
  it.each(["*/*", "application/json", ""])("Accept: %s gets the index", async (accept) => {
    const { status, headers, json } = await ask("/", accept === "" ? {} : { accept });
    expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    const index = json<{ links: Record<string, string>; endpoints: Record<string, string> }>();
    expect(index).toMatchObject({
      name: "Academic Data REST Service",
      snapshot: { id: world.id, sample: true, terms: ["2025 Winter", "2024 Fall", "2023 Fall"], rows: { sections: 6 } },
    });
    expect(Object.keys(index.endpoints)).toEqual(endpoints.map(({ path }) => BASE + path));
    expect(Object.values(index.links)).toContain("/v1/data/manifest.json");
    for (const link of Object.values(index.links)) expect([link, (await ask(link)).status]).toEqual([link, 200]);
  });
});

describe("/assets", () => {
  it("every file that the page or a file refers to is there; what has a hash in its name is cached for ever", async () => {
    const html = (await ask("/", HTML)).text;
    const database = load(html)("#sqlBox").attr("data-files") ?? "";
    const todo = [...html.matchAll(/"(\/assets\/start\/[^"]+)"/g)].map(([, path = ""]) => path);
    todo.push(`${database}/duckdb-browser-eh.worker.js`);
    const caching = new Map<string, string>();
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (caching.has(next)) continue;
      const { status, headers, text } = await ask(next);
      expect([next, status]).toEqual([next, 200]);
      caching.set(next, String(headers["cache-control"]));
      if (next.startsWith(database)) continue;
      const named = text.matchAll(/(?:from|import|import\(|new URL\()\s*"(?:\.\/)?([\w-]+\.js)"/g);
      todo.push(...[...named].map(([, name]) => `/assets/start/${name}`));
    }
    const names = [...caching.keys()].map((path) => path.slice(path.lastIndexOf("/") + 1));
    for (const name of ["icon.svg", "start.css", "start.js", "duckdb-browser-eh.worker.js"])
      expect(names).toContain(name);
    for (const name of ["chunk", "course", "department", "instructor", "section", "duckdb-browser", "parquet_wasm"])
      expect(names.filter((one) => one.startsWith(`${name}-`)).length).toBeGreaterThan(0);
    for (const [path, cacheControl] of caching)
      expect([path, cacheControl]).toEqual([
        path,
        /-[A-Z0-9]{8}\.|sql-/.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
      ]);
    for (const name of ["duckdb-eh.wasm", "parquet_wasm_bg.wasm"])
      expect((await ask(`${database}/${name}`, { "accept-encoding": "gzip" }, "HEAD")).headers).toMatchObject({
        "content-type": "application/wasm",
        "cache-control": "public, max-age=31536000, immutable",
      });
  });

  it("is revalidated where its name has no hash, and compressed", async () => {
    const own = await ask("/assets/start/start.css");
    expect([own.headers["content-type"], own.headers["cache-control"]]).toEqual([
      "text/css; charset=utf-8",
      "no-cache",
    ]);
    expect((await ask("/assets/start/start.css", { "if-none-match": own.headers.etag ?? "" })).status).toBe(304);
    const script = await ask("/assets/start/start.js", { "accept-encoding": "gzip" });
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-encoding": "gzip",
    });
  });

  it.each([
    "/assets/start/nothing.js",
    "/assets/start/start.tsx",
    "/assets/start/tsconfig.json",
    "/assets/start/../start.ts",
    "/assets/start/..%2fstart.ts",
    "/assets/start/%2e%2e/%2e%2e/main.ts",
    "/assets/sql-0123456789abcdef/duckdb-eh.wasm",
    "DATABASE/duckdb-mvp.wasm",
    "DATABASE/../package.json",
    "/assets/h3@2.0.8/package.json",
    "/assets/start/",
    "/assets/",
    "/assets/start/constructor",
  ])("%s is not there", async (path) => {
    const database = load((await ask("/", HTML)).text)("#sqlBox").attr("data-files") ?? "";
    expect((await ask(path.replace("DATABASE", database))).status).toBe(404);
  });
});
