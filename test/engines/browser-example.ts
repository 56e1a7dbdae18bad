/**
 * Runs a module in Chromium, on a page of another address than the server's. Imports from a CDN are replaced with the
 * same package from npm.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { openBrowser, watchPage } from "../support/browser.ts";
import { ENGINES } from "./install.ts";

const CDN = /https:\/\/cdn\.jsdelivr\.net\/npm\/((@?[^@"]+)@[^/"]+)\/\+esm/g;
const PACKAGES = join(ENGINES, "npm");
const TIME_LIMIT_MS = 60_000;

/** Returns the module's console output. @throws Error with the page's error */
export async function runInBrowser(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  const modules = await packagesOf(text);
  const site = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><title>A site</title><link rel=icon href=data:,>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const browser = await openBrowser();
  try {
    const { page, complaints } = await watchPage(browser, { width: 800, height: 600 });
    // The text of a table is not what is in it.
    const written: Promise<unknown[]>[] = [];
    page.on("console", (message) => written.push(Promise.all(message.args().map((value) => value.jsonValue()))));
    await page.route(
      (url) => modules.has(url.href),
      (route) =>
        route.fulfill({
          contentType: "text/javascript",
          headers: { "Access-Control-Allow-Origin": "*" },
          body: modules.get(route.request().url()) ?? "",
        }),
    );
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.addScriptTag({ type: "module", content: `${text}\nglobalThis.hasEnded = true;` });
    await page
      .waitForFunction(() => "hasEnded" in globalThis, undefined, { timeout: TIME_LIMIT_MS })
      .catch((error: Error) => complaints.push(error.message));
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
    return (await Promise.all(written)).map((values) => JSON.stringify(values)).join("\n");
  } finally {
    await browser.close();
    site.close();
  }
}

/** Packages by their address on the CDN, each as a single module, as the CDN sends it. */
async function packagesOf(text: string): Promise<Map<string, string>> {
  const modules = new Map<string, string>();
  for (const [address, specifier = "", name = ""] of text.matchAll(CDN)) {
    await promisify(execFile)("npm", [
      "install",
      "--silent",
      "--no-save",
      "--prefix",
      join(PACKAGES, specifier),
      specifier,
    ]);
    const { outputFiles } = await build({
      stdin: { contents: `export * from "${name}";`, resolveDir: join(PACKAGES, specifier) },
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
    });
    modules.set(address, outputFiles[0]?.text ?? "");
  }
  return modules;
}
