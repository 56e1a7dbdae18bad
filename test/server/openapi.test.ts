/** The start page: it names everything, and its links lead somewhere. */
import { load } from "cheerio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BASE } from "../../server/app.ts";
import { endpoints } from "../../server/endpoints/all.ts";
import { openFolder, serve } from "../world.ts";
import { openSurface } from "./surface-server.ts";
import { ask } from "./wire.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

describe("the start page", () => {
  it("names every endpoint; its links lead somewhere; nothing comes from elsewhere", async () => {
    const html = (await ask(surface.url)).text;
    const page = load(html);
    expect(html).toMatch(/^<!doctype html>/i);
    expect([page("html").attr("lang"), page("title").text(), page("meta[charset]").attr("charset")]).toEqual([
      "en",
      "Academic Data REST Service",
      "utf-8",
    ]);
    const text = page("body").text();
    for (const { path, summary } of endpoints) {
      expect(text).toContain(BASE + path);
      expect(text).toContain(summary);
    }
    expect(text).toContain(surface.id);
    expect(page("script, img, link, iframe")).toHaveLength(0);
    const links = page("a")
      .toArray()
      .map((link) => page(link).attr("href") ?? "");
    expect(links).toEqual(expect.arrayContaining(["/docs", "/v1/openapi.json"]));
    expect(links).toContain("/ready");
    expect(links.length).toBe(3 + endpoints.filter(({ path }) => !path.includes(":id")).length);
    for (const link of links) {
      expect(link).toMatch(/^\//);
      expect([link, (await ask(new URL(link, surface.url).href)).status]).toEqual([link, 200]);
    }
    // Invented people are announced; these rows are no sample campus.
    expect(page(".note")).toHaveLength(0);
  });

  it("says that nothing is published yet", async () => {
    const folder = await openFolder();
    const server = await serve(folder.env);
    expect(load((await ask(server.url)).text)("body").text()).toContain("No data has been published yet.");
    await server.close();
    await folder.remove();
  });
});
