/**
 * `make setup`: compiles the programs with esbuild, which halves the time of every start, then the browser code. Nothing is done when the sources and
 * packages are those of the last compilation.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The Makefile names the same folder. */
const PROGRAMS = join(ROOT, "node_modules/.cache/programs");
const STAMP = join(PROGRAMS, "compiled");
const ENTRIES = ["server/main.ts", "pipeline/main.ts", "server/site/start/compile-command.ts"];

function hashSources() {
  const hash = createHash("sha256").update(`node${process.versions.node}`);
  const folders = ["pipeline", "server"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  const names = folders.filter((name) => /\.(tsx?|css|svg)$/.test(name)).sort();
  for (const name of ["package-lock.json", ".setup/compile.mjs", ...names])
    hash.update(`\n${name}\n`).update(readFileSync(join(ROOT, name)));
  return hash.digest("hex");
}

/** A module still finds the files beside its source. */
const keepPlaces = {
  name: "keep-places",
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8")
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path))),
    })),
};

/** Renamed into place, because several may compile at once. Chunks of earlier versions stay for servers that run. */
function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}

async function compile() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: ENTRIES,
    absWorkingDir: ROOT,
    outdir: PROGRAMS,
    outbase: ROOT,
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    plugins: [keepPlaces],
    logLevel: "error",
  });
  // Chunks before the programs that import them.
  const isProgram = ({ path }) => ENTRIES.some((entry) => path.endsWith(entry.replace(/\.ts$/, ".js")));
  write(join(PROGRAMS, "package.json"), '{"type":"module"}\n');
  for (const file of outputFiles.sort((a, b) => isProgram(a) - isProgram(b))) write(file.path, file.contents);
}

const sources = hashSources();
if (!existsSync(STAMP) || readFileSync(STAMP, "utf8") !== sources) {
  await compile();
  await import(pathToFileURL(join(PROGRAMS, "server/site/start/compile-command.js")).href);
  write(STAMP, sources);
}
