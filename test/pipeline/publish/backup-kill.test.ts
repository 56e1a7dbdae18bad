/** A backup that is killed, or whose disk fails, at any step: what was backed up before stays sound, and the next run takes it. */
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backUpDaily } from "../../../pipeline/publish/backup/backup.ts";
import { backupPath, readBackupFolder } from "../../../pipeline/generations/backups.ts";
import { isSound } from "../../../pipeline/generations/file-check.ts";
import { nodeDisk } from "../../../pipeline/publish/disk.ts";
import { someOf } from "../../support/extent.ts";
import { atNoon, backUp, backupFolder, dayAfter, folder, published, record, recordBackups } from "./backup-days.ts";
import { DIVISIBLE, type Fault, FAULTS, faultyDisk } from "./faulty-disk.ts";

recordBackups();

const DAY = "2022-05-17";

test.each(someOf(FAULTS, 3))("%s", async (fault: Fault) => {
  // Eight days, so that the ninth also removes one.
  for (let i = 0; i < 8; i++) {
    await record(dayAfter(DAY, i), i);
    await backUp(dayAfter(DAY, i));
  }
  const today = dayAfter(DAY, 8);
  await record(today, 8);
  const generation = await published();
  const options = (dataDir: string) => ({ dataDir, generation, now: atNoon(today), today });
  const copy = (name: string) => {
    const data = join(folder().data, name);
    mkdirSync(data);
    cpSync(backupFolder(), join(data, "backup"), { recursive: true });
    return data;
  };
  const traced = faultyDisk();
  await backUpDaily({ ...options(copy("traced")), disk: traced.disk });
  expect(traced.steps.length).toBeGreaterThan(10);
  for (const [at, { name }] of traced.steps.entries()) {
    if (fault === "kill-during" && !DIVISIBLE.has(name)) continue;
    const data = copy(`at-${at}`);
    const { disk } = faultyDisk({ at, fault });
    const report = await backUpDaily({ ...options(data), disk });
    // What reached the disk is whole: every list is readable, and every file that a list names is sound.
    const { backups, damaged } = await readBackupFolder(join(data, "backup"), nodeDisk);
    expect(damaged).toEqual([]);
    expect(backups.length).toBeGreaterThanOrEqual(7);
    for (const { list } of backups)
      for (const file of list.files)
        expect(await isSound(backupPath(join(data, "backup"), file.sha256), file, nodeDisk)).toBe(true);
    if (!fault.startsWith("kill")) expect(report.failed || report.taken).toBe(true);
    const next = await backUpDaily(options(data));
    expect(next).toMatchObject({ failed: false, problems: [], newest: today });
    expect((await nodeDisk.readdir(join(data, "backup"))).filter((entry) => entry.endsWith(".part"))).toEqual([]);
  }
});
