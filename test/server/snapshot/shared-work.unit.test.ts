import { expect, it } from "vitest";
import { once } from "../../../server/snapshot/shared-work.ts";

it("equal keys share one promise, different ones do not, and what succeeded is not made again", async () => {
  const promises = new Map<string, Promise<number>>();
  let made = 0;
  const make = () => Promise.resolve(++made);
  const all = await Promise.all(["a", "b", "a"].map((key) => once(promises, key, make)));
  expect(all).toEqual([1, 2, 1]);
  expect(await once(promises, "a", make)).toBe(1);
  expect(made).toBe(2);
});

it("everybody who waits gets a failure, and the next caller tries again", async () => {
  const promises = new Map<string, Promise<string>>();
  const fail = () => Promise.reject(new Error("no memory"));
  const both = await Promise.allSettled([once(promises, "a", fail), once(promises, "a", fail)]);
  for (const one of both) expect(one).toMatchObject({ status: "rejected", reason: { message: "no memory" } });
  expect(await once(promises, "a", () => Promise.resolve("again"))).toBe("again");
});

it("a failure does not forget the promise that has replaced it", async () => {
  const promises = new Map<string, Promise<string>>();
  let fail = () => {};
  const late = new Promise<string>((_, reject) => (fail = () => reject(new Error("late"))));
  const first = once(promises, "a", () => late);
  promises.set("a", Promise.resolve("new"));
  fail();
  await expect(first).rejects.toThrow("late");
  expect(await once(promises, "a", () => Promise.resolve("again"))).toBe("new");
});
