/**
 * The code of `browser/`, compiled by esbuild into files that browsers take. `make setup` leaves them in the packages' cache; a server compiles them
 * itself when the sources or the packages have changed since.
 */
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

/** What a page names; everything else is asked for by these. */
const ENTRIES = ["start.tsx", "styles/start.css", "icon.svg", "reference.ts"];

const OPTIONS = {
  entryNames: "[name]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  // The compiler's own defaults and what stands here, wherever the sources lie.
  tsconfigRaw: {},
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".svg": "copy" },
  logLevel: "error",
} satisfies BuildOptions;

interface BrowserCode {
  /** The hash of what it was compiled from. */
  readonly sources: string;
  /** Name → content. A name with a hash, such as `chunk-5QPVUKVX.js`, never stands for another content. */
  readonly files: Readonly<Record<string, string>>;
}

let code: Promise<BrowserCode["files"]> | undefined;
/** The compiled files by name: those of the sources as they are when a process asks first. */
export const readBrowserCode = (): Promise<BrowserCode["files"]> => (code ??= findBrowserCode(SOURCES, CACHE));

/** What is kept in `cache` if it was compiled from `folder` as it is now; else it is compiled, and kept. @throws Error when it cannot be compiled */
export async function findBrowserCode(folder: string, cache: string): Promise<BrowserCode["files"]> {
  const [sources, kept] = await Promise.all([hashSources(folder), readKept(cache)]);
  if (kept?.sources === sources) return kept.files;
  const files = await compile(folder);
  await keep({ sources, files }, cache);
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

async function readKept(cache: string): Promise<BrowserCode | undefined> {
  try {
    return JSON.parse(await readFile(cache, "utf8")) as BrowserCode;
  } catch {
    return undefined;
  }
}

/** Written beside and renamed: several servers may start at once. Who may not write compiles at every start. */
async function keep(code: BrowserCode, cache: string): Promise<void> {
  const beside = `${cache}.${randomUUID()}`;
  await mkdir(dirname(cache), { recursive: true })
    .then(() => writeFile(beside, JSON.stringify(code)))
    .then(() => rename(beside, cache))
    .catch(() => undefined);
}
