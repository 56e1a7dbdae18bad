/**
 * `make setup`: compiles pipeline, sample campus and server with TypeScript, the code for browsers and the process of a statement with esbuild, and the typed client, into `dist/<hash of the sources>/`;
 * `dist/current` links to it. Nothing is done when that is there. The result runs with the packages of `npm ci --omit=dev`.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { writeClients } from "./client.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist");
/** The Makefile and package.json name the same link. */
const CURRENT = join(DIST, "current");
const APP = "server/site/app";
/** What the pages load by themselves; everything else is loaded by these. */
const [SCRIPT, STYLE] = ["main.tsx", "styles/site.css"];
/** Works for all addresses below its own, so its name has no hash. */
const SERVICE_WORKER = "service-worker.ts";
/** The page starts it by its name, which changes with its content. */
const COMBINATIONS_WORKER = "plan/combinations/worker.ts";
/** Files of packages that pages load as they are, into folders whose names change with the packages. */
const PACKAGE_FILES = {
  sql: [
    "@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js",
    "@duckdb/duckdb-wasm/dist/duckdb-eh.wasm",
    "parquet-wasm/esm/parquet_wasm_bg.wasm",
  ],
  reference: ["swagger-ui-dist/swagger-ui-bundle.js", "swagger-ui-dist/swagger-ui.css"],
};
/** What `make release` reads: the packages whose code is in the browser's files. */
const BROWSER_PACKAGES = "browser-packages.json";
const HOUR_MS = 3_600_000;

function hashSources() {
  const sources = ["pipeline", "server"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  const names = sources.filter((name) => /\.(tsx?|css|svg|html)$/.test(name)).sort();
  const hash = createHash("sha256");
  for (const name of [
    "package-lock.json",
    "tsconfig.json",
    ".setup/tsconfig.json",
    ".setup/compile.mjs",
    ".setup/client.mjs",
    ...names,
  ])
    hash.update(`\n${name}\n`).update(readFileSync(join(ROOT, name)));
  return hash.digest("hex").slice(0, 16);
}

const compilePrograms = (outDir) =>
  promisify(execFile)(process.execPath, [
    join(ROOT, "node_modules/typescript/bin/tsc"),
    ...["-p", join(ROOT, ".setup"), "--outDir", outDir],
  ]);

/** A process starts for each statement of an assistant: as one file it is ready in half the time. */
const STATEMENT_PROCESS = "server/mcp/sql/sql-process";

async function bundleStatementProcess(outDir) {
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`${STATEMENT_PROCESS}.ts`],
    outfile: join(outDir, `${STATEMENT_PROCESS}.js`),
    allowOverwrite: true,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    tsconfigRaw: {},
    external: ["@duckdb/node-bindings*"],
    // What the packages load by `require`.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
}

/** `sql-5QPVUKVX`: the lock file names the versions of the packages. */
const folderOf = (use, lockHash) => `${use}-${lockHash.slice(0, 8).toUpperCase()}`;

/** What a script imports at once, so that a page can ask for all of it before the script is read. */
function chunksOf({ outputs }, script, found = new Set()) {
  for (const { path, kind } of outputs[script].imports)
    if (kind === "import-statement" && !found.has(path)) chunksOf({ outputs }, path, found.add(path));
  return [...found];
}

/** What is loaded when it is needed: views, charts, and what few readers open. */
const LOADED_LATER =
  /site\/app\/(?:views|charts)\/[^/]+\.tsx$|\/find\/suggestions\.ts$|\/data\/section-course\.ts$|\/plan\/add\.ts$|\/course\/uncatalogued-course\.ts$|\/parts\/meant\.tsx$|\/parts\/folded-sections\.tsx$|\/sql\/sql-chart\.tsx$|\/preact-iso\/src\/prerender\.js$|\/duckdb-browser\.mjs$|\/parquet_wasm\.js$/;
/** Views, charts and parts have them all; home has what it needs with the site. */
const SHARED_BY = /site\/app\/(?:views\/(?!home)|charts\/|parts\/|course\/)[^/]+\.tsx?$/;
/** Folders whose files several views need: these come as one file, without the library of charts, and what only the start needs. */
const SHARED = ["data", "parts"];
const NOT_SHARED = /\/parts\/chart\.tsx$|\/data\/former-addresses\.ts$/;
const sharedFiles = () =>
  SHARED.flatMap((folder) => readdirSync(join(ROOT, APP, folder)).map((name) => join(ROOT, APP, folder, name))).filter(
    (path) => !NOT_SHARED.test(path) && !LOADED_LATER.test(path),
  );
/**
 * Everything that is loaded later finds the site loaded, and views what is shared. esbuild learns it by imports, else each set of files
 * that share something gets a chunk of its own, and a slow network waits for each.
 */
const FEW_CHUNKS = {
  name: "few chunks",
  setup({ onLoad }) {
    const site = join(ROOT, APP, "site.tsx");
    onLoad({ filter: LOADED_LATER }, ({ path }) => {
      const imported = SHARED_BY.test(path) ? [site, ...sharedFiles()] : [site];
      return {
        contents: [readFileSync(path, "utf8"), ...imported.map((one) => `import ${JSON.stringify(one)};`)].join("\n"),
        loader: /\.tsx?$/.exec(path)?.[0].slice(1) ?? "js",
      };
    });
  },
};

/** `x.css?text`: the styles of one view come with its script, as a text. */
const CSS_TEXT = {
  name: "styles as text",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.css\?text$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace("?text", "")),
      namespace: "css-text",
    }));
    onLoad({ filter: /\.css$/, namespace: "css-text" }, async ({ path }) => {
      const { transform } = await import("esbuild");
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true });
      return { contents: code, loader: "text" };
    });
  },
};

/** The folders of the packages that these files are of. */
function packagesOf(files) {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** The licences of these packages, one after the other. */
function licencesOf(packages) {
  return packages.map((path) => {
    const folder = join(ROOT, path);
    const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(folder, file), "utf8"))].join(
      "\n\n",
    );
  });
}

/** @returns the folders of the packages whose code is in it */
async function compileBrowserCode(outdir) {
  const { build } = await import("esbuild");
  const lockHash = createHash("sha256")
    .update(readFileSync(join(ROOT, "package-lock.json")))
    .digest("hex");
  const define = Object.fromEntries(
    Object.keys(PACKAGE_FILES).map((use) => [`${use.toUpperCase()}_FILES`, JSON.stringify(folderOf(use, lockHash))]),
  );
  const options = {
    outdir,
    define,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    tsconfigRaw: {},
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "error",
    metafile: true,
    absWorkingDir: ROOT,
  };
  const alone = { ...options, splitting: false };
  const worker = await build({
    ...alone,
    entryPoints: [join(ROOT, APP, COMBINATIONS_WORKER)],
    entryNames: "combinations-worker-[hash]",
  });
  define.COMBINATIONS_WORKER = JSON.stringify(basename(Object.keys(worker.metafile.outputs)[0]));
  const entryPoints = [SCRIPT, STYLE].map((name) => join(ROOT, APP, name));
  const { metafile } = await build({
    ...options,
    entryPoints,
    entryNames: "[name]-[hash]",
    plugins: [FEW_CHUNKS, CSS_TEXT],
  });
  await build({ ...alone, entryPoints: [join(ROOT, APP, SERVICE_WORKER)], entryNames: "[name]" });
  const outputOf = (name) =>
    Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === `${APP}/${name}`);
  const page = readFileSync(join(ROOT, APP, "index.html"), "utf8");
  writeFileSync(
    join(outdir, "index.html"),
    page
      .replace("%SCRIPT%", basename(outputOf(SCRIPT)))
      .replace("%ICON%", encodeURIComponent(readFileSync(join(ROOT, APP, "icon.svg"), "utf8").trim()))
      .replace("%STYLE%", basename(outputOf(STYLE)))
      .replace(/^.*%CHUNK%.*\n/m, (line) =>
        chunksOf(metafile, outputOf(SCRIPT))
          .map((path) => line.replace("%CHUNK%", basename(path)))
          .join(""),
      ),
  );
  const copied = Object.values(PACKAGE_FILES).flat();
  const packages = packagesOf([...Object.keys(metafile.inputs), ...copied.map((file) => `node_modules/${file}`)]);
  writeFileSync(join(outdir, "LICENCES.txt"), `${licencesOf(packages).join("\n\n\n")}\n`);
  for (const [use, files] of Object.entries(PACKAGE_FILES)) {
    mkdirSync(join(outdir, folderOf(use, lockHash)));
    for (const file of files)
      copyFileSync(join(ROOT, "node_modules", file), join(outdir, folderOf(use, lockHash), basename(file)));
  }
  return packages;
}

/** False when there is something in the way: another call was faster. */
function tryRename(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST"].includes(error.code)) return false;
    throw error;
  }
}

/** A program that runs keeps the folder it was started from: the link moves, and the one before it stays. */
function switchTo(version) {
  const link = join(DIST, `.current-${process.pid}`);
  const previous = existsSync(CURRENT) ? readlinkSync(CURRENT) : version;
  rmSync(link, { force: true });
  symlinkSync(version, link);
  renameSync(link, CURRENT);
  // Archives of `make release` are not versions.
  const isVersion = (entry) => /^(?:[0-9a-f]{16}$|\.)/.test(entry);
  for (const name of readdirSync(DIST).filter((entry) => isVersion(entry) && ![version, previous].includes(entry))) {
    // Another call may be at work on a younger one.
    const { mtimeMs } = statSync(join(DIST, name), { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (Date.now() - mtimeMs > HOUR_MS) rmSync(join(DIST, name), { recursive: true, force: true });
  }
}

async function compile(version) {
  const draft = join(DIST, `.draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    await compilePrograms(draft);
    await bundleStatementProcess(draft);
    const packages = await compileBrowserCode(join(draft, "browser"));
    writeFileSync(join(draft, BROWSER_PACKAGES), JSON.stringify(packages));
    await writeClients(draft);
    tryRename(draft, join(DIST, version));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const version = hashSources();
try {
  if (!existsSync(join(DIST, version))) {
    const began = performance.now();
    const { isTTY } = process.stderr;
    const canRedraw = isTTY && process.env.TERM !== "dumb";
    if (canRedraw) process.stderr.write("Compiling …");
    await compile(version);
    const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`.padStart(8);
    // As the phases of a run look.
    if (isTTY)
      process.stderr.write(`${canRedraw ? "\r\u001b[2K" : ""}✓ ${"compile".padEnd(14)}${seconds}  the programs\n`);
  }
  if (!existsSync(CURRENT) || readlinkSync(CURRENT) !== version) switchTo(version);
} catch (error) {
  const isMissing = ["typescript", "esbuild", "openapi-typescript"].some(
    (name) => !existsSync(join(ROOT, "node_modules", name)),
  );
  const advice = "The packages that compile the programs are not installed: call `make setup`.";
  process.stderr.write(`${isMissing ? advice : `${error.stdout || error.message}`.trim()}\n`);
  process.exitCode = 1;
}
