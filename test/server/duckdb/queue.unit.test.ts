/** Few run at once, and clients that wait are served in turn (server/RULES.md, Limits). */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createQueue, TooManyWaiting } from "../../../server/duckdb/queue.ts";

const signal = new AbortController().signal;

function open(limits = { running: 2, runningOfClient: 1, waiting: 5, waitingOfClient: 3 }) {
  const queue = createQueue(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (name: string, given = signal) =>
    queue.enqueue(name.charAt(0), given).then((end) => {
      begun.push(name);
      ends.set(name, end);
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  return { take, begun, end, settle };
}

it("a client's second statement waits, another client's does not", async () => {
  const { take, begun, end, settle } = open();
  for (const name of ["a1", "a2", "b1", "c1"]) void take(name);
  await settle();
  expect(begun).toEqual(["a1", "b1"]);
  await end("a1");
  expect(begun).toEqual(["a1", "b1", "a2"]);
  await end("b1");
  expect(begun).toEqual(["a1", "b1", "a2", "c1"]);
});

it("turns away who waits with too many of its own, and everybody when all places are taken", async () => {
  const { take, begun, settle } = open();
  for (const name of ["a1", "a2", "a3", "a4"]) void take(name);
  await expect(take("a5")).rejects.toThrow(TooManyWaiting);
  for (const name of ["b1", "b2", "c1"]) void take(name);
  await expect(take("d1")).rejects.toThrow(TooManyWaiting);
  await settle();
  expect(begun).toEqual(["a1", "b1"]);
});

it("a client may have several, but not all", async () => {
  const { take, begun, settle } = open({ running: 3, runningOfClient: 2, waiting: 9, waitingOfClient: 9 });
  for (const name of ["a1", "a2", "a3", "b1", "c1"]) void take(name);
  await settle();
  expect(begun).toEqual(["a1", "a2", "b1"]);
});

it("who leaves gives up the place", async () => {
  const { take, begun, end, settle } = open({ running: 1, runningOfClient: 1, waiting: 1, waitingOfClient: 1 });
  const leaving = new AbortController();
  void take("a1");
  const left = take("b1", leaving.signal);
  leaving.abort();
  await expect(left).rejects.toThrow();
  void take("c1");
  await settle();
  await end("a1");
  expect(begun).toEqual(["a1", "c1"]);
  await expect(take("d1", leaving.signal)).rejects.toThrow();
});

it("is fair: whatever others ask for, a client that waits has its turn when each of them had one", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ client: fc.constantFrom("a", "b", "c"), leaves: fc.boolean() }), { maxLength: 40 }),
      fc.record({ running: fc.integer({ min: 1, max: 3 }), runningOfClient: fc.integer({ min: 1, max: 3 }) }),
      async (asked, limits) => {
        const queue = createQueue(limits);
        const settle = () => new Promise((resolve) => setImmediate(resolve));
        const begun: { client: string; end: () => void }[] = [];
        const entries = [...asked, { client: "d", leaves: false }].map(({ client, leaves }) => {
          const leaving = new AbortController();
          const entry = queue.enqueue(client, leaving.signal).then(
            (end) => void begun.push({ client, end }),
            () => undefined,
          );
          return { client, leave: () => leaves && leaving.abort(), entry };
        });
        for (const { leave } of entries) leave();
        await settle();
        let ended = 0;
        for (let turn = 0; turn < begun.length; turn++) {
          const ofClient = (name: string) => begun.slice(turn).filter(({ client }) => client === name).length;
          expect(queue.running).toBeLessThanOrEqual(limits.running);
          for (const name of ["a", "b", "c", "d"]) expect(ofClient(name)).toBeLessThanOrEqual(limits.runningOfClient);
          // Ending twice is ending once.
          begun[turn]?.end();
          begun[turn]?.end();
          ended++;
          await settle();
        }
        await Promise.all(entries.map(({ entry }) => entry));
        expect([queue.running, queue.waiting, ended]).toEqual([0, 0, begun.length]);
        const isLast = begun.findIndex(({ client }) => client === "d");
        expect(isLast).toBeLessThanOrEqual(3 + 2 * limits.running);
      },
    ),
  ));
