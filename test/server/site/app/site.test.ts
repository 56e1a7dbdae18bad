/** The site as it stands on the wire: a page for people with the title of its address, an index for programs, files with a hash in their name. */
import { load } from "cheerio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { BASE } from "../../../../server/response/endpoint.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { ask as askWire } from "../../http/wire.ts";
import { openPageWorld } from "./page-world.ts";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const IMMUTABLE = "public, max-age=31536000, immutable";

let world: Awaited<ReturnType<typeof openPageWorld>>;
beforeAll(async () => void (world = await openPageWorld()));
afterAll(() => world?.close());

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  askWire(world.url + path, { headers, method });

const titleOf = async (path: string, base = world.url) => {
  // The document describes what programs get.
  const { status, text } = await askWire(base + path, { headers: HTML, undocumented: path.startsWith("/v1/") });
  const page = load(text);
  expect(page('meta[property="og:title"]').attr("content")).toBe(page("title").text());
  return [status, page("title").text(), page('meta[name="description"]').attr("content")];
};

/** Path, status, title, beginning of the description. */
const TITLES = [
  ["/", 200, "Academic Data", "Find classes, compare instructors"],
  ["/find", 200, "Find classes · Academic Data", "Search sections by term"],
  ["/plan?sections=35730", 200, "Plan · Academic Data", "Your weekly schedule"],
  ["/sql", 200, "SQL · Academic Data", "Query"],
  ["/data", 200, "Data · Academic Data", "Parquet files"],
  ["/docs", 200, "Reference · Academic Data", "Every endpoint"],
  ["/v1", 200, "Reference · Academic Data", "Every endpoint"],
  ["/v1/rest/", 200, "Reference · Academic Data", "Every endpoint"],
  ["/docs/", 200, "Reference · Academic Data", "Every endpoint"],
  ["/status", 200, "Status · Academic Data", "Data freshness"],
  ["/courses/I%26CSCI46", 200, "I&C SCI 46 · Data Structure Implementation and Analysis", "Trees <b>and</b> tables."],
  ["/courses/NOTHING1", 404, "Not found · Academic Data", ""],
  ["/instructors/tquillen", 200, "Tamsin Quillen", ""],
  // Not in the directory, but in the grades.
  ["/instructors/AMBERLEY%2C%20R.", 200, "AMBERLEY, R.", ""],
  ["/instructors/nobody", 404, "Not found · Academic Data", ""],
  // Nothing but a schedule has it.
  ["/courses/MUSIC9", 200, "MUSIC 9 · SONGS · Academic Data", ""],
  ["/departments/MUSIC", 200, "MUSIC · Academic Data", ""],
  ["/instructors/SOLO%2C%20S.", 200, "SOLO, S.", ""],
  ["/departments/I%26C%20SCI", 200, "I&C SCI · Information & Computer Science", ""],
  ["/sections/2024/Fall/35730", 200, "I&C SCI 46 Lec A (35730) · 2024 Fall", "DATA STRC IMPL&ANLS"],
  // A cancelled section has a page too.
  ["/sections/2025/Winter/05001", 200, "DANCE 10 Lec A (05001) · 2025 Winter", ""],
  ["/sections/2024/Fall/99999", 404, "Not found · Academic Data", ""],
  ["/constructor", 404, "Not found · Academic Data", ""],
  ["/find/constructor", 404, "Not found · Academic Data", ""],
  ["/nothing/at/all", 404, "Not found · Academic Data", ""],
] as const;

describe("the page", () => {
  it.each(TITLES)("%s: %i, %s", async (path, status, title, description) => {
    const found = await titleOf(path);
    expect(found.slice(0, 2)).toEqual([status, expect.stringContaining(title)]);
    expect(found[2]).toMatch(description === "" ? /\w/ : new RegExp(`^${description.replaceAll(/[.*]/g, "\\$&")}`));
  });

  it("has the same titles with COMPAT=1", async () => {
    const compat = await openPageWorld({ COMPAT: "1" });
    for (const [path, status, title] of TITLES)
      expect((await titleOf(path, compat.url)).slice(0, 2)).toEqual([status, expect.stringContaining(title)]);
    await compat.close();
  });

  it("is nothing but our own files: no inline script or style, and a policy that says so", async () => {
    const { headers, text } = await ask("/courses/DANCE10", HTML);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
    expect(text).toMatch(/^<!doctype html>/i);
    const page = load(text);
    expect(page("html").attr("lang")).toBe("en");
    for (const script of page("script").toArray()) expect(page(script).text()).toBe("");
    expect(page("style, [style], [onclick], iframe, base")).toHaveLength(0);
    expect(page("link[rel=canonical]").attr("href")).toBe("/courses/DANCE10");
    expect(page("link[rel=icon]").attr("href")).toMatch(/^data:image\/svg/);
    for (const address of page("[src], link[rel=stylesheet]")
      .toArray()
      .map((one) => page(one).attr("src") ?? page(one).attr("href") ?? "")) {
      expect(address).toMatch(/^\/assets\//);
      expect([address, (await ask(address)).status]).toEqual([address, 200]);
    }
  });

  it("has a tag: the same page again costs nothing", async () => {
    const { headers } = await ask("/", HTML);
    expect(headers.etag).toMatch(/^"[\w-]+-identity"$/);
    expect([headers["cache-control"], headers.vary]).toEqual(["no-cache", "Accept-Encoding, Accept"]);
    const again = await ask("/", { ...HTML, "if-none-match": headers.etag ?? "" });
    expect([again.status, again.raw.length]).toEqual([304, 0]);
    const style = load((await ask("/", HTML)).text)("link[rel=stylesheet]").attr("href") ?? "";
    const [plain, packed] = [await ask(style), await ask(style, { "accept-encoding": "br" })];
    expect(packed.headers["content-encoding"]).toBe("br");
    expect([packed.text, packed.headers.etag === plain.headers.etag]).toEqual([plain.text, false]);
    for (const path of ["/", "/find", "/docs", "/docs/", "/courses/DANCE10", style])
      expect([path, (await ask(path, HTML, "POST")).status, (await ask(path, {}, "OPTIONS")).status]).toEqual([
        path,
        405,
        204,
      ]);
    expect((await ask("/nothing", HTML, "POST")).status).toBe(404);
  });

  it("is there before anything is published", async () => {
    const folder = await openFolder();
    const server = await serve(folder.env);
    expect(await titleOf("/", server.url)).toEqual([200, "Academic Data", expect.any(String)]);
    expect(await titleOf("/courses/DANCE10", server.url)).toEqual([404, expect.any(String), expect.any(String)]);
    expect((await askWire(server.url)).json()).toMatchObject({ snapshot: null });
    await server.close();
    await folder.remove();
  });
});

describe("for a program", () => {
  it.each(["*/*", "application/json", "", "text/html;q=0, */*", "text/html;q=0.4, application/json"])(
    "Accept: %s gets the index",
    async (accept) => {
      const { status, headers, json } = await ask("/", accept === "" ? {} : { accept });
      expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
      const index = json<{ links: Record<string, string>; endpoints: Record<string, string> }>();
      expect(index).toMatchObject({
        name: "Academic Data REST Service",
        snapshot: {
          id: world.id,
          sample: true,
          terms: ["2025 Winter", "2024 Fall", "2023 Fall"],
          rows: { sections: 7 },
        },
      });
      expect(Object.keys(index.endpoints)).toEqual(endpoints.map(({ path }) => BASE + path));
      // That of the tools is for POST.
      for (const link of Object.values(index.links))
        expect([link, (await ask(link)).status]).toEqual([link, link === "/mcp" ? 405 : 200]);
    },
  );

  it("SQL has the result of its first example: as SQL over the published files gives it", async () => {
    const { status, headers, json } = await ask("/sql", { accept: "application/json" });
    expect([status, headers["vary"]]).toEqual([200, "Accept-Encoding, Accept"]);
    expect(json()).toEqual({
      snapshot: world.id,
      statement: expect.stringContaining("from grades") as string,
      columns: ["year", "average", "sections"],
      rows: [
        [2021, 2.5, 2],
        [2022, 2.75, 2],
        [2023, 3, 2],
      ],
    });
    expect((await ask("/sql", HTML)).headers["content-type"]).toBe("text/html; charset=utf-8");
  });

  it("home has the courses of a term that filled first", async () => {
    const { status, headers, json } = await ask("/first-to-fill?term=2024+Fall");
    expect([status, headers["x-data-snapshot"]]).toEqual([200, world.id]);
    const filled = { department: "I&C SCI", courseNumber: "46", date: "2024-09-21", isStillFull: false };
    expect(json()).toEqual([filled]);
    for (const query of ["", "?term=2030+Fall", "?term=x"])
      expect([query, (await ask(`/first-to-fill${query}`)).status]).toEqual([query, 404]);
  });

  it("an unknown address is an error in JSON", async () => {
    const { status, json } = await ask("/nothing/at/all");
    expect([status, json()]).toEqual([404, expect.objectContaining({ message: expect.any(String) as string })]);
  });
});

describe("/assets", () => {
  it("every file that the page or a file refers to is there; what has a hash in its name is cached for ever", async () => {
    const html = (await ask("/", HTML)).text;
    const todo = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
    const caching = new Map<string, string>();
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (caching.has(next)) continue;
      const { status, headers, text } = await ask(next);
      expect([next, status]).toEqual([next, 200]);
      caching.set(next, String(headers["cache-control"]));
      const named = text.matchAll(/(?:from|import|import\(|new URL\()\s*"(?:\.\/)?([\w-]+\.js)"/g);
      if (next.endsWith(".js")) todo.push(...[...named].map(([, name]) => `/assets/${name}`));
      const [folder] = /(?:sql|reference)-[0-9A-F]{8}/.exec(text) ?? [];
      const files = folder?.startsWith("sql")
        ? ["duckdb-eh.wasm", "duckdb-browser-eh.worker.js", "parquet_wasm_bg.wasm"]
        : ["swagger-ui-bundle.js", "swagger-ui.css"];
      for (const file of folder === undefined || next.includes(folder) ? [] : files) {
        const head = await ask(`/assets/${folder}/${file}`, { "accept-encoding": "gzip" }, "HEAD");
        expect([file, head.status, head.headers["cache-control"]]).toEqual([file, 200, IMMUTABLE]);
        if (file.endsWith(".wasm")) expect(head.headers["content-type"]).toBe("application/wasm");
        caching.set(`/assets/${folder}/${file}`, IMMUTABLE);
      }
    }
    const names = [...caching.keys()].map((path) => path.slice(path.lastIndexOf("/") + 1));
    for (const name of [
      "course",
      "department",
      "instructor",
      "section",
      "find",
      "plan",
      "duckdb-browser",
      "main",
      "site",
    ])
      expect([name, names.filter((one) => one.startsWith(`${name}-`)).length]).toEqual([name, expect.any(Number)]);
    expect(names).toContain("duckdb-eh.wasm");
    expect(names).toContain("swagger-ui.css");
    for (const [path, cacheControl] of caching) expect([path, cacheControl]).toEqual([path, IMMUTABLE]);
  });

  it("workers have a policy of their own; that of a page covers its scripts and styles", async () => {
    const links = load((await ask("/", HTML)).text)("[src], link[rel=stylesheet]").toArray();
    for (const { attribs } of links)
      expect((await ask(attribs["src"] ?? attribs["href"] ?? "")).headers).not.toHaveProperty(
        "content-security-policy",
      );
    expect((await ask("/service-worker.js")).headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("the service worker may not be old, and works for every address", async () => {
    const { status, headers } = await ask("/service-worker.js");
    expect([status, headers["cache-control"]]).toEqual([200, "no-cache"]);
    expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
  });

  it.each([
    "/assets/nothing.js",
    "/assets/main.tsx",
    "/assets/index.html/..",
    "/assets/../site.ts",
    "/assets/..%2fsite.ts",
    "/assets/%2e%2e/%2e%2e/main.ts",
    "/assets/sql-01234567/duckdb-eh.wasm",
    "/assets/h3@2.0.8/package.json",
    "/assets/",
    "/assets/constructor",
    "/docs/swagger-ui.css",
    "/docs/..%5c..%5cpackage.json",
  ])("%s is not there", async (path) => {
    expect((await ask(path)).status).toBe(404);
  });
});

describe("BASE_PATH", () => {
  let below: Awaited<ReturnType<typeof openPageWorld>>;
  beforeAll(async () => void (below = await openPageWorld({ BASE_PATH: "/academic" })));
  afterAll(() => below?.close());

  it("requests with and without the prefix get the same, and pages name files below it", async () => {
    const url = below.url;
    for (const path of ["/v1/rest/courses/DANCE10", "/health", "/service-worker.js", "/?x=1"]) {
      const [with_, without] = await Promise.all(
        [`${url}/academic${path}`, url + path].map((one) => askWire(one, { undocumented: true })),
      );
      expect([path, with_?.status, with_?.text]).toEqual([path, 200, without?.text]);
    }
    for (const path of ["/academic", "/academic/", "/academic/find?ge=GE-4", "/academic/courses/DANCE10", "/"]) {
      const { status, text } = await askWire(url + path, { headers: HTML, undocumented: true });
      const page = load(text);
      const addresses = page("[src], link")
        .toArray()
        .map((one) => page(one).attr("src") ?? page(one).attr("href") ?? "");
      expect([path, status, addresses.filter((one) => !/^(?:\/academic\/|data:)/.test(one))]).toEqual([path, 200, []]);
    }
    const { servers } = (await askWire(`${url}/v1/openapi.json`)).json<{ servers: { url: string }[] }>();
    expect(servers.map((one) => one.url)).toEqual([`${url}/academic`]);
    const { headers } = await askWire(`${url}/academic/v1/rest/courses?limit=1`);
    expect(headers.link).toBe('</academic/v1/rest/courses?limit=1&offset=1>; rel="next"');
    const feed = await askWire(`${url}/academic/v1/rest/changes?year=2024&quarter=Fall&format=atom`);
    const links = [...feed.text.matchAll(/<link [^>]*href="([^"?]+)/g)].map(([, path]) => path);
    const paths = ["/", "/v1/rest/changes", "/sections/2024/Fall/35730", "/v1/rest/schedule"];
    expect([...new Set(links)]).toEqual(paths.map((path) => `${url}/academic${path}`));
    expect((await askWire(`${url}/academicx`, { undocumented: true })).status).toBe(404);
  });
});
