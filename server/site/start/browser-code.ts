/** The code for browsers, which `make setup` compiles (.setup/compile.mjs). */
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The compiled files by name. The content of a name with a hash, such as `chunk-5QPVUKVX.js`, never changes. */
export async function readBrowserCode(): Promise<Readonly<Record<string, Buffer>>> {
  const folder = findFolder();
  const names = await readdir(folder);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
}

/** @throws Error when nothing is compiled */
function findFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve("#browser/start.js"));
  } catch {
    throw new Error("the code for browsers is not compiled: call `make setup`");
  }
}
