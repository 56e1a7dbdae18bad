/**
 * `make release [TO=<folder>]`: one archive with everything that runs with `node` alone, for systems like this one, since DuckDB's library is compiled:
 * the programs, what they import of packages, `release/`, and `sbom.cdx.json`, which names every package whose code is in it. Equal sources give equal bytes.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { writeBillOfMaterials } from "./bill-of-materials.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PROGRAMS = join(ROOT, "dist/current");
/** What the browser's files are made of, as it was compiled. */
const BROWSER_PACKAGES = "browser-packages.json";
/** Loaded by a name that is computed, with a library beside it. */
const NATIVE = "node_modules/@duckdb/node-bindings-";
/** What a Node version may prefer in a package's `exports` besides `import`, `require` and `node`. */
const CONDITIONS = [[], ["module-sync"]];
const LICENCE = /^(licen[cs]e|notice|copying)/i;
/** Times say nothing here. */
const TIME = new Date("2000-01-01T00:00:00Z");
const MEGABYTE = 1024 * 1024;

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** The folders of the packages of production, as the lock file names them. */
function productionPackages() {
  const { packages } = readJson(join(ROOT, "package-lock.json"));
  return Object.keys(packages).filter((path) => path !== "" && !packages[path].dev && existsSync(join(ROOT, path)));
}

/** The files of packages that the programs import, by whatever way Node may resolve them. */
async function importedFiles() {
  const { build } = await import("esbuild");
  const programs = realpathSync(PROGRAMS);
  const entryPoints = filesIn(programs)
    .filter((name) => name.endsWith(".js") && !name.startsWith("browser/"))
    .map((name) => join(programs, name));
  const options = {
    entryPoints,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    outdir: PROGRAMS,
    external: ["*.node"],
  };
  const builds = await Promise.all(
    CONDITIONS.map((conditions) =>
      build({ ...options, conditions, write: false, metafile: true, logLevel: "error", absWorkingDir: ROOT }),
    ),
  );
  const inputs = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  return [...new Set(inputs)].filter((path) => path.startsWith("node_modules/"));
}

/** Of each package that is imported: these files, its package.json and its licence; of DuckDB's library all. @returns them and the packages' folders */
async function packageFiles() {
  const packages = productionPackages();
  const packageOf = (file) => packages.findLast((path) => file.startsWith(`${path}/`));
  const imported = await importedFiles();
  const foreign = imported.filter((file) => packageOf(file) === undefined);
  if (foreign.length > 0) throw new Error(`not in a package of production: ${foreign.join(", ")}`);
  const used = [...new Set(imported.map(packageOf))];
  const native = packages.filter((path) => path.startsWith(NATIVE));
  const isLegal = (name) => name === "package.json" || LICENCE.test(name);
  const files = [
    ...imported,
    ...used.flatMap((path) =>
      readdirSync(join(ROOT, path))
        .filter(isLegal)
        .map((name) => `${path}/${name}`),
    ),
    ...native.flatMap((path) => filesIn(join(ROOT, path)).map((name) => `${path}/${name}`)),
  ];
  return { files, packages: [...used, ...native] };
}

/** `linux-x64`, or such as `linux-x64-musl`: as DuckDB names the library that is installed. */
function platform() {
  const [path = `${NATIVE}${process.platform}-${process.arch}`] = productionPackages().filter((one) =>
    one.startsWith(NATIVE),
  );
  return path.slice(NATIVE.length);
}

async function fill(folder) {
  const { name, version, license, type, engines } = readJson(join(ROOT, "package.json"));
  cpSync(realpathSync(PROGRAMS), folder, { recursive: true });
  cpSync(join(ROOT, ".setup/release"), folder, { recursive: true });
  copyFileSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  const { files, packages } = await packageFiles();
  for (const path of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(folder, path));
  }
  const inBrowsers = readJson(join(PROGRAMS, BROWSER_PACKAGES));
  rmSync(join(folder, BROWSER_PACKAGES));
  writeBillOfMaterials(join(folder, "sbom.cdx.json"), [...packages, ...inBrowsers]);
  const imports = { "#browser/*": "./browser/*", "#programs/*": "./*" };
  const manifest = { name, version, private: true, license, type, imports, engines };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Files only, sorted, with equal times, owners and modes; GNU's tar and that of BSD and macOS name the owner differently. */
function pack(staging, archive) {
  const files = filesIn(staging);
  for (const file of files) {
    chmodSync(join(staging, file), 0o644);
    utimesSync(join(staging, file), TIME, TIME);
  }
  const isGnu = /GNU tar/.test(execFileSync("tar", ["--version"], { encoding: "utf8" }));
  const owner = isGnu ? ["--owner=0", "--group=0"] : ["--uid=0", "--gid=0"];
  const options = ["--format=ustar", "--numeric-owner", ...owner, "-C", staging, "-T", "-", "-cf", "-"];
  const env = { ...process.env, COPYFILE_DISABLE: "1" };
  const packed = execFileSync("tar", options, { input: files.join("\n"), env, maxBuffer: 1024 * MEGABYTE });
  writeFileSync(archive, gzipSync(packed));
  return packed.length;
}

const to = resolve(process.argv[2] || join(ROOT, "dist"));
const name = `academic-data-${readJson(join(ROOT, "package.json")).version}-${platform()}`;
mkdirSync(to, { recursive: true });
const staging = mkdtempSync(join(to, ".release-"));
try {
  await fill(join(staging, name));
  const archive = join(to, `${name}.tar.gz`);
  const bytes = pack(staging, archive);
  const megabytes = (size) => `${Math.ceil(size / MEGABYTE)} MB`;
  process.stdout.write(`${archive}: ${megabytes(statSync(archive).size)}, unpacked ${megabytes(bytes)}\n`);
} finally {
  rmSync(staging, { recursive: true, force: true });
}
