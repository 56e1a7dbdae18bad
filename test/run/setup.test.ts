/**
 * `make setup` in a small project: its installation depends only on contents, and neither a dead network nor a kill
 * leaves it without packages.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openRegistry, type Version } from "../support/small-registry.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Larger than any process id. */
const DEAD = ".install-99999999";
const NO_REGISTRY = "http://127.0.0.1:9";

let folder: string;
let installation: string;
let project: string;
let registry: Awaited<ReturnType<typeof openRegistry>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "setup-"));
  registry = await openRegistry(folder);
  // The state in which most tests begin: version 1.0.0 is installed.
  begin();
  expect((await setup()).code).toBe(0);
  installation = project;
});
afterAll(async () => {
  await registry?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(begin);

/** A project in which nothing is installed. */
function begin(): void {
  project = mkdtempSync(join(folder, "project-"));
  for (const name of ["Makefile", ".setup", ".npmrc"])
    cpSync(join(ROOT, name), join(project, name), { recursive: true });
  // Here there are no programs to compile.
  writeFileSync(join(project, ".setup/compile.mjs"), "");
  registry.begin();
  want("1.0.0");
}

/** A project with version 1.0.0 installed. */
const beginInstalled = (): void => cpSync(installation, project, { recursive: true, verbatimSymlinks: true });

/** package.json and package-lock.json, as npm writes them for this version. */
function want(version: Version, more: object = {}, isForTests = false): void {
  const list = isForTests ? "devDependencies" : "dependencies";
  const root = { name: "small", version: "1.0.0", [list]: { tiny: version } };
  const tiny = { version, integrity: registry.integrity(version), ...(isForTests ? { dev: true } : {}) };
  const lock = { ...root, lockfileVersion: 3, requires: true, packages: { "": root, "node_modules/tiny": tiny } };
  writeFileSync(join(project, "package.json"), JSON.stringify({ ...root, ...more }));
  writeFileSync(join(project, "package-lock.json"), JSON.stringify(lock));
}

function startSetup(address = registry.url, target = "setup") {
  const npm = { npm_config_registry: address, npm_config_cache: join(project, "cache"), npm_config_fetch_retries: "0" };
  const { PATH = "", HOME = "" } = process.env;
  // A group of its own, so that a kill takes npm along.
  const child = spawn("make", ["-s", target], { cwd: project, env: { PATH, HOME, ...npm }, detached: true });
  let err = "";
  child.stderr.on("data", (part: Buffer) => (err += part.toString()));
  child.stdout.resume();
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, err }));
  return { ended, kill: () => process.kill(-(child.pid as number), "SIGKILL") };
}
const setup = (address?: string, target?: string) => startSetup(address, target).ended;
const installed = () =>
  execFileSync(process.execPath, ["-p", "require('tiny')"], { cwd: project, encoding: "utf8" }).trim();
const leftovers = () => readdirSync(project).filter((name) => name.startsWith(".install-"));

it("installs what the lock file says; while that stays the same nothing is requested, whatever the files' times are", async () => {
  expect((await setup()).code).toBe(0);
  expect([installed(), leftovers()]).toEqual(["1.0.0", []]);
  for (const name of ["package.json", "package-lock.json"]) utimesSync(join(project, name), new Date(), new Date());
  want("1.0.0", { description: "another one", keywords: ["small"] });
  expect(await setup(NO_REGISTRY)).toEqual({ code: 0, err: "" });
});

it("packages of tests are installed for tests only, and then stay", async () => {
  want("1.0.0", {}, true);
  expect((await setup()).code).toBe(0);
  expect(existsSync(join(project, "node_modules/tiny"))).toBe(false);
  expect(await setup(registry.url, "setup-tests")).toEqual({ code: 0, err: "Installing packages …\n" });
  expect(installed()).toBe("1.0.0");
  expect(await setup(NO_REGISTRY)).toEqual({ code: 0, err: "" });
  want("2.0.0", {}, true);
  expect((await setup()).code).toBe(0);
  expect(installed()).toBe("2.0.0");
});

it("another lock file is installed in place of what was there; without a network that stays, and the error says so", async () => {
  beginInstalled();
  want("2.0.0");
  const { code, err } = await setup(NO_REGISTRY);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/ECONNREFUSED.*those that were installed before are unchanged/s),
  ]);
  expect([installed(), leftovers()]).toEqual(["1.0.0", []]);
  expect((await setup()).code).toBe(0);
  expect([installed(), leftovers()]).toEqual(["2.0.0", []]);
});

it("a dependency that the lock file does not know is an error, not a silence", async () => {
  beginInstalled();
  want("1.0.0", { dependencies: { tiny: "1.0.0", other: "1.0.0" } });
  expect((await setup()).err).toMatch(/package-lock.json.*not in sync|in sync/s);
  expect(installed()).toBe("1.0.0");
});

it("killed while it installs: the packages work, the next call installs and clears up", async () => {
  beginInstalled();
  want("2.0.0");
  registry.begin({ silent: true });
  const asked = registry.nextRequest();
  const { ended, kill } = startSetup();
  await asked;
  kill();
  await ended;
  expect([installed(), leftovers()]).toEqual(["1.0.0", [expect.stringMatching(/^\.install-\d+$/)]]);
  registry.begin();
  expect((await setup()).code).toBe(0);
  expect([installed(), leftovers()]).toEqual(["2.0.0", []]);
});

it("killed between its two renames: the next call gives the packages back, also without a network", async () => {
  beginInstalled();
  mkdirSync(join(project, DEAD));
  renameSync(join(project, "node_modules"), join(project, DEAD, "old"));
  expect(await setup(NO_REGISTRY)).toEqual({ code: 0, err: "" });
  expect([installed(), leftovers()]).toEqual(["1.0.0", []]);
});

it("several calls at once all succeed, and leave one sound installation", async () => {
  beginInstalled();
  want("2.0.0");
  const calls = await Promise.all([setup(), setup()]);
  expect(calls.map(({ code }) => code)).toEqual([0, 0]);
  expect([installed(), leftovers()]).toEqual(["2.0.0", []]);
});

it("what `npm ci` installed by hand is taken as it is; that of another Node version is not", async () => {
  beginInstalled();
  rmSync(join(project, "node_modules/.installed"));
  expect(await setup(NO_REGISTRY)).toEqual({ code: 0, err: "" });
  writeFileSync(join(project, "node_modules/.installed"), "0 linux x64 node18");
  registry.begin();
  expect((await setup()).code).toBe(0);
  expect(registry.requests()).not.toEqual([]);
  expect(existsSync(join(project, "node_modules/.installed"))).toBe(true);
});
