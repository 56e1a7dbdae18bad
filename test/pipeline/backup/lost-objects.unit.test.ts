/** What is lost comes back from any other store that has it, by its hash: on a disk in memory. */
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import {
  type CopySources,
  fillArtifacts,
  fillEarlier,
  localPlaces,
  ownBackups,
  restoreOlderState,
} from "../../../pipeline/backup/lost-objects.ts";
import { UpstreamRefused } from "../../../pipeline/errors.ts";
import { findDamaged } from "../../../pipeline/store/file-check.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import type { StoreReader } from "../../../pipeline/store/store.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, fileOf, putGeneration } from "../../support/memory-generations.ts";
import { openWorld } from "./backup-world.ts";

const ours = { schedule: "https://example.edu" };
const theirs = { schedule: "sample campus (standard)" };
const HISTORY = "enrollment_history";

const sourcesOn = (disk: MemoryDisk): CopySources => ({
  ...{ artifacts: ARTIFACTS, dataDir: "/data", contract: CONTRACT_VERSION, disk },
  source: ours,
});

describe("lost objects", () => {
  /** What became of an object in a store. */
  const STATES = ["sound", "damaged", "missing"] as const;
  const YEARS = ["2021", "2022", "2023", "2024"];
  const files = YEARS.map((year) => fileOf("grades", { year }, `grades of ${year}`));
  const textOf = (path: string) => `grades of ${YEARS[files.findIndex((file) => file.path === path)]}`;
  const put = (disk: MemoryDisk, folder: string, states: readonly (typeof STATES)[number][]) => {
    for (const [i, { path }] of files.entries()) {
      if (states[i] === "sound") disk.put(join(folder, path), textOf(path));
      if (states[i] === "damaged") disk.put(join(folder, path), textOf(path).toUpperCase());
    }
  };
  const statesOfAll = fc.array(fc.constantFrom(...STATES), { minLength: YEARS.length, maxLength: YEARS.length });
  const unreachable: StoreReader = {
    name: "bucket",
    read: () => Promise.reject(new UpstreamRefused("bucket", "there is no way to it")),
    download: () => Promise.reject(new UpstreamRefused("bucket", "there is no way to it")),
  };

  it("come back exactly if a place that can be reached has a sound copy, from the first such place", () =>
    fc.assert(
      fc.asyncProperty(
        statesOfAll,
        fc.array(statesOfAll, { maxLength: 3 }),
        fc.boolean(),
        async (here, others, isCut) => {
          const disk = memoryDisk();
          put(disk, ARTIFACTS, here);
          const folders = others.map((states, i) => {
            put(disk, `/place-${i}`, states);
            return openFolderStore(`/place-${i}`, disk);
          });
          const places = isCut ? [unreachable, ...folders] : folders;
          const { filled, lost } = await fillArtifacts(ARTIFACTS, await findDamaged(ARTIFACTS, files, disk), places, {
            disk,
            log: silentLog,
          });
          const firstWith = (i: number) => others.findIndex((states) => states[i] === "sound");
          const expected = files.flatMap((file, i) =>
            here[i] === "sound" ? [] : [[file.path, firstWith(i) < 0 ? "lost" : `/place-${firstWith(i)}`]],
          );
          const outcomes = [
            ...filled.map(({ file, from }) => [file.path, from]),
            ...lost.map(({ file }) => [file.path, "lost"]),
          ];
          expect(outcomes.sort()).toEqual(expected.sort());
          expect(await findDamaged(ARTIFACTS, files, disk)).toEqual(lost);
          for (const { file } of filled) {
            const [copy, original] = [await disk.stat(join(ARTIFACTS, file.path)), firstWith(files.indexOf(file))];
            // One bad block must not damage both.
            expect(copy?.inode).not.toBe((await disk.stat(`/place-${original}/${file.path}`))?.inode);
          }
          expect(await disk.readdir(`${ARTIFACTS}/staging`)).toEqual([]);
        },
      ),
    ));

  it("are looked for in checkouts with files of their own, and in the backups", async () => {
    const { disk, take } = openWorld();
    await take({ texts: { [HISTORY]: "recorded", grades: "a" } });
    const { manifest } = putGeneration(disk, {
      number: 9,
      texts: { [HISTORY]: "recorded", grades: "a" },
      isCurrent: true,
    });
    const [recorded, grades] = manifest.files;
    const outcomesOf = async () => {
      const lost = await findDamaged(ARTIFACTS, manifest.files, disk);
      const { filled } = await fillArtifacts(ARTIFACTS, lost, await localPlaces(sourcesOn(disk)), {
        disk,
        log: silentLog,
      });
      return filled.map(({ file, from }) => [file.table, from]);
    };
    expect(await outcomesOf()).toEqual([]);
    const linked = (path = "") => join(ARTIFACTS, "checkouts", `9-${manifest.id}`, path);
    for (const file of [recorded, grades]) {
      disk.put(join(ARTIFACTS, file?.path ?? ""), "A");
      disk.put(linked(file?.path), "A", join(ARTIFACTS, file?.path ?? ""));
    }
    expect(await outcomesOf()).toEqual([[HISTORY, "the backup"]]);
    // On a file system without hard links the checkout has a copy of its own.
    disk.put(linked(grades?.path), "a");
    expect(await outcomesOf()).toEqual([["grades", "what is published"]]);
  });
});

describe("lost objects of earlier snapshots", () => {
  it("are filled where they are suspected, and named where no other store has them", async () => {
    const disk = memoryDisk();
    const put = (number: number, grades: string, isCurrent = false) =>
      putGeneration(disk, { number, texts: { grades, courses: "courses" }, isCurrent }).manifest.files;
    const [[gone], [damaged], [sound], [current]] = [put(1, "a"), put(2, "b"), put(3, "c"), put(4, "d", true)];
    await disk.rm(join(ARTIFACTS, gone?.path ?? ""));
    disk.put(join(ARTIFACTS, damaged?.path ?? ""), "B");
    disk.put(join(ARTIFACTS, current?.path ?? ""), "D");
    const other = openFolderStore("/other", disk);
    for (const [file, text] of [
      [damaged, "b"],
      [sound, "c"],
      [current, "d"],
    ] as const)
      disk.put(join("/other", file?.path ?? ""), text);
    const fillIf = (isSuspected: (path: string) => boolean) =>
      fillEarlier(ARTIFACTS, isSuspected, [other], { disk, log: silentLog });
    const lost = [`${gone?.path} of an earlier snapshot is lost: no other store has it`];
    expect(await fillIf((path) => path === gone?.path)).toEqual(lost);
    expect(await disk.readFile(join(ARTIFACTS, damaged?.path ?? ""))).toBe("B");
    expect(await fillIf(() => true)).toEqual(lost);
    expect(await disk.readFile(join(ARTIFACTS, damaged?.path ?? ""))).toBe("b");
    // A run has verified the current snapshot before.
    expect(await disk.readFile(join(ARTIFACTS, current?.path ?? ""))).toBe("D");
  });
});

describe("older states of recorded history", () => {
  it("are restored, the newest sound one first: of our campus, this contract and this part", async () => {
    const { disk, take } = openWorld();
    const lost = fileOf(HISTORY, { year: "2024" }, "recorded");
    const published = (number: number, text: string, manifest: Partial<Manifest> = {}) =>
      putGeneration(disk, { number, texts: { [HISTORY]: text, grades: "a" }, manifest: { source: ours, ...manifest } });
    await take({ day: "2026-11-02", texts: { [HISTORY]: "backed up" } });
    await take({ day: "2026-11-03", texts: { [HISTORY]: "of another campus" }, source: theirs });
    for (const path of disk.paths()) if (path.startsWith(`${ARTIFACTS}/snapshots`)) await disk.rm(path);
    published(1, "older");
    published(5, "newer");
    published(6, "another campus", { source: theirs });
    published(7, "another contract", { contract: CONTRACT_VERSION - 1 });
    const restored: (string | undefined)[][] = [];
    for (;;) {
      const state = await restoreOlderState(sourcesOn(disk), lost, "/files");
      if (!state) break;
      restored.push([state.from.replace(/-[0-9a-f]{16}$/, ""), state.stateOf]);
      const path = state.place.locate?.(state.file.path) ?? "";
      expect(await disk.readFile(join("/files", state.file.path))).toBe(await disk.readFile(path));
      disk.put(path, "damaged");
    }
    expect(restored).toEqual([
      ["snapshot 5", "2026-11-05T00:00:00.000Z"],
      ["the backup of 2026-11-02", "2026-11-02T20:00:00.000Z"],
      ["snapshot 1", "2026-11-01T00:00:00.000Z"],
    ]);
    expect(
      await restoreOlderState(sourcesOn(disk), { ...lost, partition: { year: "2023" } }, "/files"),
    ).toBeUndefined();
    expect((await ownBackups(sourcesOn(disk))).map(({ createdAt }) => createdAt)).toEqual(["2026-11-02T20:00:00.000Z"]);
  });
});
