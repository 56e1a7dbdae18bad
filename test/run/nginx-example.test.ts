/** The nginx example of a release, with the real nginx: below a path prefix everything leads to where it was asked. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "cheerio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCatalogue } from "../pipeline/lake/ducklake/catalogue-reader.ts";
import { ask } from "../server/http/wire.ts";
import { openPageWorld } from "../server/site/app/page-world.ts";
import { findNginx, openNginx, type Running, startReplica, stop } from "../support/balancer.ts";
import { openEvents } from "../support/event-client.ts";
import { openFolder } from "../support/whole-run.ts";

const EXAMPLE = fileURLToPath(new URL("../../.setup/release/deploy/nginx.conf", import.meta.url));
const HTML = { Accept: "text/html" };

const nginx = findNginx();
if (!nginx) process.stdout.write("skipped: nginx is not installed\n");

describe.skipIf(!nginx)("https://example.edu/academic/", () => {
  let world: Awaited<ReturnType<typeof openPageWorld>>;
  let server: Running;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let proxy: Running;
  /** The address of the installation, without a slash. */
  let base: string;
  beforeAll(async () => {
    world = await openPageWorld();
    const settings = { BASE_PATH: "/academic", TRUST_PROXY: "1", RATE_LIMIT: "2000/h" };
    server = await startReplica({ ...settings, ARTIFACTS_DIR: world.artifacts }, ["dist/current/server/main.js"]);
    folder = await openFolder();
    const example = readFileSync(EXAMPLE, "utf8");
    expect(example).toContain("http://127.0.0.1:3000;");
    const lines = example.replace("http://127.0.0.1:3000;", `${server.url};`);
    proxy = await openNginx(nginx ?? "", join(folder.data, "nginx"), "", lines, "/academic/health");
    base = `${proxy.url}/academic`;
  });
  afterAll(async () => {
    for (const process of [proxy, server]) if (process) await stop(process);
    await world?.close();
    await folder?.remove();
  });
  const get = (path: string, headers: Record<string, string> = {}) => ask(base + path, { headers, undocumented: true });
  /** The addresses of the files in the DuckLake. */
  async function filesOfLake(headers?: Record<string, string>): Promise<unknown> {
    const path = join(folder.data, "lake.ducklake");
    writeFileSync(path, (await get("/v1/data/lake.ducklake", headers)).raw);
    const lake = await openCatalogue(path);
    try {
      const rows = await lake.rows<{ value: string }>("SELECT value FROM ducklake_metadata WHERE key = 'data_path'");
      return rows[0]?.value;
    } finally {
      lake.close();
    }
  }

  it.each(["/", "/find", "/courses/DANCE10", "/docs", "/status", "/data"])(
    "the page %s, and what it loads",
    async (path) => {
      const { status, text } = await get(path, HTML);
      expect(status).toBe(200);
      const page = load(text);
      const addresses = page("script[src], link[href]")
        .toArray()
        .map((element) => page(element).attr("src") ?? page(element).attr("href") ?? "")
        .filter((address) => !address.startsWith("data:"));
      expect(addresses.length).toBeGreaterThan(2);
      for (const address of addresses) {
        const url = new URL(address, base + path).href;
        expect(url.startsWith(`${base}/`), url).toBe(true);
        expect((await ask(url, { headers: HTML, undocumented: true })).status, url).toBe(200);
      }
    },
  );

  it("the prefix without its slash leads to the site", async () => {
    const { status, headers } = await get("?x=1");
    expect([status, headers.location]).toEqual([301, expect.stringMatching(/\/academic\/\?x=1$/)]);
  });

  it.each(["/client.js", "/client.ts", "/service-worker.js", "/health/ready", "/status", "/v1", "/v1/snapshots"])(
    "%s is what the server says without a proxy",
    async (path) => {
      const [behind, direct] = await Promise.all([get(path), ask(server.url + path, { undocumented: true })]);
      expect([behind.status, behind.text.length]).toEqual([200, direct.text.length]);
    },
  );

  it("the OpenAPI document names the prefix", async () => {
    const { servers } = (await get("/v1/openapi.json")).json<{ servers: { url: string }[] }>();
    expect(servers.map(({ url }) => url)).toEqual([base]);
  });

  it("Link leads to the next page, the links of a feed to their pages, and its entries to the schedule", async () => {
    const page = await get("/v1/rest/courses?limit=1");
    const [, next = ""] = /<([^>]*)>; rel="next"/.exec(page.headers.link as string) ?? [];
    const second = await ask(new URL(next, base).href, { undocumented: true });
    expect([second.status, second.json<unknown[]>()]).toEqual([200, [expect.anything()]]);
    expect(second.text).not.toBe(page.text);
    const feed = await get("/v1/rest/changes?year=2024&quarter=Fall&format=atom");
    const xml = load(feed.text, { xml: true });
    const linked = (selector: string, accept = "*/*") =>
      ask(xml(selector).attr("href") ?? "", { undocumented: true, headers: { Accept: accept } });
    expect((await linked("feed > link[rel=self]")).text).toBe(feed.text);
    expect((await linked("entry > link[rel=related]")).json()).toHaveProperty("schools.0.departments.0.courses.0");
    for (const selector of ["feed > link[rel=alternate]", "entry > link[rel=alternate]"]) {
      const { status, headers } = await linked(selector, "text/html");
      expect([selector, status, headers["content-type"]]).toEqual([selector, 200, "text/html; charset=utf-8"]);
    }
  });

  it("the files of the manifest, by ranges too, and the addresses in the DuckLake", async () => {
    const { tables } = (await get("/v1/data/manifest.json")).json<{
      tables: Record<string, { files: { url: string; sha256: string }[] }>;
    }>();
    const file = Object.values(tables).flatMap(({ files }) => files)[0];
    const whole = await get(file?.url ?? "");
    expect(createHash("sha256").update(whole.raw).digest("hex")).toBe(file?.sha256);
    const part = await get(file?.url ?? "", { Range: "bytes=0-3" });
    expect([part.status, part.text]).toEqual([206, "PAR1"]);
    expect(await filesOfLake()).toBe(`${base}/v1/data/`);
  });

  it("a stream of events arrives while it lasts", async () => {
    const client = await openEvents(`${base}/v1/rest/changes?year=2024&quarter=Fall&since=2024-09-01`);
    expect(client.response.statusCode).toBe(200);
    await expect.poll(() => client.events.length).toBeGreaterThan(0);
    client.close();
  });

  it("a POST reaches the server, and so do other methods", async () => {
    const posted = await ask(`${base}/v1/rest/courses`, { method: "POST", body: "{}", undocumented: true });
    expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await ask(`${base}/v1/rest/courses`, { method: "OPTIONS", undocumented: true })).status).toBe(204);
  });

  it("a client cannot say that it is another one, nor that it asked another host", async () => {
    const remaining = async (address: string) =>
      Number((await get("/v1/rest/week", { "X-Forwarded-For": address })).headers["ratelimit-remaining"]);
    expect((await remaining("192.0.2.1")) - (await remaining("192.0.2.2"))).toBe(1);
    expect(await filesOfLake({ "X-Forwarded-Host": "elsewhere.example" })).toBe(`${base}/v1/data/`);
  });

  it.each(["/metrics", "/metrics/", "/%6detrics", "//metrics", "/./metrics"])(
    "%s is not for the public",
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});
