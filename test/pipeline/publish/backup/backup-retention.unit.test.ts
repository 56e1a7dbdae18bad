/** Which backups stay, and which of their files. */
import { describe, expect, it } from "vitest";
import type { PublishedFile } from "../../../../pipeline/contract/documents/manifest.ts";
import type { Backup } from "../../../../pipeline/generations/backups.ts";
import {
  measureBackups,
  outdated,
  removeOutdated,
  removeUnnamed,
} from "../../../../pipeline/publish/backup/backup-retention.ts";
import { memoryDisk } from "../../../support/memory-disk.ts";

const hash = (digit: string): string => digit.repeat(64);
const fileOf = (month: string, sha256 = hash("a")): PublishedFile => ({
  ...{ table: "changes", partition: { month }, path: `changes/${month}.parquet`, sha256, rows: 1, bytes: 1 },
});
const backupOf = (day: string, months: readonly string[] = ["2026-01"]): Backup => ({
  ...{ name: `${day}.json`, day, isKept: false },
  list: {
    ...{ contract: 1, createdAt: `${day}T00:00:00Z`, snapshot: "0".repeat(16), changesBefore: null, source: {} },
    ...{ files: months.map((month) => fileOf(month)), problems: [] },
  },
});
const daysOf = (backups: readonly Backup[]) => backups.map(({ day }) => day);

describe("outdated backups", () => {
  const days = ["2026-03-01", "2026-02-28", "2026-02-20", "2026-02-19", "2026-02-18", "2026-02-17", "2026-02-16"];
  const last = days.map((day) => backupOf(day));
  const taken = last[0] as Backup;
  it("are none of the last seven, and none that is the last of its month", () => {
    const older = ["2026-02-15", "2026-01-31", "2026-01-30", "2025-12-01"].map((day) => backupOf(day));
    expect(daysOf(outdated(last, taken))).toEqual([]);
    // In any order.
    expect(daysOf(outdated([...older, ...last], taken))).toEqual(["2026-02-15", "2026-01-30"]);
    expect(daysOf(outdated([...last, ...older].toReversed(), taken))).toEqual(["2026-02-15", "2026-01-30"]);
  });
  it("are not the one that was just taken, whatever its day", () => {
    const back = backupOf("2026-02-10");
    expect(daysOf(outdated([back, ...last], back))).toEqual([]);
    expect(daysOf(outdated([back, ...last], taken))).toEqual(["2026-02-10"]);
  });
  it("are only those whose every month is in a newer one that stays", () => {
    const more = backupOf("2026-02-12", ["2026-01", "2025-11"]);
    expect(daysOf(outdated([...last, more], taken))).toEqual([]);
    const whole = [...last.slice(0, -1), backupOf("2026-02-16", ["2026-01", "2025-11"])];
    expect(daysOf(outdated([...whole, more], taken))).toEqual(["2026-02-12"]);
    // An older one does not count: what it has, it may have from before a loss.
    const before = backupOf("2026-01-31", ["2026-01", "2025-11"]);
    expect(daysOf(outdated([...last, more, before], taken))).toEqual([]);
  });

  it("are removed with the files that no list names any more", async () => {
    const disk = memoryDisk();
    const outdatedOne = backupOf("2026-02-15");
    const kept = { ...backupOf("2026-02-14"), isKept: true, name: "2026-02-14.0123456789abcdef.json" };
    for (const { name } of [...last, outdatedOne, kept]) disk.put(`/backup/${name}`, `{"sha256": "${hash("a")}"}`);
    disk.put("/backup/2026-02-15.json", hash("b"));
    for (const digit of ["a", "b"]) disk.put(`/backup/files/${hash(digit)}.parquet`, "");
    await removeOutdated("/backup", [...last, outdatedOne, kept], taken, disk);
    expect(disk.paths()).toEqual(
      [...[...last, kept].map(({ name }) => name), `files/${hash("a")}.parquet`]
        .map((path) => `/backup/${path}`)
        .sort(),
    );
    // The list of the day, taken again, stands for the one before.
    const again = { ...backupOf("2026-03-01"), name: taken.name };
    await removeOutdated("/backup", last, again, disk);
    expect(disk.paths()).toHaveLength(last.length + 2);
  });
});

describe("files of backups", () => {
  it("stay as long as any file beside them has their hash", async () => {
    const disk = memoryDisk();
    for (const [name, content] of [
      ["2026-01-01.json", `{"files":[{"sha256":"${hash("a")}"}]}`],
      ["damaged.json", `{"sha256":"${hash("b")}", and "${hash("c")}"`],
      // Of more digits it is none.
      ["other", `${hash("d")}0 0${hash("d")}`],
      [`files/${hash("0")}.txt`, ""],
      ["files/README", ""],
      [`files/x${hash("e")}.parquet`, ""],
      [`files/${hash("e")}.parquet.tmp`, ""],
    ] as const)
      disk.put(`/backup/${name}`, content);
    for (const digit of ["a", "b", "c", "d", "e"]) disk.put(`/backup/files/${hash(digit)}.parquet`, "");
    await removeUnnamed("/backup", disk);
    expect(disk.paths().filter((path) => path.startsWith("/backup/files/"))).toEqual(
      [
        `${hash("0")}.txt`,
        "README",
        `x${hash("e")}.parquet`,
        `${hash("e")}.parquet.tmp`,
        ...["a", "b", "c"].map((digit) => `${hash(digit)}.parquet`),
      ]
        .map((name) => `/backup/files/${name}`)
        .sort(),
    );
  });

  it("are measured with the lists, and nothing is where no backups are", async () => {
    const disk = memoryDisk();
    expect(await measureBackups("/data", disk)).toEqual({ newest: null, backups: 0, bytes: 0 });
    for (const { name, list } of [backupOf("2026-01-02"), backupOf("2026-01-01")])
      disk.put(`/data/backup/${name}`, JSON.stringify(list));
    disk.put(`/data/backup/files/${hash("a")}.parquet`, "1234567");
    disk.put(`/data/backup/files/${hash("b")}.parquet`, "89");
    expect(await measureBackups("/data", disk)).toEqual({ newest: "2026-01-02", backups: 2, bytes: 9 });
    // A file that is gone meanwhile has no bytes.
    const gone = {
      ...disk,
      stat: (path: string) => (path.endsWith("b.parquet") ? Promise.resolve(undefined) : disk.stat(path)),
    };
    expect(await measureBackups("/data", gone)).toMatchObject({ bytes: 7 });
    const none = memoryDisk();
    await none.mkdir("/data/backup/files");
    none.put(`/data/backup/files/${hash("a")}.parquet`, "1234567");
    expect(await measureBackups("/data", none)).toEqual({ newest: null, backups: 0, bytes: 7 });
    const broken = { ...disk, readdir: () => Promise.reject(new Error("EIO")) };
    expect(await measureBackups("/data", broken)).toEqual({ newest: null, backups: 0, bytes: 0 });
  });
});
