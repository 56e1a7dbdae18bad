/** `/assets`: the start page's own files, and those of DuckDB that its SQL needs. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { holdPage, IMMUTABLE } from "../held-page.ts";
import type { Page, Pages } from "../page.ts";
import { shown } from "../params.ts";
import { Problem } from "../problem.ts";
import { readBrowserCode } from "./browser-code.ts";
import { PAGE_SECURITY } from "./page-security.ts";

const ASSETS = "/assets";
/** Where the start page finds its own files. */
export const OWN_ASSETS = `${ASSETS}/start`;

const DUCKDB = dirname(createRequire(import.meta.url).resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"));
const { version } = JSON.parse(readFileSync(join(DUCKDB, "../package.json"), "utf8")) as { version: string };
/** Where it finds DuckDB's files: another version has another address. */
export const DUCKDB_FILES = `${ASSETS}/duckdb-wasm@${version}`;

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const typeOf = (name: string): string => TYPES[extname(name)] ?? "application/octet-stream";

/** The compiler puts a content's hash into the names of those files that no page names. */
const cacheControlOf = (name: string): string => (/-[A-Z0-9]{8}\.\w+$/.test(name) ? IMMUTABLE : "no-cache");

export async function createAssets(): Promise<Pages> {
  // What a client sends is looked up and never becomes a path.
  const files = new Map<string, Page>();
  for (const [name, content] of Object.entries(await readBrowserCode())) {
    const held = { bytes: Buffer.from(content), type: typeOf(name), cacheControl: cacheControlOf(name) };
    files.set(`${OWN_ASSETS}/${name}`, holdPage({ ...held, headers: PAGE_SECURITY }));
  }
  for (const name of ["duckdb-browser-eh.worker.js", "duckdb-eh.wasm"]) {
    const address = `${DUCKDB_FILES}/${name}`;
    const held = { bytes: () => readFile(join(DUCKDB, name)), version: address, type: typeOf(name) };
    files.set(address, holdPage({ ...held, cacheControl: IMMUTABLE, headers: PAGE_SECURITY }));
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
