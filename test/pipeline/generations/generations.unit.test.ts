/** Which generation a run starts from, what is wrong with one, and which are retained: on a disk in memory. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EarlierSnapshot } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { isPublished, lacksData, readBase } from "../../../pipeline/generations/base.ts";
import { listGenerations, readCurrent, readCurrentName } from "../../../pipeline/generations/generation.ts";
import { readManifest, readOlderManifest } from "../../../pipeline/generations/manifest.ts";
import { readEarlier, retainedSnapshots } from "../../../pipeline/generations/retained.ts";
import { readPublishedVersions, refusal } from "../../../pipeline/generations/versions.ts";
import { memoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, fileOf, putGeneration, type Written } from "../../support/memory-generations.ts";

const CURRENT = `${ARTIFACTS}/current`;
function open(...written: readonly (Omit<Written, "texts"> & { texts?: Written["texts"] })[]) {
  const disk = memoryDisk();
  const all = written.map((one) => putGeneration(disk, { texts: { grades: `grades of ${one.number}` }, ...one }));
  return { disk, all, names: all.map(({ name }) => name) };
}
const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("the current generation", () => {
  it("is where the link leads, wherever that is in the order of numbers", async () => {
    const { all, disk, names } = open({ number: 2 }, { number: 10 }, { number: 9, isCurrent: true });
    disk.put(`${ARTIFACTS}/generations/notes.txt`, "of somebody");
    expect(await readCurrentName(ARTIFACTS, disk)).toBe(names[2]);
    expect(await readCurrent(ARTIFACTS, disk)).toEqual({ folder: all[2]?.folder, manifest: all[2]?.manifest });
    expect((await listGenerations(ARTIFACTS, disk)).map(({ generation }) => generation)).toEqual([10, 9, 2]);
  });

  it("is none before anything was published", async () => {
    const disk = memoryDisk();
    expect([await readCurrentName(ARTIFACTS, disk), await readCurrent(ARTIFACTS, disk)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await listGenerations(ARTIFACTS, disk)).toEqual([]);
  });

  it.each([
    ["/elsewhere", "DamagedGeneration: current leads to /elsewhere, no generation"],
    ["generations/12", "DamagedGeneration: current leads to generations/12, no generation"],
    [
      `other/${"1-".padEnd(18, "a")}`,
      `DamagedGeneration: current leads to other/${"1-".padEnd(18, "a")}, no generation`,
    ],
  ])("is damaged when the link leads to %s", async (target, expected) => {
    const disk = memoryDisk();
    disk.putLink(CURRENT, target);
    expect(await messageOf(readCurrentName(ARTIFACTS, disk))).toBe(expected);
  });

  it("is damaged when it is no link, and when a file lacks bytes or is missing", async () => {
    const folder = memoryDisk();
    folder.put(`${CURRENT}/file`, "");
    expect(await messageOf(readCurrentName(ARTIFACTS, folder))).toBe("DamagedGeneration: current is no symbolic link");
    const { all, disk, names } = open({ number: 1, isCurrent: true });
    const [path = ""] = all[0]?.manifest.files.map((file) => file.path) ?? [];
    const at = join(all[0]?.folder ?? "", path);
    disk.put(at, "grades");
    expect(await messageOf(readCurrent(ARTIFACTS, disk))).toBe(
      `DamagedGeneration: ${names[0]}: ${path}: 6 bytes, not 11`,
    );
    await disk.rm(at);
    expect(await messageOf(readCurrent(ARTIFACTS, disk))).toBe(`DamagedGeneration: ${names[0]}: ${path}: missing`);
  });
});

describe("a manifest", () => {
  const read = async (change: (text: string) => string | undefined, reader = readManifest) => {
    const { all, disk } = open({ number: 1 });
    const { folder = "" } = all[0] ?? {};
    const path = join(folder, "manifest.json");
    const text = change(await disk.readFile(path));
    await disk.rm(path);
    if (text !== undefined) disk.put(path, text);
    return messageOf(reader(folder, disk));
  };
  const replaced = (from: string, to: string) => (text: string) => text.replace(from, to);
  const place = "DamagedGeneration: 1-[0-9a-f]{16}/manifest.json";
  const other = (contract: number) => replaced(`"contract":${CONTRACT_VERSION}`, `"contract":${contract}`);

  it.each<[string, (text: string) => string | undefined, string]>([
    ["as it was written", (text) => text, "^$"],
    ["that is missing", () => undefined, `${place} is missing`],
    ["that is cut off", (text) => text.slice(0, 50), `${place} is no JSON`],
    ["with another kind of value", replaced('"rows":1', '"rows":"1"'), `${place}: files.0.rows: `],
    ["that is no object", () => "null", `${place}: : `],
    ["with other files", replaced("grades/2024", "grades/2023"), "^$"],
    [
      "with another hash",
      (text) => text.replace(/"sha256":"./, '"sha256":"0'),
      `${place}: the id is not that of its files`,
    ],
    ["of another generation", replaced('"generation":1', '"generation":2'), "the manifest is that of 2-"],
    [
      "of a newer contract",
      other(CONTRACT_VERSION + 1),
      `^OtherContract: 1-[0-9a-f]{16}/manifest.json is of contract version ${CONTRACT_VERSION + 1}, not ${CONTRACT_VERSION}$`,
    ],
    [
      "of an older one",
      other(CONTRACT_VERSION - 1),
      `^OtherContract: .* is of contract version ${CONTRACT_VERSION - 1}`,
    ],
  ])("%s", async (_what, change, expected) => expect(await read(change)).toMatch(new RegExp(expected)));

  it("of an older contract is read where those are read, a newer one is not", async () => {
    expect(await read(other(CONTRACT_VERSION - 1), readOlderManifest)).toBe("");
    expect(await read(other(CONTRACT_VERSION + 1), readOlderManifest)).toMatch(/^OtherContract/);
    // Its id may follow from another rule.
    expect(await read((text) => text.replace(/"sha256":"./, '"sha256":"0'), readOlderManifest)).toBe("");
  });

  it("that cannot be read for another reason says which", async () => {
    const { all, disk } = open({ number: 1 });
    const { folder = "" } = all[0] ?? {};
    await disk.rm(join(folder, "manifest.json"));
    await disk.mkdir(join(folder, "manifest.json"));
    expect(await messageOf(readManifest(folder, disk))).toMatch(/^DamagedGeneration: 1-/);
    expect(await messageOf(readManifest(folder, disk))).toMatch(/cannot be read \(EISDIR\)$/);
    const failing = { ...disk, readFile: () => Promise.reject(new Error("no file system's error")) };
    expect(await messageOf(readManifest(folder, failing))).toBe("Error: no file system's error");
  });
});

describe("what a run starts from", () => {
  const base = async (disk: Parameters<typeof readBase>[1]) => {
    const { damage, damaged, generation, unreadable } = await readBase(ARTIFACTS, disk);
    return [generation?.manifest.generation, damage?.message, damaged.map(({ problem }) => problem), unreadable];
  };

  it("is the current generation, also when a newer one was never switched to", async () => {
    const { disk } = open({ number: 1 }, { number: 2, isCurrent: true }, { number: 3 });
    expect(await base(disk)).toEqual([2, undefined, [], undefined]);
    expect(await base(memoryDisk())).toEqual([undefined, undefined, [], undefined]);
  });

  it("is the newest readable one where the link is broken, leads nowhere or is missing", async () => {
    const { all, disk, names } = open({ number: 1 }, { number: 2 }, { number: 3 });
    expect(await base(disk)).toEqual([3, "current is missing though generations are there", [], undefined]);
    disk.putLink(CURRENT, "nowhere");
    expect(await base(disk)).toEqual([3, "current leads to nowhere, no generation", [], undefined]);
    disk.putLink(CURRENT, `generations/${names[2]}`);
    for (const at of [2, 1]) await disk.rm(join(all[at]?.folder ?? "", "manifest.json"));
    expect(await base(disk)).toEqual([1, `${names[2]}/manifest.json is missing`, [], names[2]]);
    await disk.rm(join(all[0]?.folder ?? "", "manifest.json"));
    expect(await base(disk)).toEqual([undefined, `${names[2]}/manifest.json is missing`, [], names[2]]);
  });

  it("names damaged files; one of a view is no loss, but the snapshot has to be published again", async () => {
    const view = { ...fileOf("views/a", {}, "a view"), madeOf: "1".repeat(64) };
    const { all, disk } = open({ number: 1, isCurrent: true, made: [view] });
    const { folder = "", manifest } = all[0] ?? {};
    disk.put(join(folder, view.path), "a view");
    const sound = await readBase(ARTIFACTS, disk);
    expect([sound.damaged, isPublished(sound, manifest?.id ?? "")]).toEqual([[], true]);
    expect(isPublished(sound, "0".repeat(16))).toBe(false);
    disk.put(join(folder, view.path), "A view");
    const problem = "the content has another SHA-256";
    const without = await readBase(ARTIFACTS, disk);
    expect(without.damaged).toEqual([{ file: view, problem }]);
    expect([lacksData(without), isPublished(without, manifest?.id ?? "")]).toEqual([false, false]);
    expect((await readCurrent(ARTIFACTS, disk))?.manifest).toEqual(manifest);
    await disk.rm(join(folder, view.path));
    expect((await readCurrent(ARTIFACTS, disk))?.manifest).toEqual(manifest);
    disk.put(join(folder, manifest?.files[0]?.path ?? ""), "GRADES of 1");
    const damaged = await readBase(ARTIFACTS, disk);
    expect(damaged.damaged.map((one) => one.problem)).toEqual([problem, "missing"]);
    expect([lacksData(damaged), isPublished(damaged, manifest?.id ?? "")]).toEqual([true, false]);
    expect(isPublished({ ...sound, damage: new Error() as never }, manifest?.id ?? "")).toBe(false);
  });
});

describe("earlier generations", () => {
  const earlier = ({ manifest: { createdAt, generation, id } }: ReturnType<typeof putGeneration>): EarlierSnapshot => ({
    ...{ id, generation, createdAt },
    replacedAt: createdAt,
  });

  it("are those that the manifest knows and the disk has; what cannot be read is left out", async () => {
    const { all, disk } = open({ number: 1 }, { number: 2 }, { number: 3 });
    const time = "2026-11-01T00:00:00Z";
    const gone = { id: "9".repeat(16), generation: 9, createdAt: time, replacedAt: time };
    const snapshots = [gone, ...all.toReversed().map(earlier)];
    const last = putGeneration(disk, { number: 4, texts: { grades: "4" }, manifest: { snapshots }, isCurrent: true });
    const numbers = async () => (await retainedSnapshots(last, disk)).map(({ generation }) => generation);
    const readable = async () => (await readEarlier(last, disk)).map(({ manifest }) => manifest.generation);
    expect([await numbers(), await readable()]).toEqual([
      [4, 3, 2, 1],
      [4, 3, 2, 1],
    ]);
    await disk.rm(all[1]?.folder ?? "");
    await disk.rm(join(all[0]?.folder ?? "", "manifest.json"));
    expect([await numbers(), await readable()]).toEqual([
      [4, 3, 1],
      [4, 3],
    ]);
    const failing = { ...disk, readFile: () => Promise.reject(new Error("broken")) };
    expect(await messageOf(readEarlier(last, failing))).toBe("Error: broken");
  });

  it("of all versions are listed with the current one first; one that is neither this nor older is refused", async () => {
    const older = { contract: CONTRACT_VERSION - 1 };
    const { all, disk } = open({ number: 1, manifest: older }, { number: 2, isCurrent: true }, { number: 3 });
    const listed = async () =>
      (await readPublishedVersions(ARTIFACTS, disk)).map(({ manifest }) => manifest.generation);
    expect(await listed()).toEqual([2, 3, 1]);
    disk.putLink(CURRENT, "nowhere");
    expect(await listed()).toEqual([3, 2, 1]);
    await disk.rm(join(all[2]?.folder ?? "", "manifest.json"));
    expect(await listed()).toEqual([2, 1]);
    for (const [contract, writer] of [
      [9, "a version of this program from before its first release"],
      [10, "a newer version of this program"],
    ] as const) {
      const { folder, name } = putGeneration(disk, { number: 9, texts: {}, manifest: { contract } });
      expect(await messageOf(readPublishedVersions(ARTIFACTS, disk))).toContain(
        `UsageError: generation ${name} in ${ARTIFACTS} was written by ${writer} (contract version ${contract}, `,
      );
      await disk.rm(folder);
    }
  });

  it.each([
    [0, undefined],
    [CONTRACT_VERSION, undefined],
    [
      2,
      /^the snapshot in s3:\/\/b\/p was written by a version .* from before its first release .* Move s3:\/\/b\/p away/,
    ],
    [9, /from before its first release \(contract version 9, this one reads 1\): nothing of it was changed/],
    [10, /written by a newer version of this program \(contract version 10, .* Run the newer version/],
  ])("of contract version %i: %s", (contract, words) => {
    const refused = refusal("the snapshot", "s3://b/p", contract);
    if (words === undefined) expect(refused).toBeUndefined();
    else expect(refused).toMatch(words);
  });
});
