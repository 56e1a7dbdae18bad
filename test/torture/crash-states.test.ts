/**
 * States that a power loss may leave of the verbs of a store, and of publishing, retaining, backing up, exporting,
 * taking down, following, migrating, repairing and importing: all of them if there are at most 20,000, else as many
 * drawn from a seed. `CRASH_SEED` draws others, `CRASH_MOST` another number; `CRASH_STEP` and `CRASH_CHOICE`, as a
 * failure names them, replay one.
 */
import { expect, test } from "vitest";
import { tryLosses } from "../pipeline/publish/crash-losses.ts";
import { fetchingWork, followingWork } from "../pipeline/following/crash-work.ts";
import { migratingWork } from "../pipeline/migrations/crash-work.ts";
import { exportingWork, forgettingWork, publishingWork } from "../pipeline/publish/crash-work.ts";
import { scratchDatabase, scratchFolder } from "../pipeline/publish/scratch.ts";
import { VERB_NAMES, verbWork } from "../pipeline/store/crash-verbs.ts";
import { repairingWork } from "../run/crash-work.ts";
import { tryUploads } from "../pipeline/store/upload-losses.ts";

const database = await scratchDatabase(1);
const scratch = scratchFolder();
const number = (name: string, other: number) => Number(process.env[name] ?? other);
const seed = number("CRASH_SEED", 1);
const { CRASH_CHOICE, CRASH_STEP } = process.env;
const only = CRASH_STEP === undefined ? {} : { only: { step: Number(CRASH_STEP), choice: BigInt(CRASH_CHOICE ?? 0) } };

test.each([
  { openWork: publishingWork, most: 20_000 },
  { openWork: exportingWork, most: 2_000 },
  // A state takes two seconds.
  { openWork: forgettingWork, most: 400 },
  { openWork: followingWork, most: 20_000 },
  { openWork: fetchingWork, most: 5_000 },
  { openWork: migratingWork, most: 400 },
  { openWork: repairingWork, most: 200 },
])(
  "$openWork.name: whatever is lost, the old or the new is whole, and the next one goes on",
  async ({ openWork, most }) => {
    const work = await openWork(database, scratch);
    const { all, broken, losses, states } = await tryLosses(work, scratch, {
      most: number("CRASH_MOST", most),
      seed,
      ...only,
    });
    process.stdout.write(
      `${work.name}: ${losses} of ${all} losses (seed ${seed}), ${states} states, ${broken.length} broken promises\n`,
    );
    await work.close?.();
    expect(broken).toEqual([]);
  },
);

test.each(VERB_NAMES)("%s, the verb of a store: whatever is lost, the old or the new is whole", async (name) => {
  const work = await verbWork(name, scratch);
  const { all, broken, losses, states } = await tryLosses(work, scratch, {
    most: number("CRASH_MOST", 50_000),
    seed,
    ...only,
  });
  process.stdout.write(`${name}: ${losses} of ${all} losses, ${states} states, ${broken.length} broken promises\n`);
  expect(broken).toEqual([]);
});

test("a bucket after each prefix of a run's writes, and after each write without a response", async () => {
  const { broken, states, writes } = await tryUploads(scratch, Infinity);
  process.stdout.write(`a bucket: ${writes} writes, ${states} states, ${broken.length} broken promises\n`);
  expect(broken).toEqual([]);
});
