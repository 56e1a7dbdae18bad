/** `/docs`: the reference comes from here alone, and works in a browser. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { load } from "cheerio";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { chromiumPath, noBrowser, openBrowser, watchPage } from "../../../support/browser.ts";
import { openSurface } from "../../http/surface-server.ts";
import { ask } from "../../http/wire.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

const get = (path: string, headers: Record<string, string> = {}) => ask(`${surface.url}${path}`, { headers });

async function filesOfThePage(): Promise<string[]> {
  const page = load((await get("/docs")).text);
  return page("script, link")
    .toArray()
    .map((one) => page(one).attr("src") ?? page(one).attr("href") ?? "");
}

describe("/docs", () => {
  it("is a page that allows nothing from elsewhere and no script within itself", async () => {
    const answer = await get("/docs");
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("no-cache");
    const policy = new Map(
      String(answer.headers["content-security-policy"])
        .split("; ")
        .map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1).join(" ")]),
    );
    expect(policy.get("default-src")).toBe("'none'");
    for (const what of ["script-src", "style-src", "connect-src"]) expect(policy.get(what)).toBe("'self'");
    const page = load(answer.text);
    expect(page("html").attr("lang")).toBe("en");
    for (const script of page("script").toArray()) expect(page(script).text()).toBe("");
    expect(page("[style], style, [onclick]")).toHaveLength(0);
    expect(page("noscript").text()).toContain('<a href="/v1/openapi.json">');
    expect((await get("/docs", { "if-none-match": String(answer.headers["etag"]) })).status).toBe(304);
    expect((await get("/docs/")).text).toBe(answer.text);
    expect((await ask(`${surface.url}/docs`, { method: "POST" })).status).toBe(405);
  });

  it("has files that never change under their address, compressed, with a tag", async () => {
    const files = await filesOfThePage();
    expect(files).toHaveLength(4);
    for (const file of files) {
      expect(file).toMatch(/^\/docs\/[0-9a-f]{16}\/[\w.-]+$/);
      const answer = await get(file, { "accept-encoding": "br" });
      expect([file, answer.status, answer.headers["cache-control"]]).toEqual([
        file,
        200,
        "public, max-age=31536000, immutable",
      ]);
      if (answer.text.length > 1024) expect(answer.headers["content-encoding"]).toBe("br");
      const known = { "accept-encoding": "br", "if-none-match": String(answer.headers["etag"]) };
      expect([file, (await get(file, known)).status]).toEqual([file, 304]);
    }
    const bundle = files.find((file) => file.endsWith("swagger-ui-bundle.js")) ?? "";
    const { resolve } = createRequire(import.meta.url);
    expect((await get(bundle)).raw.equals(await readFile(resolve("swagger-ui-dist/swagger-ui-bundle.js")))).toBe(true);
  });

  it("hands out these files and no other", async () => {
    const [style = ""] = (await filesOfThePage()).filter((file) => file.endsWith(".css"));
    const folder = style.slice(0, style.lastIndexOf("/"));
    for (const path of [
      `${folder}/package.json`,
      `${folder}/index.html`,
      `${folder}/../../package.json`,
      `${folder}/..%2f..%2fpackage.json`,
      `${folder}/%2e%2e/%2e%2e/package.json`,
      `/docs/${"0".repeat(16)}/swagger-ui.css`,
      "/docs/swagger-ui.css",
      "/docs/package.json",
      "/docs//etc/passwd",
      "/docs/..%5c..%5cpackage.json",
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});

describe.skipIf(chromiumPath === undefined)(`the reference in a browser${noBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await openBrowser()));
  afterAll(() => browser?.close());

  it("lists every operation, tries one, gets 200, and never leaves the host", async () => {
    const { page, requests, complaints } = await watchPage(browser, { width: 1280, height: 900 });
    await page.goto(`${surface.url}/docs`);
    await page.locator(".opblock").first().waitFor();
    expect(await page.locator(".opblock").count()).toBeGreaterThan(endpoints.length);
    expect(await page.locator(".info").textContent()).toContain("ZERO-BASED");

    const operation = page.locator("#operations-Courses-courses");
    await operation.locator(".opblock-summary-control").click();
    await operation.locator(".try-out__btn").click();
    await operation.locator('tr[data-param-name="department"] input').fill("DANCE");
    await operation.locator('tr[data-param-name="courseLevel"] select').selectOption("LowerDiv");
    const asked = page.waitForResponse((response) => response.url().includes("/v1/rest/courses?"));
    await operation.locator(".execute").click();
    expect((await asked).status()).toBe(200);
    const status = operation.locator(".live-responses-table tbody .response-col_status");
    expect(await status.first().textContent()).toContain("200");
    expect(await operation.locator(".live-responses-table .microlight").first().textContent()).toContain("DANCE10");

    expect(requests.length).toBeGreaterThan(5);
    expect(requests.filter((url) => !url.startsWith(`${surface.url}/`) && !url.startsWith("data:"))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
