/** How the server hears of a flip: at once where the file system tells, and in any case. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { watchDirectory } from "../../../../server/snapshot/updates/watch-directory.ts";

const NEVER = 2_000_000_000;
let folder: string;
let looks = 0;
let stop: () => void = () => undefined;
const notice = (pollMs: number) => void (stop = watchDirectory(folder, new Set(["current"]), pollMs)(() => looks++));

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "watch-directory-")), "artifacts");
  looks = 0;
});
afterEach(() => {
  stop();
  rmSync(join(folder, ".."), { recursive: true });
});

function flip(to: string): void {
  symlinkSync(to, join(folder, "next"));
  renameSync(join(folder, "next"), join(folder, "current"));
}

it("a flip is told by the file system, without a poll; other entries are not", async () => {
  mkdirSync(folder);
  notice(NEVER);
  flip("generations/1");
  await expect.poll(() => looks).toBeGreaterThan(0);
  await sleep(50);
  const told = looks;
  writeFileSync(join(folder, "report.txt"), "all is well");
  await sleep(50);
  expect(looks).toBe(told);
  flip("generations/2");
  await expect.poll(() => looks).toBeGreaterThan(told);
});

it("a folder that is not there yet is looked at every so often, and watched as soon as it is there", async () => {
  notice(20);
  await expect.poll(() => looks).toBeGreaterThan(2);
  mkdirSync(folder);
  await sleep(100);
  flip("generations/1");
  await expect.poll(() => looks).toBeGreaterThan(5);
});

it("after its end nothing is called any more", async () => {
  mkdirSync(folder);
  notice(5);
  await expect.poll(() => looks).toBeGreaterThan(2);
  stop();
  const told = looks;
  flip("generations/1");
  await sleep(50);
  expect(looks).toBe(told);
});
