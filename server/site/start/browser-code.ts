/** Compiles `browser/` with esbuild. `make setup` fills the cache; a server compiles again if sources or packages have changed. */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";

const SOURCES = fileURLToPath(new URL("browser/", import.meta.url));
const PACKAGES = join(dirname(createRequire(import.meta.url).resolve("esbuild/package.json")), "..");
/** The Makefile names the same file. */
export const CACHE = join(PACKAGES, ".cache/browser-code.json");

/** The files that pages refer to. */
const ENTRIES = ["start.tsx", "styles/start.css", "icon.svg", "reference.ts"];

const OPTIONS = {
  entryNames: "[name]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  // Ignores any tsconfig.json, wherever the sources are.
  tsconfigRaw: {},
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".svg": "copy" },
  logLevel: "error",
} satisfies BuildOptions;

interface BrowserCode {
  readonly sources: string;
  /** Name → content. The content of a name with a hash, such as `chunk-5QPVUKVX.js`, never changes. */
  readonly files: Readonly<Record<string, string>>;
}

let code: Promise<BrowserCode["files"]> | undefined;
/** The compiled files by name, as of this process's first call. */
export const readBrowserCode = (): Promise<BrowserCode["files"]> => (code ??= findBrowserCode(SOURCES, CACHE));

/** Reads `cache`, or compiles `folder` if it has changed. @throws Error when compilation fails */
export async function findBrowserCode(folder: string, cache: string): Promise<BrowserCode["files"]> {
  const [sources, cached] = await Promise.all([hashSources(folder), readCache(cache)]);
  if (cached?.sources === sources) return cached.files;
  const files = await compile(folder);
  await writeCache({ sources, files }, cache);
  return files;
}

async function compile(folder: string): Promise<BrowserCode["files"]> {
  const { build, stop } = await import("esbuild");
  const entryPoints = ENTRIES.map((name) => join(folder, name));
  const { outputFiles } = await build({ ...OPTIONS, entryPoints, outdir: folder, write: false }).finally(stop);
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
}

async function hashSources(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(tsx?|css|svg)$/.test(name)).sort();
  const hash = createHash("sha256").update(JSON.stringify([ENTRIES, OPTIONS]));
  hash.update(await readFile(join(PACKAGES, ".package-lock.json")).catch(() => ""));
  for (const [i, content] of (await Promise.all(names.map((name) => readFile(join(folder, name))))).entries())
    hash.update(`\n${names[i]} ${content.length}\n`).update(content);
  return hash.digest("hex");
}

async function readCache(cache: string): Promise<BrowserCode | undefined> {
  try {
    return JSON.parse(await readFile(cache, "utf8")) as BrowserCode;
  } catch {
    return undefined;
  }
}

/** Renamed into place, because several servers may start at once. Without write access every start compiles. */
async function writeCache(code: BrowserCode, cache: string): Promise<void> {
  const temporary = `${cache}.${randomUUID()}`;
  await mkdir(dirname(cache), { recursive: true })
    .then(() => writeFile(temporary, JSON.stringify(code)))
    .then(() => rename(temporary, cache))
    .catch(() => undefined);
}
