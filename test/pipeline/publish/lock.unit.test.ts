/** Who may take the lock, for each content of the folder of claims. `lock.test.ts` has two processes at once. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { LockedError } from "../../../pipeline/errors.ts";
import { acquireLock, type LockOptions } from "../../../pipeline/disk/lock.ts";
import { identifyThisProcess, isSurelyDead } from "../../../pipeline/disk/process-identity.ts";

const folder = mkdtempSync(join(tmpdir(), "lock-"));
afterAll(() => rmSync(folder, { recursive: true }));
const me = await identifyThisProcess();
/** Beyond the greatest process id of Linux. */
const FREE_PID = 2 ** 22 + 1;
const PATIENT: LockOptions = { beatMs: 60_000, leaseMs: 600_000 };
const ELSEWHERE = { ...me, machine: "another machine" };

let count = 0;
function open(...claims: readonly (object | string)[]) {
  const path = join(folder, String(++count));
  mkdirSync(path);
  const put = (name: number | string, content: object | string) =>
    writeFileSync(join(path, String(name)), typeof content === "string" ? content : JSON.stringify(content));
  for (const [i, content] of claims.entries()) put(i + 1, content);
  const claimOf = (number: number) =>
    JSON.parse(readFileSync(join(path, String(number)), "utf8")) as Record<string, unknown>;
  return { path, put, claimOf, names: () => readdirSync(path).sort() };
}
const claim = (more: object = {}) => ({
  ...me,
  token: "other",
  taken: "2026-11-20T00:00:00.000Z",
  released: false,
  ...more,
});
const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error) => `${error instanceof LockedError}: ${error.message}`,
  );

it("a claim names its process, and stays with its number when it is given back", async () => {
  const { claimOf, names, path } = open();
  const lock = await acquireLock(join(path, "new"), PATIENT);
  await lock.release();
  const first = await acquireLock(path, PATIENT);
  expect(claimOf(1)).toMatchObject({ ...me, released: false, taken: expect.stringMatching(/^\d{4}-.*Z$/) });
  await first.assertHeld();
  await first.release();
  await first.release();
  expect(claimOf(1)).toMatchObject({ ...me, released: true });
  expect(await messageOf(first.assertHeld())).toBe("true: the lock was already released");
  expect(names()).toEqual(["1", "new"]);
  const second = await acquireLock(path, PATIENT);
  expect(names()).toEqual(["2", "new"]);
  await second.release();
});

/** A claim whose time goes on, as by heartbeats: who waits for it is refused. */
async function whileBeating<T>(path: string, act: () => Promise<T>): Promise<T> {
  let at = 1000;
  const beating = setInterval(() => existsSync(join(path, "1")) && utimesSync(join(path, "1"), ++at, at), 1);
  return act().finally(() => clearInterval(beating));
}
const IMPATIENT: LockOptions = { ...PATIENT, beatMs: 1 };

describe("a claim is replaced at once, whatever its time is,", () => {
  const known: [string, object | string][] = [
    ["whose process ended", claim({ pid: FREE_PID })],
    ["whose process id is another process's now", claim({ started: "1" })],
  ];
  it.each<[string, object | string]>([
    ["that was given back", claim({ released: true })],
    ["that was cut off", '{"pid":1'],
    ["that names no process", claim({ pid: "1" })],
    ["without a token", claim({ token: undefined })],
    ["that is nothing", "null"],
    ...(me.machine === null ? [] : known),
  ])("%s", async (_what, content) => {
    const { names, path } = open(content);
    const lock = await whileBeating(path, () => acquireLock(path, IMPATIENT));
    await lock.assertHeld();
    expect(names()).toEqual(["2"]);
    await lock.release();
  });
});

describe("a claim of a process of which nothing is known", () => {
  it.each([ELSEWHERE, { ...me, machine: null }])("is replaced after its lease: %o", async (holder) => {
    const { names, path } = open(claim(holder));
    const lock = await acquireLock(path, { beatMs: 1, leaseMs: 5 });
    expect(names()).toContain("2");
    await lock.release();
  });

  it("is respected as soon as it shows a heartbeat", async () => {
    const { names, path } = open(claim(ELSEWHERE));
    const refused = await whileBeating(path, () => messageOf(acquireLock(path, IMPATIENT)));
    expect(refused).toBe(`true: another run holds the lock: process ${me.pid}, since 2026-11-20T00:00:00.000Z`);
    expect(names()).toEqual(["1"]);
  });
});

it("only the highest number counts, and only numbers are claims", async () => {
  const { names, path, put } = open(claim(ELSEWHERE), claim(ELSEWHERE));
  put(12, claim({ released: true }));
  for (const name of ["0", "013", "x14", "15x"]) put(name, claim(ELSEWHERE));
  const lock = await whileBeating(path, () => acquireLock(path, IMPATIENT));
  expect(names()).toEqual(["0", "013", "13", "15x", "x14"]);
  await lock.release();
});

it("who was replaced, or was stalled for a lease, holds it no more", async () => {
  const { path, put } = open();
  const lock = await acquireLock(path, PATIENT);
  put(2, claim());
  expect(await messageOf(lock.assertHeld())).toBe("true: another run took over the lock");
  rmSync(join(path, "1"));
  await lock.release();
  const stalled = await acquireLock(join(path, "new"), { ...PATIENT, leaseMs: -1 });
  expect(await messageOf(stalled.assertHeld())).toBe("true: this run was stalled for longer than its lease");
  await stalled.release();
});

it("a heartbeat is the claim's time; it ends when the lock is given back", async () => {
  const { path } = open();
  const lock = await acquireLock(path, { ...PATIENT, beatMs: 1 });
  utimesSync(join(path, "1"), 1, 1);
  await vi.waitFor(() => expect(statSync(join(path, "1")).mtimeMs).toBeGreaterThan(1000));
  // It does not come back by a heartbeat.
  rmSync(join(path, "1"));
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(existsSync(join(path, "1"))).toBe(false);
  await lock.release();
});

it("drafts of contenders that died go after two leases", async () => {
  const { names, path, put } = open();
  for (const name of ["draft-old", "draft-young", "other"]) put(name, "");
  const ago = (ms: number) => new Date(Date.now() - ms);
  utimesSync(join(path, "draft-old"), ago(1_300_000), ago(1_300_000));
  utimesSync(join(path, "draft-young"), ago(1_100_000), ago(1_100_000));
  utimesSync(join(path, "other"), ago(1_300_000), ago(1_300_000));
  const lock = await acquireLock(path, PATIENT);
  expect(names()).toEqual(["1", "draft-young", "other"]);
  await lock.release();
});

it("a process is surely dead only on this machine, by its id and its start", async () => {
  const cases: [object, boolean][] = [
    [{}, false],
    [{ pid: FREE_PID }, true],
    [{ pid: FREE_PID, machine: null }, false],
    [{ pid: FREE_PID, machine: "another machine" }, false],
    [{ started: "1" }, me.started !== null],
    [{ started: null }, false],
  ];
  for (const [more, expected] of cases)
    expect(await isSurelyDead({ ...me, ...more })).toBe(expected && me.machine !== null);
  expect(me.pid).toBe(process.pid);
  if (existsSync("/proc/self/ns/pid")) {
    expect(me.machine).toMatch(/^[0-9a-f-]{36} pid:\[\d+\]$/);
    expect(me.started).toMatch(/^\d+$/);
  }
});
