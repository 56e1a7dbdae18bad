/** Before serving, something is published, whichever process does it. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { ensurePublished } from "../../pipeline/run/commands/ensure.ts";
import { sampleName } from "../../pipeline/contract/sample-campus.ts";
import { type Log, silentLog } from "../../pipeline/log.ts";
import { acquireLock } from "../../pipeline/disk/lock.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";
import { openPublisher } from "../pipeline/publish/publisher.ts";
import { publishRows } from "../support/published/published.ts";
import { openFolder } from "../support/whole-run.ts";

let folder: Awaited<ReturnType<typeof openFolder>>;
let said: string[];
let log: Log;
beforeEach(async () => {
  folder = await openFolder();
  said = [];
  log = { ...silentLog, info: (message) => void said.push(message) };
});
afterEach(() => folder.remove());

async function publish(): Promise<void> {
  const publisher = await openPublisher(folder.artifacts, { rows: 5, tables: ["terms"] });
  await publisher.publish();
  publisher.close();
}
/** A build as the command does it: under the lock. */
async function build(): Promise<void> {
  const lock = await acquireLock(layoutOf(folder.artifacts).lock, { beatMs: 20 });
  await publish();
  await lock.release();
}
const mustNot = () => Promise.reject(new Error("it must not"));

it("something is published: nothing is built, also while another run is under way", async () => {
  await publish();
  const lock = await acquireLock(layoutOf(folder.artifacts).lock);
  expect(await ensurePublished(folder.artifacts, mustNot, log, mustNot)).toBe(true);
  await lock.release();
  expect(said).toEqual([]);
});

it("nothing is: it is built", async () => {
  expect(await ensurePublished(folder.artifacts, build, log, mustNot)).toBe(true);
});

it("another run is at it: what that publishes is waited for, with one line in the log", async () => {
  const lock = await acquireLock(layoutOf(folder.artifacts).lock, { beatMs: 20 });
  let waits = 0;
  const wait = async () => {
    if (++waits === 3) await publish();
  };
  expect(await ensurePublished(folder.artifacts, build, log, wait)).toBe(true);
  await lock.release();
  expect([waits, said.length]).toEqual([3, 1]);
});

it("the other run ends without publishing: it is built after all", async () => {
  const lock = await acquireLock(layoutOf(folder.artifacts).lock, { beatMs: 20 });
  expect(await ensurePublished(folder.artifacts, build, log, () => lock.release())).toBe(true);
});

it.each([
  ["only earlier weeks of the sample campus, as its first build was interrupted: it is built, once", ["schedule"], 1],
  ["the sample campus", ["schedule", "grades"], 0],
] as const)("published is %s", async (_what, systems, expected) => {
  const source = Object.fromEntries(systems.map((system) => [system, sampleName("standard")]));
  await publishRows(
    folder.artifacts,
    { terms: [{ year: "2024", quarter: "Fall", longName: "2024 Fall Quarter" }] },
    { source },
  );
  let builds = 0;
  expect(await ensurePublished(folder.artifacts, async () => void builds++, log, mustNot)).toBe(true);
  expect(builds).toBe(expected);
});

it("a build that publishes nothing, or that fails, is not tried again", async () => {
  expect(await ensurePublished(folder.artifacts, () => Promise.resolve(), log, mustNot)).toBe(false);
  await expect(ensurePublished(folder.artifacts, mustNot, log, mustNot)).rejects.toThrow("it must not");
});
