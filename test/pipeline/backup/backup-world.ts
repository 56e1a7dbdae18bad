/** Published snapshots of text files, and the backups of them, on a disk in memory. */
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import type { BackupReport } from "../../../pipeline/contract/documents/run-report.ts";
import { backUpDaily, backUpForGood } from "../../../pipeline/backup/backup.ts";
import { openBackups, readState } from "../../../pipeline/backup/backups.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { fileOf, putGeneration } from "../../support/memory-generations.ts";

export const [HISTORY, PERIODS] = ["enrollment_history", "enrollment_periods"] as const;
export const OURS = { schedule: "https://example.edu" };
export const THEIRS = { schedule: "sample campus (standard)" };
export const DAY = "2026-11-20";
export const TEXTS = { [HISTORY]: "history", [PERIODS]: "periods", grades: "grades" };

export const objectOf = (text: string, table: string = HISTORY): string => fileOf(table, { year: "2024" }, text).path;

/** `2026-11-20`, and so many days later. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

export interface Taken {
  readonly day?: string;
  readonly hour?: number;
  readonly texts?: Readonly<Record<string, string>>;
  readonly source?: Manifest["source"];
  readonly contract?: number;
  readonly forGood?: boolean;
  readonly disk?: MemoryDisk;
  /** Called once the snapshot is published. */
  readonly before?: (published: ReturnType<typeof putGeneration>) => void;
}

export function openWorld(disk = memoryDisk(), dataDir = "/data") {
  let number = 0;
  const store = openBackups(dataDir, disk);
  return {
    disk,
    store,
    async take({
      before,
      disk: other,
      forGood,
      source = OURS,
      texts = TEXTS,
      ...given
    }: Taken = {}): Promise<BackupReport> {
      const contract = given.contract === undefined ? {} : { contract: given.contract };
      const published = putGeneration(disk, { number: ++number, texts, manifest: { source, ...contract } });
      before?.(published);
      const now = new Date(`${given.day ?? DAY}T${given.hour ?? 20}:00:00Z`);
      return (forGood ? backUpForGood : backUpDaily)({ dataDir, published, now, disk: other ?? disk });
    },
    /** The times of the backups, newest first; those that are kept for good are marked. */
    async times(): Promise<string[]> {
      const { current, retained } = await readState(store);
      const all = current ? [{ ...current.snapshot, isKept: current.isKept }, ...retained] : [];
      return all.map(({ createdAt, isKept }) => `${createdAt.slice(0, 13)}${isKept ? " kept" : ""}`);
    },
    async newest(): Promise<Manifest> {
      const { current } = await readState(store);
      if (!current) throw new Error("there is no backup");
      return current.snapshot;
    },
    /** The keys of the objects and documents. */
    keys: () =>
      disk.paths().flatMap((path) => (path.startsWith(`${dataDir}/`) ? path.slice(`${dataDir}/backup/`.length) : [])),
    damage: (key: string) => disk.put(`${dataDir}/backup/${key}`, "DAMAGED"),
  };
}
