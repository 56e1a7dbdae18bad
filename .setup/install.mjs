/**
 * `make setup`: installs the packages of package-lock.json that crawling and serving need, unless they are installed
 * already; with `--all`, also those of tests. They are installed beside node_modules and put in its place by renaming,
 * so that a failed network or a kill leaves the previous packages. Imported before the compiler: two processes would
 * take longer.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** One folder a process: `new/` is a project of its own, `old/` the packages that make room. */
const PREFIX = ".install-";
const mine = `${PREFIX}${process.pid}`;
const [fresh, old] = [join(mine, "new"), join(mine, "old")];
const STAMP = "node_modules/.installed";

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

const manifest = readJson("package.json");
const lock = readJson("package-lock.json");
/** The packages of another system or Node version are not those of this one. */
const system = `${process.platform} ${process.arch} node${process.versions.node.split(".")[0]}`;

const readStamp = () => (existsSync(STAMP) ? readFileSync(STAMP, "utf8") : "");

/** Packages of tests stay installed when the lock file changes. */
const ALL = " all";
const isAll = process.argv.includes("--all") || readStamp().endsWith(ALL);

/** The inputs of the installed packages: contents of files, never their times. */
function stampOf(withTests) {
  const { dependencies, devDependencies, optionalDependencies, overrides } = manifest;
  const parts = [lock, dependencies, devDependencies, optionalDependencies, overrides];
  return `${createHash("sha256").update(JSON.stringify(parts)).digest("hex")} ${system}${withTests ? ALL : ""}`;
}

/** After `npm ci` or `npm install` by hand there is no stamp of this state, but npm's own list of what it installed. */
function isInstalledByHand(withTests) {
  const list = "node_modules/.package-lock.json";
  const stamped = readStamp();
  if (!existsSync(list) || (stamped !== "" && !stamped.replace(ALL, "").endsWith(system))) return false;
  const installed = readJson(list).packages;
  const { "": root, ...wanted } = lock.packages;
  const isInLock = (field) => JSON.stringify(root[field]) === JSON.stringify(manifest[field]);
  // The list alone is no proof: npm also writes it where it was asked for a lock file only.
  const isInstalled = (path) => installed[path]?.integrity === wanted[path]?.integrity && existsSync(path);
  const isSpared = ({ dev, devOptional, optional }) => optional || (!withTests && (dev || devOptional));
  return (
    ["dependencies", "devDependencies", "optionalDependencies"].every(isInLock) &&
    Object.keys(installed).every(isInstalled) &&
    Object.keys(wanted).every((path) => isInstalled(path) || (isSpared(wanted[path]) && !installed[path]))
  );
}

/** Renames over what is there: the file may be hard-linked from another checkout. */
function writeStamp(folder, stamp) {
  const draft = join(folder, `${STAMP}-${process.pid}`);
  writeFileSync(draft, stamp);
  renameSync(draft, join(folder, STAMP));
}

function isAlive(pid) {
  try {
    // Where there is /proc: a killed process may linger as a zombie.
    if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return false;
  } catch {}
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** What killed installations left; one that was killed between its two renames gives the packages back. */
function clearLeftovers() {
  for (const name of readdirSync(".").filter((entry) => entry.startsWith(PREFIX))) {
    if (!existsSync("node_modules")) tryRename(join(name, "old"), "node_modules");
    if (name === mine || !isAlive(Number(name.slice(PREFIX.length)))) rmSync(name, { recursive: true, force: true });
  }
}

/** False when there is nothing to rename, or something in the way: another `make` was faster. */
function tryRename(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTEMPTY", "EEXIST"].includes(error.code)) return false;
    throw error;
  }
}

function install(stamp) {
  process.stderr.write(`Installing packages${existsSync("node_modules") ? "" : " (first time only)"} …\n`);
  mkdirSync(fresh, { recursive: true });
  for (const name of ["package.json", "package-lock.json", ".npmrc"])
    if (existsSync(name)) copyFileSync(name, join(fresh, name));
  const options = ["--ignore-scripts", "--loglevel=error", ...(isAll ? [] : ["--omit=dev"])];
  const { status } = spawnSync("npm", ["ci", ...options], { cwd: fresh, stdio: "inherit" });
  if (status !== 0) return false;
  mkdirSync(join(fresh, "node_modules"), { recursive: true });
  writeStamp(fresh, stamp);
  while (readStamp() !== stamp) {
    tryRename("node_modules", old);
    if (tryRename(join(fresh, "node_modules"), "node_modules")) break;
    rmSync(old, { recursive: true, force: true });
  }
  return true;
}

clearLeftovers();
const stamp = stampOf(isAll);
if (readStamp() !== stamp) {
  if (isInstalledByHand(true)) writeStamp(".", stampOf(true));
  else if (!isAll && isInstalledByHand(false)) writeStamp(".", stamp);
  else if (!install(stamp)) {
    process.stderr.write(
      "The packages cannot be installed (see above); those that were installed before are unchanged.\n",
    );
    process.exitCode = 1;
  }
  rmSync(mine, { recursive: true, force: true });
  // Without packages nothing is compiled.
  if (process.exitCode) process.exit();
}
