/** States that a power loss may leave, a hundred of very many: test/torture/crash-states.test.ts tries the others. */
import { expect, test } from "vitest";
import { tryUploads } from "../store/upload-losses.ts";
import { tryLosses } from "./crash-losses.ts";
import { exportingWork, publishingWork } from "./crash-work.ts";
import { fetchingWork, followingWork } from "../following/crash-work.ts";
import { migratingWork } from "../migrations/crash-work.ts";
import { scratchDatabase, scratchFolder } from "./scratch.ts";

const database = await scratchDatabase(1);
const scratch = scratchFolder();
const publishing = await publishingWork(database, scratch);

test("publishing: whatever is lost, the old snapshot or the new one is whole, and the next run goes on", async () => {
  const { broken, states } = await tryLosses(publishing, scratch, { most: 50, seed: 1 });
  expect(broken).toEqual([]);
  expect(states).toBeGreaterThan(25);
});

test("exporting: whatever is lost, every table of the lake is whole, and the next one goes on", async () => {
  const { broken } = await tryLosses(await exportingWork(database, scratch), scratch, { most: 8, seed: 1 });
  expect(broken).toEqual([]);
});

test("work that syncs nothing is found out", async () => {
  const never = () => Promise.resolve();
  const careless = {
    ...publishing,
    act: (root: string, disk: Parameters<typeof publishing.act>[1]) =>
      publishing.act(root, { ...disk, syncFile: never, syncFolder: never }),
  };
  const { broken } = await tryLosses(careless, scratch, { most: 12, seed: 1 });
  expect(broken).not.toEqual([]);
});

test("a bucket: after a prefix of a run's writes, or a write without a response, the next run goes on", async () => {
  const { broken, states } = await tryUploads(scratch, 3);
  expect([broken, states]).toEqual([[], 3]);
});

test.each([followingWork, fetchingWork])(
  "%o: whatever is lost, the replica's snapshots are whole, and the next copy succeeds",
  async (openWork) => {
    const { broken, states } = await tryLosses(await openWork(database, scratch), scratch, { most: 40, seed: 1 });
    expect([broken, states > 10]).toEqual([[], true]);
  },
);

test("migrating: whatever is lost, recorded days are there, and the next run migrates", async () => {
  const { broken, states } = await tryLosses(await migratingWork(database, scratch), scratch, { most: 16, seed: 1 });
  expect([broken, states > 4]).toEqual([[], true]);
});
