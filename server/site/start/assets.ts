/** `/assets`: the start page's files, and the package files that its SQL needs. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { IMMUTABLE } from "../../response/headers.ts";
import { contentHash, serveStatic } from "../static-response.ts";
import type { Page, Pages } from "../page.ts";
import { Problem, shown } from "../../response/problem.ts";
import { readBrowserCode } from "./browser-code.ts";
import { PAGE_SECURITY } from "./page-security.ts";

const ASSETS = "/assets";
export const OWN_ASSETS = `${ASSETS}/start`;

const SQL_PACKAGE_FILES = [
  "@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js",
  "@duckdb/duckdb-wasm/dist/duckdb-eh.wasm",
  "parquet-wasm/esm/parquet_wasm_bg.wasm",
].map((name) => createRequire(import.meta.url).resolve(name));
/** The URL contains the package versions. */
export const SQL_FILES = `${ASSETS}/sql-${contentHash(SQL_PACKAGE_FILES.map(readPackage).join())}`;
function readPackage(path: string): string {
  return readFileSync(join(dirname(path), "../package.json"), "utf8");
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const typeOf = (name: string): string => TYPES[extname(name)] ?? "application/octet-stream";

/** esbuild puts a content hash into the names of chunks; entry points have none. */
const cacheControlOf = (name: string): string => (/-[A-Z0-9]{8}\.\w+$/.test(name) ? IMMUTABLE : "no-cache");

export async function createAssets(): Promise<Pages> {
  // Requested paths are looked up here and never used as file paths.
  const files = new Map<string, Page>();
  for (const [name, bytes] of Object.entries(await readBrowserCode())) {
    const asset = { bytes, type: typeOf(name), cacheControl: cacheControlOf(name) };
    files.set(`${OWN_ASSETS}/${name}`, serveStatic({ ...asset, headers: PAGE_SECURITY }));
  }
  for (const path of SQL_PACKAGE_FILES) {
    const address = `${SQL_FILES}/${basename(path)}`;
    const asset = { bytes: () => readFile(path), version: address, type: typeOf(path), cacheControl: IMMUTABLE };
    files.set(address, serveStatic({ ...asset, headers: PAGE_SECURITY }));
  }
  return {
    [`${ASSETS}/**`]: (request) => {
      const { pathname } = request.event.url;
      const file = files.get(pathname);
      if (!file) throw new Problem(404, `There is no file ${shown(pathname)}.`);
      return file(request);
    },
  };
}
