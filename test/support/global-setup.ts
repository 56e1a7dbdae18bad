/**
 * Before the first test, compiles the programs as `make setup` does, and again together with the tests' programs;
 * temporary files are put into memory, if there is room for them.
 */
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdtemp, statfs, symlink } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { descendants, kill, processes, removeFolder } from "./leftovers.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder with what the programs were translated to: `pipeline/main.js` and so on. */
    programs: string;
  }
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MEMORY = "/dev/shm";
const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** The folder in memory; where there is none, or it is small as it is in many containers, the usual one. */
async function roomyFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
}

async function translate(folder: string): Promise<void> {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "false", "--noCheck", "--outDir", folder];
  await promisify(execFile)(process.execPath, [compiler, "-p", ROOT, ...options]);
  await copyFile(join(ROOT, "package.json"), join(folder, "package.json"));
  for (const name of ["node_modules", "dist"]) await symlink(join(ROOT, name), join(folder, name));
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await roomyFolder(), "academic-data-tests-"));
  // Vitest leaves its workers running when it is interrupted, and calls no teardown.
  const interrupt = (signal: (typeof SIGNALS)[number]): void => {
    kill(descendants(process.pid));
    for (const path of [folder, project.tmpDir]) removeFolder(path);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, interrupt);
  // Some tests start programs as another user.
  await chmod(folder, 0o777);
  // The processes that run the test files have this environment.
  process.env["TMPDIR"] = folder;
  await promisify(execFile)(process.execPath, [join(ROOT, ".setup/compile.mjs")]);
  const programs = join(folder, "programs");
  await translate(programs);
  project.provide("programs", programs);
  return async () => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    // The browser of a worker ends with it, a moment later.
    for (let waits = 0; waits < 30 && processes().some(({ command }) => command.includes(folder)); waits++)
      await sleep(100);
    for (const command of removeFolder(folder)) process.stderr.write(`a test left this process behind: ${command}\n`);
  };
}
