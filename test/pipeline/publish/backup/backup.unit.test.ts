/** What a day's backup takes, keeps, verifies, repairs and says: on a disk in memory. */
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BackupList } from "../../../../pipeline/contract/documents/backup.ts";
import { CONTRACT_VERSION } from "../../../../pipeline/contract/tables.ts";
import { type BackupOptions, backUpDaily, backUpForGood } from "../../../../pipeline/publish/backup/backup.ts";
import { memoryDisk, type MemoryDisk } from "../../../support/memory-disk.ts";
import { fileOf, putGeneration } from "../../../support/memory-generations.ts";

const BACKUP = "/data/backup";
const OURS = { schedule: "https://example.edu" };
const THEIRS = { schedule: "sample campus (standard)" };
const [HISTORY, PERIODS] = ["enrollment_history", "enrollment_periods"];
const DAY = "2026-11-20";
const TEXTS = { [HISTORY]: "history", [PERIODS]: "periods", grades: "grades" };
const YEAR = { year: "2024" };
const storedAt = (text: string) => `${BACKUP}/files/${fileOf(HISTORY, YEAR, text).sha256}.parquet`;

let generations = 0;
function open(disk: MemoryDisk, texts: Readonly<Record<string, string>> = TEXTS, source: object = OURS) {
  const published = putGeneration(disk, { number: ++generations, texts, manifest: { source } as object });
  const of = (more: Partial<BackupOptions> = {}): BackupOptions => {
    const today = more.today ?? DAY;
    return { dataDir: "/data", generation: published, now: new Date(`${today}T20:00:00Z`), today, disk, ...more };
  };
  return {
    published,
    daily: (more?: Partial<BackupOptions>) => backUpDaily(of(more)),
    forGood: (more?: Partial<BackupOptions>) => backUpForGood(of(more)),
  };
}
const listsOn = async (disk: MemoryDisk): Promise<string[]> =>
  (await disk.readdir(BACKUP)).filter((name) => name !== "files");
const readList = async (disk: MemoryDisk, name = `${DAY}.json`) =>
  JSON.parse(await disk.readFile(join(BACKUP, name))) as BackupList;
const change = async (disk: MemoryDisk, name: string, given: Partial<BackupList>): Promise<void> =>
  disk.put(join(BACKUP, name), JSON.stringify({ ...(await readList(disk, name)), ...given }));

const TAKEN = { taken: true, failed: false, repaired: [], problems: [] };
const NOT_TAKEN = { ...TAKEN, taken: false };
const FAILED = { ...NOT_TAKEN, failed: true };

describe("a day's backup", () => {
  it("has the recorded history of what is published, by hash, and a list of it", async () => {
    const disk = memoryDisk();
    const { daily, published } = open(disk);
    expect(await daily()).toMatchObject({ ...TAKEN, newest: DAY, backups: 1, bytes: 14 });
    const text = await disk.readFile(`${BACKUP}/${DAY}.json`);
    const list = {
      ...{ contract: CONTRACT_VERSION, createdAt: `${DAY}T20:00:00.000Z`, snapshot: published.manifest.id },
      ...{ changesBefore: null, source: OURS },
      files: [fileOf(HISTORY, YEAR, "history"), fileOf(PERIODS, YEAR, "periods")],
      problems: [],
    };
    expect(text).toBe(`${JSON.stringify(list, null, 1)}\n`);
    expect(disk.paths().filter((path) => path.startsWith("/data/"))).toEqual(
      [`${BACKUP}/${DAY}.json`, storedAt("history"), storedAt("periods")].toSorted(),
    );
    expect(await disk.readFile(storedAt("history"))).toBe("history");
  });

  it("is not taken where nothing is recorded, nor again while nothing new is", async () => {
    const disk = memoryDisk();
    const none = open(disk, { grades: "grades" });
    expect(await none.daily()).toMatchObject({ ...NOT_TAKEN, newest: null });
    expect(await disk.readdir(BACKUP)).toEqual([]);
    const { daily } = open(disk);
    await daily();
    expect(await daily({ now: new Date(`${DAY}T23:00:00Z`) })).toMatchObject(NOT_TAKEN);
    expect((await readList(disk)).createdAt).toBe(`${DAY}T20:00:00.000Z`);
    expect(await daily({ again: true, now: new Date(`${DAY}T23:00:00Z`) })).toMatchObject(TAKEN);
    expect((await readList(disk)).createdAt).toBe(`${DAY}T23:00:00.000Z`);
    expect(await daily({ today: "2026-11-21" })).toMatchObject({ ...TAKEN, newest: "2026-11-21", backups: 2 });
  });

  it("of an older contract is taken again", async () => {
    const disk = memoryDisk();
    const { daily } = open(disk);
    await daily();
    await change(disk, `${DAY}.json`, { contract: CONTRACT_VERSION - 1 });
    expect(await daily()).toMatchObject(TAKEN);
    expect((await readList(disk)).contract).toBe(CONTRACT_VERSION);
  });

  it("gets what is recorded later in the day, and its problems stay known", async () => {
    const disk = memoryDisk();
    await open(disk).daily();
    await change(disk, `${DAY}.json`, { problems: ["one of the morning"] });
    const later = open(disk, { ...TEXTS, [HISTORY]: "more history" });
    expect(await later.daily()).toMatchObject({ ...TAKEN, problems: ["one of the morning"], backups: 1 });
    expect(await readList(disk)).toMatchObject({
      snapshot: later.published.manifest.id,
      files: [fileOf(HISTORY, YEAR, "more history"), fileOf(PERIODS, YEAR, "periods")],
      problems: ["one of the morning"],
    });
    // No list names it any more.
    expect(await disk.stat(storedAt("history"))).toBeUndefined();
    expect(await later.daily()).toMatchObject({ ...NOT_TAKEN, problems: ["one of the morning"] });
  });

  it("that has terms which are not published any more, or is of another campus, is kept under another name", async () => {
    const disk = memoryDisk();
    const first = open(disk);
    await first.daily();
    const fewer = open(disk, { [HISTORY]: "other history" });
    expect(await fewer.daily()).toMatchObject({ ...TAKEN, backups: 2 });
    const kept = `${DAY}.${first.published.manifest.id}.json`;
    expect(await listsOn(disk)).toEqual([kept, `${DAY}.json`].toSorted());
    expect((await readList(disk, kept)).files).toHaveLength(2);
    const theirs = open(disk, { [HISTORY]: "other history" }, THEIRS);
    expect(await theirs.daily()).toMatchObject(TAKEN);
    expect(await listsOn(disk)).toEqual([kept, `${DAY}.${fewer.published.manifest.id}.json`, `${DAY}.json`].toSorted());
    expect((await readList(disk)).source).toEqual(THEIRS);
  });
});

describe("files of backups that are damaged", () => {
  it("are repaired from what is published, on the first run of a day", async () => {
    const disk = memoryDisk();
    const { daily } = open(disk);
    await daily();
    disk.put(storedAt("history"), "HISTORY");
    expect(await daily()).toMatchObject(NOT_TAKEN);
    expect(await daily({ today: "2026-11-21" })).toMatchObject({ ...TAKEN, repaired: ["enrollment_history 2024"] });
    expect(await disk.readFile(storedAt("history"))).toBe("history");
    expect((await readList(disk, "2026-11-21.json")).problems).toEqual([]);
  });

  it("are named with their lists where they are published no more, also on later runs", async () => {
    const disk = memoryDisk();
    await open(disk).daily({ today: "2026-11-18" });
    await open(disk).daily({ today: "2026-11-19" });
    disk.put(storedAt("history"), "HISTORY");
    const { daily } = open(disk, { ...TEXTS, [HISTORY]: "other history" });
    const problems = [
      "enrollment_history 2024 of the backup 2026-11-19.json, 2026-11-18.json is damaged and no longer published: remove the list to give it up",
    ];
    expect(await daily()).toMatchObject({ taken: true, failed: true, repaired: [], problems });
    expect((await readList(disk)).problems).toEqual(problems);
    expect(await daily()).toMatchObject({ taken: false, failed: false, problems });
  });

  it("of another campus are left alone", async () => {
    const disk = memoryDisk();
    await open(disk, TEXTS, THEIRS).daily({ today: "2026-11-19" });
    disk.put(storedAt("history"), "HISTORY");
    const { daily } = open(disk, { [PERIODS]: "periods" });
    expect(await daily()).toMatchObject(TAKEN);
    expect(await disk.readFile(storedAt("history"))).toBe("HISTORY");
  });

  it("a list that cannot be read is set aside and named; drafts of killed runs go", async () => {
    const disk = memoryDisk();
    disk.put(`${BACKUP}/2026-11-19.json`, "{");
    disk.put(`${BACKUP}/2026-11-18.json.x.part`, "");
    disk.put(`${BACKUP}/files/x.part`, "");
    const problems = ["the list 2026-11-19.json was damaged and is now 2026-11-19.json.damaged"];
    expect(await open(disk).daily()).toMatchObject({ taken: true, failed: true, problems });
    expect(await listsOn(disk)).toEqual(["2026-11-19.json.damaged", `${DAY}.json`]);
    expect((await disk.readdir(`${BACKUP}/files`)).some((name) => name.endsWith(".part"))).toBe(false);
  });
});

describe("a published file that is damaged", () => {
  const damage = (disk: MemoryDisk, { folder, manifest }: ReturnType<typeof open>["published"]) =>
    disk.put(join(folder, manifest.files[0]?.path ?? ""), "HISTORY");
  const problems = ["enrollment_history 2024 is damaged as it is published: it cannot be backed up"];

  it("stops a day's backup, but what is backed up already needs no copy", async () => {
    const disk = memoryDisk();
    const { daily, published } = open(disk);
    damage(disk, published);
    expect(await daily()).toMatchObject({ ...FAILED, newest: null, problems });
    expect(await listsOn(disk)).toEqual([]);
    disk.put(storedAt("history"), "history");
    expect(await daily()).toMatchObject(TAKEN);
  });

  it("is left out of a backup for good", async () => {
    const disk = memoryDisk();
    const { forGood, published } = open(disk);
    damage(disk, published);
    expect(await forGood()).toMatchObject({ taken: true, failed: true, problems });
    expect(await readList(disk, `${DAY}.${published.manifest.id}.json`)).toMatchObject({
      files: [fileOf(PERIODS, YEAR, "periods")],
      problems,
    });
  });
});

it("a backup for good has the snapshot in its name, is taken once, and not of nothing", async () => {
  const disk = memoryDisk();
  expect(await open(disk, { grades: "grades" }).forGood()).toMatchObject(NOT_TAKEN);
  expect(await listsOn(disk)).toEqual([]);
  const { daily, forGood, published } = open(disk);
  disk.put(`${BACKUP}/2026-11-19.json`, "{");
  await daily({ today: "2026-11-20" });
  expect(await forGood()).toMatchObject(TAKEN);
  const name = `${DAY}.${published.manifest.id}.json`;
  expect(await listsOn(disk)).toContain(name);
  expect(await forGood({ today: "2026-11-21" })).toMatchObject(NOT_TAKEN);
  const other = open(disk, { ...TEXTS, [HISTORY]: "other history" });
  expect(await other.forGood()).toMatchObject(TAKEN);
  // Lists are the next daily backup's to set aside.
  disk.put(`${BACKUP}/2026-11-18.json`, "{");
  await open(disk, { [HISTORY]: "a third" }).forGood();
  expect(await listsOn(disk)).toContain("2026-11-18.json");
});

describe("a disk that fails", () => {
  it("is a problem without paths, and leaves no draft", async () => {
    const disk = memoryDisk();
    const full = { ...disk, copyBytes: () => Promise.reject(new Error("ENOSPC: no space left, copy '/data/x'")) };
    const report = await open(disk).daily({ disk: full });
    const problems = ["the backup could not be written: ENOSPC: no space left"];
    expect(report).toMatchObject({ ...FAILED, problems });
    const renaming = { ...disk, rename: () => Promise.reject(new Error("EIO")) };
    const stopped = { ...FAILED, problems: ["the backup could not be written: EIO"] };
    expect(await open(disk).daily({ disk: renaming })).toMatchObject(stopped);
    expect(await disk.readdir(`${BACKUP}/files`)).toEqual([]);
    const rm = async (path: string) => expect(await disk.stat(path)).toBeUndefined();
    expect(await open(disk).daily({ disk: { ...renaming, rm } })).toMatchObject(stopped);
    await disk.rm("/data");
    const texts = { ...disk, mkdir: () => Promise.reject("no error") };
    expect((await open(disk).daily({ disk: texts })).problems).toEqual(["the backup could not be written: no error"]);
  });

  it("that writes other bytes than it was given is found when the copy is read back", async () => {
    const disk = memoryDisk();
    const wrong = { ...disk, copyBytes: async (_: string, to: string) => disk.put(to, "HISTORY") };
    const problems = ["the backup could not be written: a copy does not read back as it was written"];
    expect(await open(disk).daily({ disk: wrong })).toMatchObject({ ...FAILED, problems });
    expect(await listsOn(disk)).toEqual([]);
    expect(await disk.readdir(`${BACKUP}/files`)).toEqual([]);
  });

  it("has every file before the list that names it", async () => {
    const disk = memoryDisk();
    const steps: string[] = [];
    const noted = {
      ...disk,
      syncFile: async (path: string) => void steps.push(`sync ${basename(path).replace(/[0-9a-f]{16}.*/, "")}`),
      syncFolder: async (path: string) => void steps.push(`sync folder ${basename(path)}`),
      rename: async (from: string, to: string) => {
        steps.push(`place ${basename(to) === `${DAY}.json` ? "list" : "file"}`);
        return disk.rename(from, to);
      },
    };
    await open(disk, { [HISTORY]: "history" }).daily({ disk: noted });
    expect(steps).toEqual([
      "sync ",
      "place file",
      "sync folder files",
      expect.stringMatching(/^sync 2026-11-20\.json/),
      "place list",
      "sync folder backup",
    ]);
  });
});
