/** A test run leaves nothing behind, also when it is interrupted. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { descendants, processes, removeFolder } from "../support/leftovers.ts";
import { scratchFolder } from "../pipeline/publish/scratch.ts";
import { mayMount, mountSmall } from "../support/small-disk.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const scratch = scratchFolder();
const canMount = mayMount();

it("a folder is removed with the processes that use it and what is mounted in it", async () => {
  const folder = join(scratch, "left");
  mkdirSync(join(folder, "disk"), { recursive: true });
  writeFileSync(join(folder, "waits.js"), "setInterval(() => undefined, 1000)");
  const child = spawn(process.execPath, [join(folder, "waits.js")]);
  await once(child, "spawn");
  if (canMount) mountSmall(join(folder, "disk"));
  const ended = once(child, "close");
  expect(removeFolder(folder)).toEqual([expect.stringContaining("waits.js")]);
  expect((await ended)[1]).toBe("SIGKILL");
  expect(existsSync(folder)).toBe(false);
});

it("a run that is interrupted ends its programs and removes its folders", async () => {
  const vitest = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/vitest.config.ts",
    "test/run/commands.test.ts",
  ];
  const env = { ...process.env, TMPDIR: scratch };
  const child = spawn(process.execPath, vitest, { cwd: ROOT, env, stdio: "ignore" });
  const ended = once(child, "close");
  // A program of the run is under way: its command names the run's folder.
  let folder = "";
  const isRunning = () => {
    const commands = descendants(child.pid as number).map(({ command }) => command);
    folder = /\S*academic-data-tests-\w+(?=\/programs\/pipeline)/.exec(commands.join("\n"))?.[0] ?? "";
    return folder !== "";
  };
  await expect.poll(isRunning, { timeout: 120_000, interval: 50 }).toBe(true);
  const started = descendants(child.pid as number).map(({ pid }) => pid);
  child.kill("SIGINT");
  expect((await ended)[0]).toBe(130);
  expect(existsSync(folder)).toBe(false);
  expect(readdirSync(scratch)).toEqual([]);
  const isLeft = () =>
    processes().filter(({ pid, command }) => started.includes(pid) && !command.includes("<defunct>"));
  await expect.poll(isLeft).toEqual([]);
});
