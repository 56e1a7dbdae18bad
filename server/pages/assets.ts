/** `/assets`: the start page's own files, and the package files that they ask for. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pages } from "../page.ts";
import { shown } from "../params.ts";
import { Problem } from "../problem.ts";
import { type Asset, createAsset, typeOf } from "./asset.ts";
import { ASSETS, BROWSER_FOLDER, findPackageFile, withAddresses } from "./browser-packages.ts";

/** Where the start page finds its own files. */
export const OWN_ASSETS = `${ASSETS}/start`;

export function createAssets(): Pages {
  const known = new Map<string, Asset>();
  // Listed once: what a client sends is looked up and never becomes a path.
  for (const name of readdirSync(BROWSER_FOLDER)) {
    const type = typeOf(name);
    if (type !== undefined) known.set(`${OWN_ASSETS}/${name}`, createAsset({ type, read: () => readOwn(name) }));
  }

  function find(address: string): Asset | undefined {
    const before = known.get(address);
    if (before) return before;
    const [read, type] = [findPackageFile(address), typeOf(address)];
    if (!read || type === undefined) return undefined;
    const asset = createAsset({ type, read, immutable: true, tag: address });
    known.set(address, asset);
    return asset;
  }

  return {
    [`${ASSETS}/**`]: ({ event, requestId }) => {
      const asset = find(event.url.pathname);
      if (!asset) throw new Problem(404, `There is no file ${shown(event.url.pathname)}.`);
      return asset.send(event, requestId);
    },
  };
}

async function readOwn(name: string): Promise<Buffer> {
  const bytes = await readFile(join(BROWSER_FOLDER, name));
  return name.endsWith(".js") ? Buffer.from(withAddresses(bytes.toString())) : bytes;
}
