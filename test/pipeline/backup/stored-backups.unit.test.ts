/** Copies the backups of two machines to the store that they publish to, and back. */
import { describe, expect, it } from "vitest";
import { readBackups, readState } from "../../../pipeline/backup/backups.ts";
import { backupsBelow, fetchBackups, storeBackups } from "../../../pipeline/backup/stored-backups.ts";
import { POINTER } from "../../../pipeline/store/pointer.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import type { Store } from "../../../pipeline/store/store.ts";
import { memoryDisk } from "../../support/memory-disk.ts";
import { DAY, dayAfter, HISTORY, objectOf, openWorld, PERIODS, TEXTS, THEIRS } from "./backup-world.ts";

const NEXT = dayAfter(DAY, 1);
const LATER = new Date(`${dayAfter(DAY, 1)}T23:00:00Z`);
const noLock = async () => ({ assertHeld: async () => undefined, release: async () => undefined });
const history = (text: string) => ({ ...TEXTS, [HISTORY]: text });

function openPlaces() {
  const disk = memoryDisk();
  const shared = openFolderStore("/shared", disk, { lock: noLock });
  const backups = (machine: string) => ({ dataDir: `/${machine}`, mark: undefined, disk });
  return {
    ...{ disk, shared, there: backupsBelow(shared), a: openWorld(disk, "/a"), b: openWorld(disk, "/b") },
    give: (machine: string, store: Store = shared) => storeBackups(store, backups(machine), LATER),
    bring: (machine: string, mark?: string) => fetchBackups(shared, { ...backups(machine), mark }),
    keys: () => disk.paths().flatMap((path) => (path.startsWith("/shared/") ? [path.slice("/shared/".length)] : [])),
  };
}

const namesIn = async (store: Store): Promise<string[]> => {
  const { current, retained } = await readState(store);
  const all = current ? [{ ...current.snapshot, isKept: current.isKept }, ...retained] : [];
  return all.map(({ createdAt, isKept }) => `${createdAt.slice(0, 13)}${isKept ? " kept" : ""}`);
};

describe("backups in a store", () => {
  it("are those of the machine, below backup/; a second copy writes nothing", async () => {
    const { a, disk, give, keys, shared, there } = openPlaces();
    await a.take({ forGood: true, hour: 18 });
    await a.take({ day: NEXT, texts: history("more") });
    expect(await give("a")).toEqual([]);
    expect(await namesIn(there)).toEqual([`${NEXT}T20`, `${DAY}T18 kept`]);
    expect(keys()).toEqual(a.keys().map((key) => `backup/${key}`));
    const before = disk.paths();
    expect(await give("a", { ...shared, replace: () => Promise.reject(new Error("written")) })).toEqual([]);
    expect(disk.paths()).toEqual(before);
  });

  it("of two machines: whoever is slower goes on from the other's pointer, and nothing recorded is lost", async () => {
    const { a, b, disk, give, shared, there } = openPlaces();
    await a.take({ day: NEXT, texts: history("of a") });
    await b.take({ day: NEXT, hour: 21, texts: { [HISTORY]: "of b" } });
    let isOvertaken = false;
    const slow: Store = {
      ...shared,
      async replace(...replacement) {
        if (!isOvertaken && replacement[0] === `backup/${POINTER}`) {
          isOvertaken = true;
          await give("b");
          await disk.mkdir("/shared/.drafts");
        }
        return shared.replace(...replacement);
      },
    };
    await give("a", slow);
    // The one of a has periods, which that of b lacks.
    expect(await namesIn(there)).toEqual([`${NEXT}T21`, `${NEXT}T20`]);
    const texts = (await readBackups(there)).flatMap(({ files }) => files.map(({ path }) => path));
    expect(texts).toEqual(expect.arrayContaining([objectOf("of a"), objectOf("of b")]));
  });

  it("are retained by the same rule, and what one machine keeps for good, all do", async () => {
    const { a, give, there } = openPlaces();
    await a.take({ hour: 18, texts: history("morning") });
    await give("a");
    await a.take({ texts: history("evening") });
    await give("a");
    expect(await namesIn(there)).toEqual([`${DAY}T20`]);
    await a.take({ forGood: true, hour: 21, texts: history("displaced") });
    await a.take({ day: NEXT, source: THEIRS });
    await give("a");
    expect(await namesIn(there)).toEqual([`${NEXT}T20`, `${DAY}T21 kept`]);
  });

  it("have damaged objects replaced with the next one that names them", async () => {
    const { a, disk, give } = openPlaces();
    await a.take();
    await give("a");
    const damaged = `/shared/backup/${objectOf("periods", PERIODS)}`;
    disk.put(damaged, "DAMAGED");
    await a.take({ day: NEXT, texts: history("more") });
    expect(await give("a")).toEqual([]);
    expect(await disk.readFile(damaged)).toBe("periods");
  });

  it("are brought to a machine that lacks them, with their times; damaged objects are left out", async () => {
    const { a, b, bring, disk, give, there } = openPlaces();
    await a.take({ texts: history("first") });
    await a.take({ day: NEXT, texts: history("second") });
    await give("a");
    disk.put(`/shared/backup/${objectOf("second")}`, "DAMAGED");
    await b.take({ hour: 18, texts: history("of b") });
    expect(await bring("b")).toEqual([]);
    expect(await b.times()).toEqual([`${NEXT}T20`, `${DAY}T20`, `${DAY}T18`]);
    expect((await readBackups(b.store)).length).toBe(3);
    expect(b.keys()).toEqual(expect.arrayContaining([objectOf("first"), objectOf("of b")]));
    expect(b.keys()).not.toContain(objectOf("second"));
    expect(await namesIn(there)).toEqual([`${NEXT}T20`, `${DAY}T20`]);
  });

  it("from before a take-down are not brought, and said", async () => {
    const { a, b, bring, give } = openPlaces();
    await a.take();
    await give("a");
    expect(await bring("b", "0123456789abcdef")).toEqual([
      `the backup of ${DAY} in /shared/backup may have what was taken down here`,
    ]);
    expect(await b.times()).toEqual([]);
  });
});
