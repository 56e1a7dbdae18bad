/** What a power loss may leave of each verb, some of very many states: test/torture/crash-states.test.ts tries the others. */
import { expect, test } from "vitest";
import { tryLosses } from "../publish/crash-losses.ts";
import { scratchFolder } from "../publish/scratch.ts";
import { VERB_NAMES, verbWork } from "./crash-verbs.ts";

const scratch = scratchFolder();

test.each(VERB_NAMES)(
  "%s: whatever is lost, the old or the new is whole, and doing it again succeeds",
  async (name) => {
    const { broken, states } = await tryLosses(await verbWork(name, scratch), scratch, { most: 150, seed: 1 });
    expect([broken, states > 10]).toEqual([[], true]);
  },
);

test("a verb that syncs nothing is found out", async () => {
  const work = await verbWork("publish", scratch);
  const never = () => Promise.resolve();
  const careless: typeof work = {
    ...work,
    act: (root, disk) => work.act(root, { ...disk, syncFile: never, syncFolder: never }),
  };
  const { broken } = await tryLosses(careless, scratch, { most: 150, seed: 1 });
  expect(broken).not.toEqual([]);
});
