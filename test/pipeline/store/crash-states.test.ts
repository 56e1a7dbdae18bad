/**
 * What a kill, a power loss or an error of the disk may leave of each verb of a store, and of the programs that use
 * them. The suite tries some of very many states; `make torture` as many as are named here, drawn from a seed where
 * there are more. `CRASH_SEED` draws others; `CRASH_STEP` and `CRASH_CHOICE`, as a failure names them, replay one.
 */
import { expect, test } from "vitest";
import { fetchingWork, followingWork } from "../follow/crash-work.ts";
import { migratingWork } from "../migrations/crash-work.ts";
import { tryErrors, tryLosses } from "../publish/crash-losses.ts";
import { exportingWork, forgettingWork, publishingWork, type Work } from "../publish/crash-work.ts";
import { scratchDatabase, scratchFolder } from "../publish/scratch.ts";
import { repairingWork } from "../../run/crash-work.ts";
import { draws, isWhole } from "../../support/extent.ts";
import { VERB_NAMES, verbWork } from "./crash-verbs.ts";
import { tryUploads } from "./upload-losses.ts";

const database = await scratchDatabase(1);
const scratch = scratchFolder();
const { CRASH_CHOICE, CRASH_SEED = "1", CRASH_STEP } = process.env;
const seed = Number(CRASH_SEED);
const only = CRASH_STEP === undefined ? {} : { only: { step: Number(CRASH_STEP), choice: BigInt(CRASH_CHOICE ?? 0) } };
const verbs = VERB_NAMES.map((name) => ({
  name: `the verb ${name}`,
  openWork: () => verbWork(name, scratch),
  losses: draws(50_000, 30),
  errors: draws(300, 4),
  kills: draws(20, 8),
}));

test.each<{
  name: string;
  openWork: (...place: [typeof database, string]) => Promise<Work>;
  losses: number;
  errors: number;
  kills?: number;
}>([
  ...verbs,
  { name: "a run", openWork: publishingWork, losses: draws(20_000, 10), errors: draws(1_000, 6), kills: draws(20, 6) },
  { name: "an export", openWork: exportingWork, losses: draws(2_000, 4), errors: draws(200, 3) },
  { name: "following", openWork: followingWork, losses: draws(20_000, 10), errors: draws(300, 3) },
  { name: "fetching an earlier snapshot", openWork: fetchingWork, losses: draws(5_000, 10), errors: draws(300, 3) },
  { name: "a migration", openWork: migratingWork, losses: draws(400, 4), errors: draws(100, 1) },
  // A state takes two seconds, so that there are few even where the extent is whole.
  { name: "a take-down", openWork: forgettingWork, losses: draws(100, 1), errors: draws(25, 1), kills: 1 },
  ...(isWhole ? [{ name: "a repair", openWork: repairingWork, losses: 200, errors: 50 }] : []),
])(
  "$name: the old snapshot or the new one is whole, and the next run goes on",
  async ({ openWork, losses, errors, kills = 0 }) => {
    const work = await openWork(database, scratch);
    const tried = await tryLosses(work, scratch, { most: losses, kills, seed, ...only });
    const failed = await tryErrors(work, scratch, { most: errors });
    await work.close?.();
    process.stdout.write(
      `${work.name}: ${tried.states} states of ${tried.losses} of ${tried.all} losses (seed ${seed}), ${failed.tried} of ${failed.all} errors\n`,
    );
    expect([...tried.broken, ...failed.broken]).toEqual([]);
    if (CRASH_STEP === undefined) expect(tried.states).toBeGreaterThan(losses < 10 ? 0 : 3);
  },
);

test("a bucket: after a prefix of a run's writes, or a write without a response, the next run goes on", async () => {
  const { broken, states } = await tryUploads(scratch, draws(Infinity, 2));
  expect(broken).toEqual([]);
  expect(states).toBeGreaterThan(1);
});

test.each([
  { name: "a run", openWork: publishingWork },
  { name: "the verb publish", openWork: () => verbWork("publish", scratch) },
])("$name that syncs nothing is found out", async ({ openWork }) => {
  const work = await openWork(database, scratchFolder());
  const never = () => Promise.resolve();
  const careless: Work = {
    ...work,
    act: (root, disk) => work.act(root, { ...disk, syncFile: never, syncFolder: never }),
  };
  const { broken } = await tryLosses(careless, scratch, { most: 6, seed: 1 });
  expect(broken).not.toEqual([]);
});
