/** `/assets`: the start page's own files, and the package files that they ask for. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { holdPage, IMMUTABLE } from "../held-page.ts";
import type { Page, Pages } from "../page.ts";
import { shown } from "../params.ts";
import { Problem } from "../problem.ts";
import { ASSETS, BROWSER_FOLDER, findPackageFile, withAddresses } from "./browser-packages.ts";
import { PAGE_SECURITY } from "./page-security.ts";

/** Where the start page finds its own files. */
export const OWN_ASSETS = `${ASSETS}/start`;

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  wasm: "application/wasm",
};
const typeOf = (path: string): string | undefined => TYPES[path.split(".").at(-1) ?? ""];

export function createAssets(): Pages {
  const known = new Map<string, Page>();
  // Listed once: what a client sends is looked up and never becomes a path.
  for (const name of readdirSync(BROWSER_FOLDER)) {
    const type = typeOf(name);
    const own = { bytes: () => readOwn(name), cacheControl: "no-cache", headers: PAGE_SECURITY };
    if (type !== undefined) known.set(`${OWN_ASSETS}/${name}`, holdPage({ ...own, type }));
  }

  function find(address: string): Page | undefined {
    const before = known.get(address);
    if (before) return before;
    const [bytes, type] = [findPackageFile(address), typeOf(address)];
    if (!bytes || type === undefined) return undefined;
    const asset = holdPage({ bytes, version: address, type, cacheControl: IMMUTABLE, headers: PAGE_SECURITY });
    known.set(address, asset);
    return asset;
  }

  return {
    [`${ASSETS}/**`]: (request) => {
      const { pathname } = request.event.url;
      const asset = find(pathname);
      if (!asset) throw new Problem(404, `There is no file ${shown(pathname)}.`);
      return asset(request);
    },
  };
}

async function readOwn(name: string): Promise<Buffer> {
  const bytes = await readFile(join(BROWSER_FOLDER, name));
  return name.endsWith(".js") ? Buffer.from(withAddresses(bytes.toString())) : bytes;
}
