/** Requests about earlier snapshots run when current ones leave room: promptly without them, in turn beside them, and never after more than a second. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBackground } from "../../../server/http/background.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setImmediate", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Starts a turn; its `at` is the time when it came. */
function takeTurn(background: ReturnType<typeof createBackground>) {
  const began = performance.now();
  const turn = { waited: undefined as number | undefined };
  void background.turn().then(() => (turn.waited = performance.now() - began));
  return turn;
}

/** Lets time pass, with a current request every millisecond. */
async function passBusy(background: ReturnType<typeof createBackground>, ms: number) {
  for (let passed = 0; passed < ms; passed++) {
    background.lastCurrent = performance.now();
    await vi.advanceTimersByTimeAsync(1);
  }
}

it("without current requests, all start at once", async () => {
  const background = createBackground();
  const turns = Array.from({ length: 5 }, () => takeTurn(background));
  await vi.advanceTimersByTimeAsync(0);
  expect(turns.map(({ waited }) => waited)).toEqual([0, 0, 0, 0, 0]);
});

it("they start as soon as there is a moment without current requests", async () => {
  const background = createBackground();
  background.lastCurrent = performance.now();
  const turns = [takeTurn(background), takeTurn(background)];
  await passBusy(background, 10);
  expect(turns[1]?.waited).toBeUndefined();
  await vi.advanceTimersByTimeAsync(10);
  for (const { waited } of turns) expect(waited).toBeLessThanOrEqual(20);
});

it("beside current requests that never pause, four start each second, the first at once", async () => {
  const background = createBackground();
  background.lastCurrent = performance.now();
  const turns = Array.from({ length: 8 }, () => takeTurn(background));
  await passBusy(background, 500);
  const started = turns.flatMap(({ waited }) => waited ?? []);
  expect(started[0]).toBeLessThan(10);
  expect(started.length).toBeGreaterThanOrEqual(2);
  expect(started.length).toBeLessThanOrEqual(3);
});

it("none waits longer than a second, however many there are", async () => {
  const background = createBackground();
  background.lastCurrent = performance.now();
  const turns = Array.from({ length: 100 }, () => takeTurn(background));
  await passBusy(background, 1_010);
  for (const { waited } of turns) expect(waited).toBeLessThanOrEqual(1_010);
});

it("a current request makes it busy for five milliseconds", async () => {
  const background = createBackground();
  expect(background.isIdle()).toBe(true);
  background.lastCurrent = performance.now();
  expect(background.isIdle()).toBe(false);
  await vi.advanceTimersByTimeAsync(5);
  expect(background.isIdle()).toBe(true);
});
