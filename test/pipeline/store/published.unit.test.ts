/** Which snapshot a run starts from, what is wrong with one, and which are retained: on a disk in memory. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EarlierSnapshot } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { isPublished, lacksData, readBase } from "../../../pipeline/store/open.ts";
import {
  listPublished,
  readCurrent,
  readCurrentName,
  readEarlier,
  retainedSnapshots,
  readLocalManifest,
} from "../../../pipeline/store/published.ts";
import { isOlder } from "../../../pipeline/store/manifest.ts";
import { readPublishedVersions, refusal } from "../../../pipeline/store/versions.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, fileOf, putGeneration, type Written } from "../../support/memory-generations.ts";

const POINTER = `${ARTIFACTS}/current.json`;
const manifestPath = (name: string | undefined) => `${ARTIFACTS}/snapshots/${name}.json`;

function open(...written: readonly (Omit<Written, "texts"> & { texts?: Written["texts"] })[]) {
  const disk = memoryDisk();
  const all = written.map((published) =>
    putGeneration(disk, { texts: { grades: `grades of ${published.number}` }, ...published }),
  );
  return { disk, all, names: all.map(({ name }) => name) };
}
const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error) => `${error.name}: ${error.message}`,
  );
async function change(disk: MemoryDisk, path: string, changed: (text: string) => string): Promise<void> {
  disk.put(path, changed(await disk.readFile(path)));
}

describe("the current snapshot", () => {
  it("is what the pointer names, wherever that is in the order of numbers", async () => {
    const { all, disk, names } = open({ number: 2 }, { number: 10 }, { number: 9, isCurrent: true });
    disk.put(`${ARTIFACTS}/snapshots/notes.txt`, "of somebody");
    disk.put(`${ARTIFACTS}/snapshots/notes.json`, "of somebody");
    expect(await readCurrentName(ARTIFACTS, disk)).toBe(names[2]);
    expect(await readCurrent(ARTIFACTS, disk)).toEqual({ folder: ARTIFACTS, manifest: all[2]?.manifest, retained: [] });
    expect((await listPublished(ARTIFACTS, disk)).map(({ generation }) => generation)).toEqual([10, 9, 2]);
  });

  it("is none before anything was published", async () => {
    const disk = memoryDisk();
    expect([await readCurrentName(ARTIFACTS, disk), await readCurrent(ARTIFACTS, disk)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await listPublished(ARTIFACTS, disk)).toEqual([]);
  });

  it.each<[string, (text: string) => string, string]>([
    ["is cut off", (text) => text.slice(0, 50), "DamagedSnapshot: current.json is no JSON"],
    ["names no snapshot", () => "{}", "DamagedSnapshot: current.json: snapshot: "],
    ["is no object", () => "null", "DamagedSnapshot: current.json: : "],
    [
      "names other files than its id says",
      (text) => text.replace(/"sha256": "./, '"sha256": "0'),
      "DamagedSnapshot: current.json: the id is not that of its files",
    ],
    [
      "is of another contract",
      (text) => text.replace(/"contract": \d+/, `"contract": ${CONTRACT_VERSION + 1}`),
      `OtherContract: current.json is of contract version ${CONTRACT_VERSION + 1}, not ${CONTRACT_VERSION}`,
    ],
  ])("is damaged when the pointer %s", async (_what, changed, expected) => {
    const { disk } = open({ number: 1, isCurrent: true });
    await change(disk, POINTER, changed);
    expect(await messageOf(readCurrent(ARTIFACTS, disk))).toContain(expected);
    expect(await messageOf(readCurrentName(ARTIFACTS, disk))).toContain(expected);
  });

  it("is damaged when the pointer is no file, and when an object lacks bytes or is missing", async () => {
    const folder = memoryDisk();
    folder.put(`${POINTER}/file`, "");
    expect(await messageOf(readCurrent(ARTIFACTS, folder))).toBe(
      "DamagedSnapshot: current.json cannot be read (EISDIR)",
    );
    const { all, disk } = open({ number: 1, isCurrent: true });
    const [path = ""] = all[0]?.manifest.files.map((file) => file.path) ?? [];
    disk.put(join(ARTIFACTS, path), "grades");
    expect(await messageOf(readCurrent(ARTIFACTS, disk))).toBe(`DamagedSnapshot: ${path}: 6 bytes, not 11`);
    await disk.rm(join(ARTIFACTS, path));
    expect(await messageOf(readCurrent(ARTIFACTS, disk))).toBe(`DamagedSnapshot: ${path}: missing`);
  });
});

describe("a manifest", () => {
  const read = async (changed: (text: string) => string | undefined, accepts?: typeof isOlder) => {
    const { disk, names } = open({ number: 1 });
    const path = manifestPath(names[0]);
    const text = changed(await disk.readFile(path));
    await disk.rm(path);
    if (text !== undefined) disk.put(path, text);
    return messageOf(readLocalManifest(ARTIFACTS, names[0] ?? "", disk, accepts));
  };
  const replaced = (from: string, to: string) => (text: string) => text.replace(from, to);
  const place = "DamagedSnapshot: 1-[0-9a-f]{16}.json";
  const other = (contract: number) => replaced(`"contract": ${CONTRACT_VERSION}`, `"contract": ${contract}`);
  const otherHash = (text: string) => text.replace(/"sha256": "./, '"sha256": "0');

  it.each<[string, (text: string) => string | undefined, string]>([
    ["as it was written", (text) => text, "^$"],
    ["that is missing", () => undefined, `${place} is missing`],
    ["that is cut off", (text) => text.slice(0, 50), `${place} is no JSON`],
    ["with another kind of value", replaced('"rows": 1', '"rows": "1"'), `${place}: files.0.rows: `],
    ["that is no object", () => "null", `${place}: : `],
    ["with other files", replaced("grades/2024", "grades/2023"), "^$"],
    ["with another hash", otherHash, `${place}: the id is not that of its files`],
    ["of another snapshot", replaced('"generation": 1', '"generation": 2'), "the manifest is that of 2-"],
    [
      "of a newer contract",
      other(CONTRACT_VERSION + 1),
      `^OtherContract: 1-[0-9a-f]{16}.json is of contract version ${CONTRACT_VERSION + 1}, not ${CONTRACT_VERSION}$`,
    ],
    [
      "of an older one",
      other(CONTRACT_VERSION - 1),
      `^OtherContract: .* is of contract version ${CONTRACT_VERSION - 1}`,
    ],
  ])("%s", async (_what, changed, expected) => expect(await read(changed)).toMatch(new RegExp(expected)));

  it("of an older contract is read where those are read, a newer one is not", async () => {
    expect(await read(other(CONTRACT_VERSION - 1), isOlder)).toBe("");
    expect(await read(other(CONTRACT_VERSION + 1), isOlder)).toMatch(/^OtherContract/);
    // Its id may follow from another rule.
    expect(await read((text) => otherHash(other(CONTRACT_VERSION - 1)(text)), isOlder)).toBe("");
  });

  it("that cannot be read for another reason says which", async () => {
    const { disk, names } = open({ number: 1 });
    await disk.rm(manifestPath(names[0]));
    await disk.mkdir(manifestPath(names[0]));
    const reading = (on: MemoryDisk) => messageOf(readLocalManifest(ARTIFACTS, names[0] ?? "", on));
    expect(await reading(disk)).toMatch(/^DamagedSnapshot: snapshots\/1-.*cannot be read \(EISDIR\)$/);
    const failing = { ...disk, readBytes: () => Promise.reject(new Error("no file system's error")) };
    expect(await reading(failing)).toBe("Error: no file system's error");
  });
});

describe("what a run starts from", () => {
  const base = async (disk: Parameters<typeof readBase>[1]) => {
    const { damage, published, lost, unreadable } = await readBase(ARTIFACTS, disk);
    return [published?.manifest.generation, damage?.message, lost.map(({ problem }) => problem), unreadable];
  };

  it("is the current snapshot, also when there is a newer one that was never current", async () => {
    const { disk } = open({ number: 1 }, { number: 2, isCurrent: true }, { number: 3 });
    expect(await base(disk)).toEqual([2, undefined, [], undefined]);
    expect(await base(memoryDisk())).toEqual([undefined, undefined, [], undefined]);
  });

  it("is the newest readable one where the pointer is damaged or missing; the others are retained", async () => {
    const { disk, names } = open({ number: 1 }, { number: 2 }, { number: 3 });
    expect(await base(disk)).toEqual([3, "current.json is missing though snapshots are there", [], undefined]);
    expect((await readBase(ARTIFACTS, disk)).etag).toBeNull();
    disk.put(POINTER, "{");
    expect(await base(disk)).toEqual([3, "current.json is no JSON", [], undefined]);
    const { etag, published } = await readBase(ARTIFACTS, disk);
    expect(etag).toBe(fileOf("grades", {}, "{").sha256);
    const day = (number: number) => new Date(Date.UTC(2026, 10, number)).toISOString();
    expect(
      published?.retained.map(({ createdAt, generation: number, replacedAt }) => [number, createdAt, replacedAt]),
    ).toEqual([
      [2, day(2), day(3)],
      [1, day(1), day(2)],
    ]);
    for (const name of names.slice(1)) disk.put(manifestPath(name), "{");
    expect(await base(disk)).toEqual([1, "current.json is no JSON", [], names[2]]);
    disk.put(manifestPath(names[0]), "{");
    expect(await base(disk)).toEqual([undefined, "current.json is no JSON", [], names[2]]);
  });

  it("names damaged files; one of a view is no loss, but the snapshot has to be published again", async () => {
    const view = { ...fileOf("views/a", {}, "a view"), madeOf: "1".repeat(64) };
    const { all, disk } = open({ number: 1, isCurrent: true, made: [view] });
    const { manifest } = all[0] ?? {};
    const [file] = manifest?.files ?? [];
    disk.put(join(ARTIFACTS, view.path), "a view");
    const sound = await readBase(ARTIFACTS, disk);
    expect([sound.lost, isPublished(sound, manifest?.id ?? "")]).toEqual([[], true]);
    expect(isPublished(sound, "0".repeat(16))).toBe(false);
    disk.put(join(ARTIFACTS, view.path), "A view");
    const problem = "the content has another SHA-256";
    const without = await readBase(ARTIFACTS, disk);
    expect(without.lost).toEqual([{ file: view, problem }]);
    expect([lacksData(without), isPublished(without, manifest?.id ?? "")]).toEqual([false, false]);
    await disk.rm(join(ARTIFACTS, view.path));
    disk.put(join(ARTIFACTS, file?.path ?? ""), "GRADES of 1");
    const damaged = await readBase(ARTIFACTS, disk);
    expect(damaged.lost.map((one) => one.problem)).toEqual([problem, "missing"]);
    expect([lacksData(damaged), isPublished(damaged, manifest?.id ?? "")]).toEqual([true, false]);
    expect(isPublished({ ...sound, damage: new Error() as never }, manifest?.id ?? "")).toBe(false);
  });
});

describe("earlier snapshots", () => {
  const earlier = ({ manifest: { createdAt, generation, id } }: ReturnType<typeof putGeneration>): EarlierSnapshot => ({
    ...{ id, generation, createdAt },
    replacedAt: createdAt,
  });

  it("are those that the pointer knows and the disk has; what cannot be read is left out", async () => {
    const { all, disk, names } = open({ number: 1 }, { number: 2 }, { number: 3 });
    const time = "2026-11-01T00:00:00Z";
    const gone = { id: "9".repeat(16), generation: 9, createdAt: time, replacedAt: time };
    const retained = [gone, ...all.toReversed().map(earlier)];
    const last = putGeneration(disk, { number: 4, texts: { grades: "4" }, retained, isCurrent: true });
    expect(await readCurrent(ARTIFACTS, disk)).toMatchObject({ retained });
    const numbers = async () => (await retainedSnapshots(last, disk)).map(({ generation }) => generation);
    const readable = async () => (await readEarlier(last, disk)).map(({ manifest }) => manifest.generation);
    expect([await numbers(), await readable()]).toEqual([
      [4, 3, 2, 1],
      [4, 3, 2, 1],
    ]);
    await disk.rm(manifestPath(names[1]));
    disk.put(manifestPath(names[0]), "{");
    expect([await numbers(), await readable()]).toEqual([
      [4, 3, 1],
      [4, 3],
    ]);
    const failing = { ...disk, readBytes: () => Promise.reject(new Error("broken")) };
    expect(await messageOf(readEarlier(last, failing))).toBe("Error: broken");
  });

  it("of all versions are listed with the current one first; one that is neither this nor older is refused", async () => {
    const older = { contract: CONTRACT_VERSION - 1 };
    const { disk, names } = open({ number: 1, manifest: older }, { number: 2, isCurrent: true }, { number: 3 });
    const listed = async () =>
      (await readPublishedVersions(ARTIFACTS, disk)).map(({ manifest }) => manifest.generation);
    expect(await listed()).toEqual([2, 3, 1]);
    disk.put(POINTER, "{");
    expect(await listed()).toEqual([3, 2, 1]);
    disk.put(manifestPath(names[2]), "{");
    expect(await listed()).toEqual([2, 1]);
    const { name } = putGeneration(disk, { number: 9, texts: {}, manifest: { contract: CONTRACT_VERSION + 1 } });
    expect(await messageOf(readPublishedVersions(ARTIFACTS, disk))).toContain(
      `UsageError: snapshot ${name} in ${ARTIFACTS} was written by a newer version of this program (contract version ${CONTRACT_VERSION + 1}, `,
    );
    const unreleased = memoryDisk();
    unreleased.put(`${ARTIFACTS}/generations/${name}/manifest.json`, "{}");
    expect(await messageOf(readPublishedVersions(ARTIFACTS, unreleased))).toContain(
      `UsageError: what is published in ${ARTIFACTS} was written by a version of this program from before its first release`,
    );
  });

  it.each([
    [0, false, undefined],
    [CONTRACT_VERSION, false, undefined],
    [2, true, /^the snapshot in s3:\/\/b\/p was written by .* from before its first release.* Move s3:\/\/b\/p away/],
    [10, false, /written by a newer version of this program \(contract version 10, .* Run the newer version/],
  ])("of contract version %i, from before the first release: %s", (contract, isUnreleased, words) => {
    const refused = refusal("the snapshot", "s3://b/p", { contract, isUnreleased });
    if (words === undefined) expect(refused).toBeUndefined();
    else expect(refused).toMatch(words);
  });
});
