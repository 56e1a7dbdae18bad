/** Random sequences of verbs, places and kills, and what must hold after each step. */
import fc from "fast-check";
import { type Place, pointerOf } from "./places.ts";
import { act, brokenAt, type Change, newWorld, recordedIn, type Verb, type World } from "./world.ts";

export interface Step {
  readonly verb: Verb;
  /** Minutes since the step before. */
  readonly minutes: number;
  /** The number of changes after which the process is killed; undefined = it is not. */
  readonly kill: number | undefined;
}

const change: fc.Arbitrary<Change> = fc.record({ table: fc.nat(4), person: fc.nat(3), isMore: fc.boolean() });
const place = fc.nat(2);

const verb: fc.Arbitrary<Verb> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ verb: fc.constant("publish" as const), place, change }) },
  {
    weight: 1,
    arbitrary: fc.record({ verb: fc.constant("race" as const), place, changes: fc.tuple(change, change) }),
  },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant("copy" as const), place, from: place }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("collect" as const), place }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("takeDown" as const), place, person: fc.nat(3) }) },
);

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    verb,
    minutes: fc.oneof(fc.nat(50), fc.nat(60 * 24 * 3)),
    kill: fc.option(fc.nat(14), { nil: undefined, freq: 2 }),
  }),
  { minLength: 4, maxLength: 14 },
);

interface Lease {
  readonly place: Place;
  readonly paths: readonly string[];
  readonly until: number;
}

/** The first promises that are broken after a step; none when all hold to the end. */
export async function brokenAfter(
  sequence: readonly Step[],
  folders: Pick<World, "disk" | "staging" | "places">,
): Promise<string[]> {
  const world = newWorld(folders);
  const recorded = new Map<string, number>();
  let leases: Lease[] = [];
  for (const { verb, minutes, kill } of sequence) {
    world.now = new Date(world.now.getTime() + minutes * 60_000);
    const target = world.places[verb.place % world.places.length] as Place;
    const opened = await leaseOf(world, target);
    await act(world, verb, kill ?? Infinity);
    // A take-down that was killed goes on, and nothing is read from before it.
    if (verb.verb === "takeDown") {
      leases = leases.filter((lease) => lease.place !== target);
      if (kill !== undefined) await act(world, verb, Infinity);
    } else if (opened) leases.push(opened);
    for (const one of world.places) {
      const broken = await brokenAt(one, recorded.get(one.name) ?? 0, world.takenDown.get(one.name) ?? []);
      if (broken.length > 0) return [`after ${verb.verb}`, ...broken];
      recorded.set(one.name, recordedIn(await pointerOf(one)));
    }
    leases = leases.filter(({ until }) => until >= world.now.getTime());
    for (const lease of leases) {
      const objects = await lease.place.objects();
      const gone = lease.paths.filter((path) => !objects.has(path));
      if (gone.length > 0) return [`after ${verb.verb}`, `${lease.place.name}: a reader lost ${gone.join()}`];
    }
  }
  return [];
}

/** A reader opens the snapshot that is current, and may read it for as long as an hour after it is replaced. */
async function leaseOf(world: World, place: Place): Promise<Lease | undefined> {
  const pointer = await pointerOf(place);
  if (!pointer) return undefined;
  return { place, paths: pointer.snapshot.files.map(({ path }) => path), until: world.now.getTime() + 3_500_000 };
}
