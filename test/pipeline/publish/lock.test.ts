import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LockedError } from "../../../pipeline/errors.ts";
import { acquireLock } from "../../../pipeline/disk/lock.ts";
import { identifyThisProcess, isSurelyDead } from "../../../pipeline/disk/process-identity.ts";
import { scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();
const holderScript = fileURLToPath(new URL("lock-holder.ts", import.meta.url));
const QUICK = { beatMs: 50, leaseMs: 600 };
const knowsProcesses = process.platform === "linux";
let path = "";
let count = 0;
let children: ChildProcess[] = [];
beforeEach(() => void (path = join(scratch, String(count++))));
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  children = [];
});

/** The first line that a process of ours prints. */
async function firstLine(child: ChildProcess): Promise<string> {
  children.push(child);
  if (!child.stdout) throw new Error("no standard output");
  const [piece] = (await once(child.stdout, "data")) as [Buffer];
  return piece.toString().trim();
}
const holder = (lease = 60_000) =>
  spawn(process.execPath, ["--import", "tsx", holderScript, path, String(lease)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
const claims = () => readdirSync(path).toSorted((a, b) => Number(a) - Number(b));

describe("one process", () => {
  test("a second contender is refused while the first holds, and gets it after the release", async () => {
    const first = await acquireLock(path, QUICK);
    await expect(acquireLock(path, QUICK)).rejects.toThrow(LockedError);
    await expect(first.assertHeld()).resolves.toBeUndefined();
    await first.release();
    await first.release();
    await expect(first.assertHeld()).rejects.toThrow(LockedError);
    const second = await acquireLock(path, QUICK);
    await expect(second.assertHeld()).resolves.toBeUndefined();
    expect(claims()).toEqual(["2"]);
    await second.release();
  });

  test("of many contenders at once exactly one wins, round after round", async () => {
    for (let round = 0; round < 10; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(path, QUICK)));
      const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
      expect(won).toHaveLength(1);
      expect(
        outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [(outcome.reason as Error).name] : [])),
      ).toEqual(Array.from({ length: 7 }, () => "LockedError"));
      await won[0]?.value.release();
    }
    expect(claims()).toEqual(["10"]);
  });

  test("of many contenders for the lock of a dead run exactly one takes it over", async () => {
    mkdirSync(path);
    for (let round = 1; round <= 20; round++) {
      // An id that no process can have, on this machine or (in every fifth round) on another one with its lease over.
      const machine = round % 5 ? (await identifyThisProcess()).machine : "another";
      const dead = { pid: 2 ** 22 + 1, started: "1", machine, token: "dead", taken: "", released: false };
      writeFileSync(join(path, String(2 * round - 1)), JSON.stringify(dead));
      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, () => acquireLock(path, { beatMs: 20, leaseMs: 100 })),
      );
      const won = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      expect(won).toHaveLength(1);
      await expect(won[0]?.assertHeld()).resolves.toBeUndefined();
      expect(claims()).toEqual([String(2 * round)]);
      await won[0]?.release();
    }
  });

  test("a release that the disk does not take is no error, and the lock is free after its lease", async () => {
    const lock = await acquireLock(path, QUICK);
    const before = claims();
    rmSync(path, { recursive: true });
    await expect(lock.release()).resolves.toBeUndefined();
    mkdirSync(path);
    writeFileSync(
      join(path, before[0] ?? ""),
      JSON.stringify({ ...(await identifyThisProcess()), token: "x", taken: "" }),
    );
    await (await acquireLock(path, QUICK)).release();
    expect(claims()).toEqual(["2"]);
  });

  test("a claim that is no text of ours keeps nobody out", async () => {
    mkdirSync(path);
    writeFileSync(join(path, "7"), "");
    const lock = await acquireLock(path, QUICK);
    expect(claims()).toEqual(["8"]);
    await lock.release();
  });

  test("numbers that were used up do not fool a slow contender: the highest claim counts", async () => {
    const lock = await acquireLock(path, QUICK);
    await lock.release();
    const second = await acquireLock(path, QUICK);
    writeFileSync(join(path, "1"), "{}");
    await expect(second.assertHeld()).resolves.toBeUndefined();
    await second.release();
  });

  test("a holder elsewhere: refused while its heartbeat advances, replaced when it stood still for the lease", async () => {
    const lock = await acquireLock(path, QUICK);
    // As seen from another machine: nothing is known about the process, and only the heartbeat counts.
    const claim = JSON.parse(readFileSync(join(path, "1"), "utf8")) as object;
    writeFileSync(join(path, "1"), JSON.stringify({ ...claim, machine: "another", pid: 1 }));
    await expect(acquireLock(path, QUICK)).rejects.toThrow(/process 1/);
    mkdirSync(`${path}-still`);
    writeFileSync(join(`${path}-still`, "1"), JSON.stringify({ ...claim, machine: "another" }));
    const started = performance.now();
    const taken = await acquireLock(`${path}-still`, QUICK);
    expect(performance.now() - started).toBeGreaterThanOrEqual(QUICK.leaseMs);
    await taken.release();
    await lock.release();
  });
});

describe("several processes", () => {
  test("a live holder refuses others; when it ends normally the lock is free", async () => {
    const child = holder();
    expect(await firstLine(child)).toBe("held");
    await expect(acquireLock(path, QUICK)).rejects.toThrow(/another run holds the lock: process \d+/);
    const other = holder();
    expect(await firstLine(other)).toBe("LockedError");
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(child.exitCode).toBe(0);
    await (await acquireLock(path, QUICK)).release();
  });

  test("a killed holder is replaced, at once where its process can be looked up", async () => {
    const child = holder();
    expect(await firstLine(child)).toBe("held");
    child.kill("SIGKILL");
    await once(child, "exit");
    // Its lease is a minute: this would time out if the lease had to pass.
    const lock = await acquireLock(path, knowsProcesses ? { beatMs: 50, leaseMs: 300_000 } : QUICK);
    await expect(lock.assertHeld()).resolves.toBeUndefined();
    await lock.release();
  });

  test("of several processes that find a killed holder exactly one takes over", async () => {
    const child = holder();
    expect(await firstLine(child)).toBe("held");
    child.kill("SIGKILL");
    await once(child, "exit");
    const lines = await Promise.all([holder(1000), holder(1000), holder(1000)].map(firstLine));
    expect(lines.toSorted()).toEqual(["LockedError", "LockedError", "held"]);
  });

  test.runIf(knowsProcesses)("a killed holder that lingers as a zombie is replaced at once too", async () => {
    // The shell starts the holder and never asks for its exit status.
    const script = `"$0" --import tsx "$1" "$2" 60000 & echo $! >&2; exec sleep 60`;
    const parent = spawn("sh", ["-c", script, process.execPath, holderScript, path], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const pid = once(parent.stderr, "data").then(([text]) => Number(String(text)));
    expect(await firstLine(parent)).toBe("held");
    process.kill(await pid, "SIGKILL");
    const stateOf = () => readFileSync(`/proc/${zombie}/stat`, "utf8").replace(/^.*\) /s, "")[0];
    const zombie = await pid;
    while (stateOf() !== "Z") await sleep(10);
    const lock = await acquireLock(path, { beatMs: 50, leaseMs: 300_000 });
    expect(stateOf()).toBe("Z");
    await lock.release();
  });

  test("a stalled holder is replaced after its lease and knows when it wakes: it must not publish", async () => {
    const child = holder();
    expect(await firstLine(child)).toBe("held");
    child.kill("SIGSTOP");
    const lock = await acquireLock(path, QUICK);
    await expect(lock.assertHeld()).resolves.toBeUndefined();
    child.kill("SIGCONT");
    await sleep(200);
    // Its beats and its release change nothing for the new holder.
    child.kill("SIGTERM");
    await once(child, "exit");
    await expect(lock.assertHeld()).resolves.toBeUndefined();
    await expect(acquireLock(path, QUICK)).rejects.toThrow(LockedError);
    await lock.release();
  });

  test("the run that was stalled fails its check, by the claims and by its own lease", async () => {
    const stalled = await acquireLock(path, QUICK);
    writeFileSync(join(path, "2"), readFileSync(join(path, "1")));
    await expect(stalled.assertHeld()).rejects.toThrow(/took over/);
    await stalled.release();

    const own = await acquireLock(`${path}-own`, { beatMs: 10_000, leaseMs: 100 });
    await sleep(150);
    await expect(own.assertHeld()).rejects.toThrow(/stalled/);
    await own.release();
  });
});

describe("isSurelyDead", () => {
  test("a living process is not, nor is one of another machine", async () => {
    const me = await identifyThisProcess();
    expect(await isSurelyDead(me)).toBe(false);
    expect(await isSurelyDead({ ...me, pid: 2 ** 22 + 1, machine: "another" })).toBe(false);
    expect(await isSurelyDead({ ...me, pid: 2 ** 22 + 1, machine: null })).toBe(false);
  });

  test.runIf(knowsProcesses)("a free id is, and so is an id that was given to a later process", async () => {
    const me = await identifyThisProcess();
    expect(await isSurelyDead({ ...me, pid: 2 ** 22 + 1 })).toBe(true);
    expect(await isSurelyDead({ ...me, started: "1" })).toBe(true);
  });
});
