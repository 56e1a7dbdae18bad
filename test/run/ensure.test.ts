/** Before serving, something is published, whichever process does it; an unfinished first build goes on. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildUp } from "../../pipeline/run/commands/ensure.ts";
import { type Log, silentLog } from "../../pipeline/log.ts";
import { acquireLock } from "../../pipeline/disk/lock.ts";
import { NO_FRESHNESS, writeFreshness } from "../../pipeline/store/freshness.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";
import { openPublisher } from "../pipeline/publish/publisher.ts";
import { openFolder } from "../support/whole-run.ts";

const TODAY = "2026-11-28";
const TERMS = [{ year: "2018", quarter: "Fall" }] as const;

let folder: Awaited<ReturnType<typeof openFolder>>;
let messages: string[];
let runs: string[];
let log: Log;
beforeEach(async () => {
  folder = await openFolder();
  [messages, runs] = [[], []];
  log = { ...silentLog, info: (message) => void messages.push(message) };
});
afterEach(() => folder.remove());

async function publish(): Promise<void> {
  const publisher = await openPublisher(folder.artifacts, { rows: 5, tables: ["terms"] });
  await publisher.publish();
  publisher.close();
}
/** Builds as the command does: under the lock, and with a note of what a horizon leaves to later runs. */
async function build(mode: string, { since }: { since?: string | undefined }): Promise<void> {
  const lock = await acquireLock(layoutOf(folder.artifacts).lock, { beatMs: 20 });
  runs.push(`${mode} ${since}`);
  await publish();
  await writeFreshness(folder.artifacts, { ...NO_FRESHNESS, ...(since === undefined ? {} : { olderTerms: 9 }) });
  await lock.release();
}
const fail = () => Promise.reject(new Error("unexpected"));
const ensure = (
  run: Parameters<typeof buildUp>[1],
  { terms, wait = fail }: { terms?: typeof TERMS; wait?: () => Promise<never> | Promise<void> } = {},
) => buildUp({ artifactsDir: folder.artifacts, terms }, run, () => Promise.resolve(), log, { wait, today: TODAY });

it("builds nothing where everything is published, even during a run", async () => {
  await publish();
  const lock = await acquireLock(layoutOf(folder.artifacts).lock);
  expect(await ensure(fail)).toBe(true);
  await lock.release();
  expect(messages).toEqual([]);
});

it("builds current terms first, then goes back in longer and longer steps", async () => {
  expect(await ensure(build)).toBe(true);
  expect(runs).toEqual(["build 2026-11-28", "refresh 2024-11-28", "refresh 2018-11-28", "refresh undefined"]);
});

it("builds chosen terms at once", async () => {
  expect(await ensure(build, { terms: TERMS })).toBe(true);
  expect(runs).toEqual(["build undefined"]);
});

it("continues an unfinished first build", async () => {
  await build("build", { since: TODAY });
  runs = [];
  expect(await ensure(build)).toBe(true);
  expect(runs).toEqual(["refresh 2024-11-28", "refresh 2018-11-28", "refresh undefined"]);
});

it("ends after the run without a horizon, even if that leaves something unfinished", async () => {
  expect(await ensure((mode) => build(mode, { since: TODAY }))).toBe(true);
  expect(runs).toHaveLength(4);
});

it("waits for another run to publish, with a single message", async () => {
  const lock = await acquireLock(layoutOf(folder.artifacts).lock, { beatMs: 20 });
  let waits = 0;
  const wait = async () => {
    if (++waits === 3) await publish();
  };
  expect(await ensure(build, { wait })).toBe(true);
  await lock.release();
  expect([waits, messages.length, runs]).toEqual([3, 1, []]);
});

it("builds after another run that ended without publishing", async () => {
  const lock = await acquireLock(layoutOf(folder.artifacts).lock, { beatMs: 20 });
  expect(await ensure(build, { wait: () => lock.release(), terms: TERMS })).toBe(true);
  expect(runs).toEqual(["build undefined"]);
});

it("does not repeat a first build that publishes nothing or fails", async () => {
  expect(await ensure(() => Promise.resolve())).toBe(false);
  await expect(ensure(fail)).rejects.toThrow("unexpected");
});
