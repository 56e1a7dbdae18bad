/** Days on each of which a history is recorded, published and backed up; and what stands in the backup folder then. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { BackupList } from "../../../pipeline/contract/documents/backup.ts";
import { backUpDaily, type BackupOptions } from "../../../pipeline/publish/backup/backup.ts";
import { type Generation, readCurrent } from "../../../pipeline/generations/generation.ts";
import { enrolled, type HistoryDays, openHistoryDays } from "../../support/published/history-days.ts";
import { saw } from "../products/recorded-days.ts";
import { openFolder } from "../../support/whole-run.ts";

let place: Awaited<ReturnType<typeof openFolder>>;
let recorded: HistoryDays;

/** To be called where the tests are declared. */
export function recordBackups(): void {
  beforeEach(async () => {
    place = await openFolder();
    await mkdir(join(place.data, "enrollment"), { recursive: true });
    recorded = await openHistoryDays(place);
  });
  afterEach(async () => {
    recorded.close();
    await place.remove();
  });
}

export const folder = () => place;
export const backupFolder = () => join(place.data, "backup");
export const atNoon = (day: string) => new Date(`${day}T20:00:00Z`);

export async function published(): Promise<Generation> {
  const generation = await readCurrent(place.artifacts);
  if (!generation) throw new Error("nothing is published");
  return generation;
}

/** Records one section with that many enrolled. */
export const record = (day: string, count: number) => recorded.run(day, saw(enrolled(count)));

/** Backs up what is published, as the day's run does. */
export async function backUp(day: string, change: Partial<BackupOptions> = {}) {
  return backUpDaily({ dataDir: place.data, generation: await published(), now: atNoon(day), today: day, ...change });
}

export async function listNames(): Promise<string[]> {
  return (await readdir(backupFolder())).filter((name) => name !== "files");
}

export async function readList(name: string): Promise<BackupList> {
  return JSON.parse(await readFile(join(backupFolder(), name), "utf8")) as BackupList;
}

/** The names of the backed-up files, each compared with its content. */
export async function soundFiles(): Promise<string[]> {
  const names = (await readdir(join(backupFolder(), "files"))).toSorted();
  for (const name of names) {
    const sha256 = createHash("sha256")
      .update(await readFile(join(backupFolder(), "files", name)))
      .digest("hex");
    if (name !== `${sha256}.parquet`) throw new Error(`${name} has another content`);
  }
  return names;
}

/** `2024-05-17`, and so many days later. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
