/**
 * Packages whose files the browser takes from this server: DuckDB and the Parquet reader that feeds it. Browsers do not know where packages
 * are, so their names become addresses here: `"package:<name>/<file>"` in our own files, bare names in theirs.
 */
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ASSETS = "/assets";

interface BrowserPackage {
  readonly name: string;
  /** The package that brings it along, where we do not ask for it ourselves. */
  readonly broughtBy?: string;
  /** The files that are served; everything else of it stays unseen. */
  readonly files: RegExp;
  /** What its bare name means to a browser. */
  readonly main: string;
}

const PACKAGES: readonly BrowserPackage[] = [
  {
    name: "@duckdb/duckdb-wasm",
    files: /^dist\/duckdb-(browser\.mjs|browser-eh\.worker\.js|eh\.wasm)$/,
    main: "dist/duckdb-browser.mjs",
  },
  {
    name: "apache-arrow",
    broughtBy: "@duckdb/duckdb-wasm",
    files: /^Arrow\.es2015\.min\.js$/,
    main: "Arrow.es2015.min.js",
  },
  { name: "hyparquet", files: /^src\/[\w.-]+\.js$/, main: "src/index.js" },
  { name: "hyparquet-compressors", files: /^src\/[\w.-]+\.js$/, main: "src/index.js" },
  { name: "fzstd", broughtBy: "hyparquet-compressors", files: /^esm\/index\.mjs$/, main: "esm/index.mjs" },
  { name: "hysnappy", broughtBy: "hyparquet-compressors", files: /^js\/[\w.-]+\.js$/, main: "js/index.js" },
];

/** A package as it is installed. */
interface Installed extends BrowserPackage {
  readonly folder: string;
  /** `/assets/<name>@<version>`: another version has another address. */
  readonly address: string;
}

const own = createRequire(import.meta.url);

function find({ name, broughtBy }: BrowserPackage): { folder: string; version: string } {
  const from = broughtBy === undefined ? own : createRequire(own.resolve(broughtBy));
  for (let folder = dirname(from.resolve(name)); ; folder = dirname(folder)) {
    const about = readAbout(join(folder, "package.json"));
    if (about?.name === name && about.version !== undefined) return { folder, version: about.version };
    if (folder === dirname(folder)) throw new Error(`the package ${name} is not installed`);
  }
}

function readAbout(path: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { name?: string; version?: string };
  } catch {
    return undefined;
  }
}

let installed: readonly Installed[] | undefined;
function all(): readonly Installed[] {
  installed ??= PACKAGES.map((one) => {
    const { folder, version } = find(one);
    return { ...one, folder, address: `${ASSETS}/${one.name}@${version}` };
  });
  return installed;
}

/** Names become addresses: `"package:hyparquet/src/index.js"`, and `from "fzstd"` in the packages' own files. */
export function withAddresses(code: string): string {
  const addressOf = (name: string) => all().find((one) => one.name === name);
  return code
    .replaceAll(
      /(["'])package:((?:@[\w-]+\/)?[\w-]+)\/([\w./-]+)\1/g,
      (text, quote: string, name: string, file: string) => {
        const found = addressOf(name);
        return found ? `${quote}${found.address}/${file}${quote}` : text;
      },
    )
    .replaceAll(/\bfrom\s*(["'])([a-z][\w-]*)\1/g, (text, quote: string, name: string) => {
      const found = addressOf(name);
      return found ? `from${quote}${found.address}/${found.main}${quote}` : text;
    });
}

/** Arrow comes as a script of the older kind, which leaves its names at `this.Arrow`: as a module it hands out those that are used. */
const asArrowModule = (script: string): string =>
  `const scope = {};\n(function () {\n${script}\n}).call(scope);\nexport const { ${ARROW_NAMES.join(", ")} } = scope.Arrow;\n`;
const ARROW_NAMES = [
  ...["RecordBatchReader", "Table", "Type", "tableToIPC", "makeBuilder", "Field"],
  ...["Bool", "DateDay", "Float64", "Int32", "Int64", "List", "Struct", "Utf8"],
];

/** What reads a served file, by its address; undefined for everything else. */
export function findPackageFile(address: string): (() => Promise<Buffer>) | undefined {
  for (const one of all()) {
    if (!address.startsWith(`${one.address}/`)) continue;
    const file = address.slice(one.address.length + 1);
    const path = join(one.folder, file);
    if (!one.files.test(file) || !existsSync(path)) return undefined;
    if (file.endsWith(".wasm")) return () => readFile(path);
    const change = one.name === "apache-arrow" ? asArrowModule : withAddresses;
    return async () => Buffer.from(change(await readFile(path, "utf8")));
  }
  return undefined;
}

/** Where the files of this folder's browser part are. */
export const BROWSER_FOLDER = fileURLToPath(new URL("browser/", import.meta.url));
