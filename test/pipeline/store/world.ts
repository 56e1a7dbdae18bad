/**
 * A small world of stores for random sequences of verbs. Objects are texts: a line for each row. The table
 * `enrollment_history` only grows, as recorded history does; lines of all tables may name people.
 */
import { createHash } from "node:crypto";
import type { Manifest, PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import type { Retention } from "../../../pipeline/contract/retention.ts";
import { CONTRACT_VERSION, TABLE_NAMES } from "../../../pipeline/contract/tables.ts";
import { LockedError, UpstreamError } from "../../../pipeline/errors.ts";
import { filePath } from "../../../pipeline/store/layout.ts";
import { changesDigest, contentId, snapshotId } from "../../../pipeline/store/snapshot-id.ts";
import { type Disk, hasCode } from "../../../pipeline/disk/disk.ts";
import { collect } from "../../../pipeline/store/collect.ts";
import { copy } from "../../../pipeline/store/copy.ts";
import { readManifest, retainedAfter, type StoredPointer } from "../../../pipeline/store/pointer.ts";
import { publish } from "../../../pipeline/store/publish.ts";
import { rewrite } from "../../../pipeline/store/rewrite.ts";
import type { Store } from "../../../pipeline/store/store.ts";
import { memoryDisk } from "../../support/memory-disk.ts";
import { folderPlace, Killed, type Place, pointerOf } from "./places.ts";

export const RETAIN: Retention = { hours: 0, days: 2, months: 1 };
const KEEP_MS = 3_600_000;

export const personOf = (number: number): string => `person-${number}.`;

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

function fileOf(table: string, year: string | undefined, text: string): PublishedFile {
  const sha256 = digestOf(text);
  const partition = year === undefined ? {} : { year };
  return {
    ...{ table, partition, sha256, path: filePath(table, partition, sha256) },
    ...{ rows: text.split("\n").length, bytes: text.length },
  };
}

export interface World {
  readonly disk: Disk;
  /** A folder for what is not published yet. */
  readonly staging: string;
  readonly places: readonly Place[];
  now: Date;
  /** What was taken down, by place: the number of each person. */
  readonly takenDown: Map<string, number[]>;
}

export const newWorld = (folders: Pick<World, "disk" | "staging" | "places">): World => ({
  ...folders,
  now: new Date("2026-11-02T08:00:00Z"),
  takenDown: new Map(),
});

/** Three folders on a disk in memory. */
export function memoryPlaces(): Pick<World, "disk" | "staging" | "places"> {
  const disk = memoryDisk();
  return { disk, staging: "/staging", places: ["one", "two", "three"].map((name) => folderPlace(name, disk)) };
}

export const markOf = (people: readonly number[]): string => digestOf(people.join()).slice(0, 16);
const markAt = ({ takenDown }: World, { name }: Place): string | undefined => {
  const people = takenDown.get(name);
  return people && markOf(people);
};

const withoutPeople = (text: string, people: readonly number[]): string =>
  people.reduce((rest, person) => rest.replaceAll(personOf(person), "STAFF."), text);

async function stage({ disk, staging }: World, file: PublishedFile, text: string): Promise<string> {
  const path = `${staging}/${file.sha256}`;
  await disk.mkdir(staging);
  // Two publishers may stage the same file.
  if (!(await disk.stat(path))) await disk.writeFile(path, text).catch(unlessThere);
  return path;
}

function unlessThere(error: unknown): void {
  if (!hasCode(error, "EEXIST")) throw error;
}

/** What a run adds: a day of recorded history, and other rows of a table. */
export interface Change {
  readonly table: number;
  readonly person: number;
  /** False: nothing but history, as in an hour in which nothing else changed. */
  readonly isMore: boolean;
}

export async function nextManifest(
  world: World,
  place: Place,
  previous: StoredPointer | undefined,
  change: Change,
): Promise<{ manifest: Manifest; paths: Map<string, string> }> {
  const texts = await place.objects();
  const people = world.takenDown.get(place.name) ?? [];
  const before = previous?.snapshot.files ?? [];
  const replaced = new Map(before.map((file) => [`${file.table} ${file.partition.year}`, file]));
  const paths = new Map<string, string>();
  const put = async (table: string, year: string | undefined, text: string): Promise<void> => {
    const kept = withoutPeople(text, people);
    const file = fileOf(table, year, kept);
    paths.set(file.path, await stage(world, file, kept));
    replaced.set(`${table} ${year}`, file);
  };
  const history = before.find(({ table }) => table === "enrollment_history");
  const recorded = history ? `${texts.get(history.path)}\n` : "";
  await put("enrollment_history", "2026", `${recorded}${world.now.toISOString()} ${personOf(change.person)}`);
  const table = TABLE_NAMES.filter((name) => name !== "enrollment_history")[change.table % 5] as string;
  if (change.isMore) await put(table, "2026", `${table} of ${personOf(change.person)} ${change.table}`);
  const files = [...replaced.values()];
  const changesBefore = changesDigest(before);
  const mark = markAt(world, place);
  const manifest: Manifest = {
    ...{ contract: CONTRACT_VERSION, id: snapshotId(files, changesBefore), contentId: contentId(files) },
    ...{ generation: 1, createdAt: world.now.toISOString(), source: {}, changesBefore, files },
    ...(mark === undefined ? {} : { forgotten: mark }),
  };
  return { manifest, paths };
}

export type Verb =
  | { readonly verb: "publish"; readonly place: number; readonly change: Change }
  | { readonly verb: "race"; readonly place: number; readonly changes: readonly [Change, Change] }
  | { readonly verb: "copy"; readonly place: number; readonly from: number }
  | { readonly verb: "collect"; readonly place: number }
  | { readonly verb: "takeDown"; readonly place: number; readonly person: number };

export type Outcome = "done" | "killed" | "refused" | "nothing";

/** Does what a program would do with the verb. `changesLeft` is the number of changes before it is killed. */
export async function act(world: World, step: Verb, changesLeft: number): Promise<Outcome> {
  const place = world.places[step.place % world.places.length] as Place;
  const store = place.open(changesLeft);
  try {
    return await store.exclusively(() => perform(world, step, place, store));
  } catch (error) {
    if (error instanceof Killed) return "killed";
    if (error instanceof LockedError || error instanceof UpstreamError) return "refused";
    throw error;
  }
}

async function perform(world: World, step: Verb, place: Place, store: Store): Promise<Outcome> {
  const previous = await pointerOf(place);
  switch (step.verb) {
    case "publish": {
      const { manifest, paths } = await nextManifest(world, place, previous, step.change);
      await publish(store, { manifest, previous, pathOf: (key) => paths.get(key) });
      return "done";
    }
    case "race": {
      const [mine, theirs] = await Promise.all(
        step.changes.map((change) => nextManifest(world, place, previous, change)),
      );
      if (!mine || !theirs || mine.manifest.id === theirs.manifest.id) return "nothing";
      await publish(place.open(Infinity), { ...theirs, previous, pathOf: (key) => theirs.paths.get(key) });
      await publish(store, { ...mine, previous, pathOf: (key) => mine.paths.get(key) });
      throw new Error("both of two publishers won");
    }
    case "copy": {
      const source = world.places[step.from % world.places.length] as Place;
      const from = source.open(Infinity);
      const pointer = await pointerOf(source);
      if (!pointer || source === place || !isContinued(pointer, previous)) return "nothing";
      const present = new Set(previous?.snapshot.files.map(({ path }) => path));
      const options = { folder: world.staging, disk: world.disk, present, previous, mark: markAt(world, place) };
      const retained = retainedAfter(previous, world.now.toISOString());
      await copy(from, store, { ...options, manifest: pointer.snapshot, retained });
      return "done";
    }
    case "collect":
      if (!previous) return "nothing";
      await collect(store, previous, { now: world.now, retain: RETAIN, keepMs: KEEP_MS });
      return "done";
    case "takeDown": {
      const people = [...new Set([...(world.takenDown.get(place.name) ?? []), step.person])].sort();
      // The list is written first: whatever comes later is without them.
      world.takenDown.set(place.name, people);
      const texts = await place.objects();
      await rewrite(store, {
        ...{ mark: markOf(people), now: world.now, retain: RETAIN },
        filesOf: (manifest) =>
          Promise.all(
            manifest.files.map(async (file) => {
              const text = texts.get(file.path) ?? "";
              const kept = withoutPeople(text, people);
              if (kept === text) return { file, at: undefined };
              const left = fileOf(file.table, file.partition.year, kept);
              return { file: left, at: await stage(world, left, kept) };
            }),
          ),
      });
      return "done";
    }
  }
}

/** True when nothing was recorded in the target that the source lacks: otherwise a program keeps it elsewhere first. */
function isContinued(source: StoredPointer, target: StoredPointer | undefined): boolean {
  const recorded = ({ snapshot }: StoredPointer) =>
    snapshot.files.find(({ table }) => table === "enrollment_history")?.rows ?? 0;
  return target === undefined || recorded(target) < recorded(source);
}

/** The promises that a place does not keep. */
export async function brokenAt(place: Place, recorded: number, takenDown: readonly number[]): Promise<string[]> {
  const objects = await place.objects();
  const broken: string[] = [];
  const pointer = await pointerOf(place);
  if (!pointer && recorded > 0) return [`${place.name}: the pointer is gone`];
  for (const [key, text] of objects) {
    const hash = /([0-9a-f]{32})\.parquet$/.exec(key)?.[1];
    if (hash !== undefined && !digestOf(text).startsWith(hash)) broken.push(`${key} is not what its name says`);
    for (const person of takenDown)
      if (text.includes(personOf(person))) broken.push(`${key} names ${personOf(person)} again`);
  }
  if (!pointer) return broken;
  const store = place.open(Infinity);
  for (const snapshot of [pointer.snapshot, ...pointer.retained]) {
    const manifest = await readManifest(store, snapshot).catch(() => undefined);
    if (!manifest) broken.push(`${place.name}: snapshot ${snapshot.generation} has no manifest`);
    for (const { path } of manifest?.files ?? [])
      if (!objects.has(path)) broken.push(`${place.name}: ${path} of snapshot ${snapshot.generation} is missing`);
  }
  const numbers = [pointer.snapshot, ...pointer.retained].map(({ generation }) => generation);
  if (numbers.some((number, index) => index > 0 && number >= (numbers[index - 1] as number)))
    broken.push(`${place.name}: the numbers ${numbers.join()} do not fall`);
  if (recordedIn(pointer) < recorded) broken.push(`${place.name}: ${recorded} recorded days became fewer`);
  return broken.map((line) => (line.startsWith(place.name) ? line : `${place.name}: ${line}`));
}

export const recordedIn = (pointer: StoredPointer | undefined): number =>
  pointer?.snapshot.files.find(({ table }) => table === "enrollment_history")?.rows ?? 0;
