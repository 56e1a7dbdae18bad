/** Each verb of a store on the real file system, for tests of what a power loss may leave of it. */
import { join } from "node:path";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";
import type { Work } from "../publish/crash-work.ts";
import { pointerOf, realPlace } from "./places.ts";
import { act, brokenAt, markOf, personOf, recordedIn, type Verb, type World } from "./world.ts";

const change = (table: number) => ({ table, person: table, isMore: true });

/** Hours from one step to the next: the first snapshots are not retained at the end. */
const HISTORY: readonly (Verb & { readonly hours: number })[] = [
  { hours: 0, verb: "publish", place: 0, change: change(1) },
  { hours: 1, verb: "publish", place: 0, change: change(2) },
  { hours: 3, verb: "copy", place: 1, from: 0 },
  { hours: 1, verb: "publish", place: 0, change: change(1) },
  { hours: 2, verb: "publish", place: 0, change: change(3) },
];

const VERBS: Readonly<Record<string, Verb>> = {
  publish: { verb: "publish", place: 0, change: change(4) },
  copy: { verb: "copy", place: 1, from: 0 },
  collect: { verb: "collect", place: 0 },
  rewrite: { verb: "takeDown", place: 0, person: 2 },
};

export const VERB_NAMES = Object.keys(VERBS);

function worldIn(root: string, disk: Disk): World {
  const places = ["one", "two"].map((name) => realPlace(name, join(root, name), disk));
  return { disk, staging: join(root, "staged"), places, now: new Date(), takenDown: new Map() };
}

export async function verbWork(name: string, scratch: string): Promise<Work> {
  const verb = VERBS[name] as Verb;
  const before = join(scratch, `before-${name}`);
  const world = worldIn(before, nodeDisk);
  world.now = new Date("2026-11-02T08:00:00Z");
  for (const step of HISTORY) {
    world.now = new Date(world.now.getTime() + step.hours * 3_600_000);
    await act(world, step, Infinity);
  }
  const now = new Date(world.now.getTime() + 6 * 3_600_000);
  const recorded = await Promise.all(world.places.map(async (place) => recordedIn(await pointerOf(place))));
  const brokenIn = async ({ places }: World, takenDown: readonly number[]): Promise<string[]> =>
    (await Promise.all(places.map((place, index) => brokenAt(place, recorded[index] ?? 0, takenDown)))).flat();
  return {
    name,
    before,
    async act(root, disk) {
      await act({ ...worldIn(root, disk), now }, verb, Infinity);
    },
    async problems(root) {
      const left = { ...worldIn(root, nodeDisk), now };
      const found = await brokenIn(left, []);
      // A run removes what a killed one has staged.
      await nodeDisk.rm(left.staging);
      await act(left, verb, Infinity);
      const place = left.places[verb.place];
      if (!place) return found;
      found.push(...(await brokenIn(left, [])));
      if (await nodeDisk.stat(join(root, place.name, ".drafts"))) found.push(`${place.name}: drafts are left`);
      if (verb.verb === "takeDown") {
        const isMarked = (await pointerOf(place))?.snapshot.forgotten === markOf([verb.person]);
        const names = [...(await place.objects()).values()].filter((text) => text.includes(personOf(verb.person)));
        if (!isMarked || names.length > 0) found.push(`${names.length} objects name ${personOf(verb.person)}`);
      }
      return found;
    },
  };
}
