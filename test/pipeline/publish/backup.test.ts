/** "verified copies … daily and before every migration; keep 7 daily and then monthly copies; report the size" */
import { readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { backUpForGood } from "../../../pipeline/publish/backup/backup.ts";
import { flipByte } from "../../support/published/recorded-history.ts";
import {
  atNoon,
  backUp,
  backupFolder,
  dayAfter,
  folder,
  listNames,
  published,
  readList,
  record,
  recordBackups,
  soundFiles,
} from "./backup-days.ts";

recordBackups();

const DAY = "2022-05-17";
const pathIn = (sha256: string) => join(backupFolder(), "files", `${sha256}.parquet`);

describe("a day's backup", () => {
  test("names the recorded history of what is published; its files are copies that share nothing with it", async () => {
    await record(DAY, 1);
    const report = await backUp(DAY);
    expect(report).toMatchObject({ newest: DAY, backups: 1, taken: true, failed: false, repaired: [], problems: [] });
    const { folder: generation, manifest } = await published();
    const list = await readList(`${DAY}.json`);
    expect(list).toMatchObject({
      contract: manifest.contract,
      createdAt: atNoon(DAY).toISOString(),
      snapshot: manifest.id,
    });
    expect(list.files.map(({ table }) => table).toSorted()).toEqual(["enrollment_history", "enrollment_periods"]);
    expect(manifest.files).toEqual(expect.arrayContaining(list.files));
    expect(await soundFiles()).toEqual(list.files.map(({ sha256 }) => `${sha256}.parquet`).toSorted());
    for (const { path, sha256 } of list.files)
      expect((await stat(pathIn(sha256))).ino).not.toBe((await stat(join(generation, path))).ino);
    expect(report.bytes).toBe(list.files.reduce((sum, { bytes }) => sum + bytes, 0));
  });

  test("is as new as what is published: the hours after it add what they record, and leave it as it is where they record nothing", async () => {
    await record(DAY, 1);
    await backUp(DAY);
    const before = await readFile(join(backupFolder(), `${DAY}.json`), "utf8");
    expect(await backUp(DAY)).toMatchObject({ taken: false, failed: false, newest: DAY });
    expect(await readFile(join(backupFolder(), `${DAY}.json`), "utf8")).toBe(before);
    await record(DAY, 2);
    expect(await backUp(DAY)).toMatchObject({ taken: true, failed: false, backups: 1 });
    const { manifest } = await published();
    expect(manifest.files).toEqual(expect.arrayContaining((await readList(`${DAY}.json`)).files));
    expect(await soundFiles()).toHaveLength(2);
    expect(await backUp(dayAfter(DAY, 1))).toMatchObject({ taken: true, backups: 2 });
  });

  test("is taken again within the day when a term or month came that it lacks", async () => {
    await record("2022-05-31", 1);
    await backUp("2022-05-31");
    await record("2022-06-01", 1);
    expect(await backUp("2022-05-31")).toMatchObject({ taken: true, backups: 1 });
    expect((await readList("2022-05-31.json")).files).toHaveLength(3);
  });

  test("there is none where nothing was recorded", async () => {
    await record(DAY, 1);
    const { folder: where, manifest } = await published();
    const generation = { folder: where, manifest: { ...manifest, files: [] } };
    expect(await backUp(DAY, { generation })).toMatchObject({ taken: false, failed: false, newest: null, bytes: 0 });
  });
});

describe("what stays", () => {
  test("seven days, then the last of each month; files that no backup names go", async () => {
    const first = "2022-01-28";
    // In the middle of February every fifth day.
    for (let i = 0; i <= 40; i++) {
      if (i > 5 && i < 30 && i % 5 !== 0) continue;
      const day = dayAfter(first, i);
      await record(day, i);
      expect(await backUp(day)).toMatchObject({ taken: true, failed: false });
    }
    const days = ["2022-01-31", "2022-02-28", ...[3, 4, 5, 6, 7, 8, 9].map((day) => `2022-03-0${day}`)];
    expect(await listNames()).toEqual(days.map((day) => `${day}.json`));
    const named = new Set<string>();
    for (const name of await listNames())
      for (const { sha256 } of (await readList(name)).files) named.add(`${sha256}.parquet`);
    expect(await soundFiles()).toEqual([...named].toSorted());
  });

  test("an older backup with a term or month that no newer one has, however many come after it", async () => {
    await record(DAY, 1);
    await backUp(DAY);
    const whole = await published();
    const less = {
      ...whole,
      manifest: {
        ...whole.manifest,
        files: whole.manifest.files.filter(({ table }) => table !== "enrollment_periods"),
      },
    };
    for (let i = 1; i <= 10; i++) await backUp(dayAfter(DAY, i), { generation: less });
    expect(await listNames()).toContain(`${DAY}.json`);
    expect(await soundFiles()).toHaveLength(2);
  });

  test("of one day, the backup that has more: a run with less gets its own beside it", async () => {
    await record(DAY, 1);
    const { folder: where, manifest } = await published();
    const whole = { folder: where, manifest: { ...manifest, source: { schedule: "https://schedule.example.edu/" } } };
    await backUp(DAY, { generation: whole });
    const other = { ...whole, manifest: { ...whole.manifest, source: { schedule: "sample campus (full)" } } };
    expect(await backUp(DAY, { generation: other })).toMatchObject({ taken: true, failed: false });
    expect(await listNames()).toEqual([`${DAY}.${whole.manifest.id}.json`, `${DAY}.json`]);
    expect((await readList(`${DAY}.${whole.manifest.id}.json`)).source).toEqual(whole.manifest.source);
  });

  test("one that was taken for good, whatever comes after it", async () => {
    await record(DAY, 1);
    const generation = await published();
    const options = { dataDir: folder().data, generation, now: atNoon(DAY), today: DAY };
    expect(await backUpForGood(options)).toMatchObject({ taken: true, failed: false });
    expect(await backUpForGood(options)).toMatchObject({ taken: false, failed: false });
    for (let i = 1; i <= 40; i++) await backUp(dayAfter(DAY, i));
    expect(await listNames()).toContain(`${DAY}.${generation.manifest.id}.json`);
    expect(await soundFiles()).toHaveLength(2);
  });

  test("when the clock goes backwards: the new backup is kept, and so are the later ones", async () => {
    await record(DAY, 1);
    for (let i = 0; i < 9; i++) await backUp(dayAfter("2031-01-01", i));
    expect(await backUp("2022-05-02")).toMatchObject({ taken: true, failed: false });
    expect(await backUp("2022-05-02")).toMatchObject({ taken: false, failed: false });
    expect(await backUp("2022-05-03")).toMatchObject({ taken: true, failed: false });
    expect((await listNames()).filter((name) => name.startsWith("2031"))).toHaveLength(7);
    expect(await listNames()).toContain("2022-05-03.json");
  });
});

describe("damage at rest", () => {
  test("a flipped bit in a backup is noticed, repaired from what is published, and reported", async () => {
    await record(DAY, 1);
    await backUp(DAY);
    const [file] = (await readList(`${DAY}.json`)).files;
    await flipByte(pathIn(file?.sha256 ?? ""));
    const report = await backUp(dayAfter(DAY, 1));
    expect(report).toMatchObject({ taken: true, failed: false, problems: [] });
    expect(report.repaired).toEqual([expect.stringMatching(/^enrollment_\w+ 2022 Fall/)]);
    expect(await soundFiles()).toHaveLength(2);
  });

  test.each([
    ["flipped", (path: string) => flipByte(path)],
    ["cut off", (path: string) => truncate(path, 10)],
    ["gone", (path: string) => rm(path)],
  ])(
    "a %s file that is published no more is named with its backups; the day's own is taken all the same",
    async (_name, damage) => {
      await record(DAY, 1);
      await backUp(DAY);
      const old = (await readList(`${DAY}.json`)).files.find(({ table }) => table === "enrollment_periods");
      await record(dayAfter(DAY, 1), 2);
      await damage(pathIn(old?.sha256 ?? ""));
      const report = await backUp(dayAfter(DAY, 1));
      expect(report).toMatchObject({ taken: true, failed: true, repaired: [] });
      expect(report.problems).toEqual([
        expect.stringContaining(`enrollment_periods 2022 Fall 2022-05 of the backup ${DAY}.json is damaged`),
      ]);
      // The hours after it say so again, without failing for it.
      expect(await backUp(dayAfter(DAY, 1))).toMatchObject({ taken: false, failed: false, problems: report.problems });
    },
  );

  test("a list that is cut off is set aside and reported; the files that it still names stay", async () => {
    await record(DAY, 1);
    await backUp(DAY);
    await record(dayAfter(DAY, 1), 2);
    const list = join(backupFolder(), `${DAY}.json`);
    await truncate(list, (await stat(list)).size - 10);
    const report = await backUp(dayAfter(DAY, 1));
    expect(report).toMatchObject({ taken: true, failed: true, backups: 1 });
    expect(report.problems).toEqual([`the list ${DAY}.json was damaged and is now ${DAY}.json.damaged`]);
    expect((await soundFiles()).length).toBeGreaterThan(2);
  });

  test("a published file that is damaged does not replace anything: no backup is taken, and that is reported", async () => {
    await record(DAY, 1);
    await backUp(DAY);
    await record(dayAfter(DAY, 1), 2);
    const { folder: generation, manifest } = await published();
    const file = manifest.files.find(({ table }) => table === "enrollment_periods");
    await flipByte(join(generation, file?.path ?? ""));
    const report = await backUp(dayAfter(DAY, 1));
    expect(report).toMatchObject({ taken: false, failed: true, newest: DAY });
    expect(report.problems).toEqual([expect.stringContaining("damaged as it is published")]);
    expect((await soundFiles()).length).toBeGreaterThanOrEqual(2);
  });

  test("a list of a newer program, and what it names, stay as they are", async () => {
    await record(DAY, 1);
    await backUp(DAY);
    const sha256 = "ab".repeat(32);
    await writeFile(join(backupFolder(), "2022-05-10.json"), JSON.stringify({ contract: 99, things: [sha256] }));
    await writeFile(pathIn(sha256), "something");
    for (let i = 1; i <= 12; i++) expect(await backUp(dayAfter(DAY, i))).toMatchObject({ failed: false });
    expect(await listNames()).toContain("2022-05-10.json");
    expect(await readFile(pathIn(sha256), "utf8")).toBe("something");
  });
});

describe("a backup folder that cannot be written", () => {
  test("is named in the report, and a backup is taken as soon as it can be", async () => {
    await record(DAY, 1);
    await writeFile(backupFolder(), "in the way");
    const report = await backUp(DAY);
    expect(report).toMatchObject({ taken: false, failed: true, newest: null });
    expect(report.problems).toEqual([expect.stringMatching(/^the backup could not be written: E\w+: [\w ]+$/)]);
    await rename(backupFolder(), `${backupFolder()}.aside`);
    expect(await backUp(DAY)).toMatchObject({ taken: true, failed: false });
  });
});
