/** How a generation is made, numbered and put in service, on a disk in memory. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EarlierSnapshot } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { GuardError } from "../../../pipeline/errors.ts";
import { type Base, readBase } from "../../../pipeline/generations/base.ts";
import { readCurrent } from "../../../pipeline/generations/generation.ts";
import { snapshotId } from "../../../pipeline/generations/snapshot-id.ts";
import type { Disk } from "../../../pipeline/publish/disk.ts";
import { publishFiles, type PublishOptions, type Staged } from "../../../pipeline/publish/publication.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, fileOf, putGeneration } from "../../support/memory-generations.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const FOLDER = `${ARTIFACTS}/staging/run`;
const NOTHING: Base = { generation: undefined, damage: undefined, damaged: [], unreadable: undefined };

/** A disk with these texts in a run's staging folder. */
function stage(disk: MemoryDisk, texts: Readonly<Record<string, string>>): Staged["files"] {
  return Object.entries(texts).map(([table, text]) => {
    const file = fileOf(table, { year: "2024" }, text);
    const at = join(FOLDER, "files", file.path);
    if (!disk.paths().includes(at)) disk.put(at, text);
    return { file, at };
  });
}
async function publish(
  disk: MemoryDisk,
  texts: Readonly<Record<string, string>>,
  { staged = {}, ...options }: Partial<PublishOptions> & { staged?: Partial<Staged> } = {},
) {
  const base = await readBase(ARTIFACTS, disk);
  const given = { artifacts: ARTIFACTS, folder: FOLDER, disk, base, files: stage(disk, texts), ...staged };
  const published = await publishFiles(given, { source: { schedule: "a campus" }, now: NOW, ...options });
  await disk.rm(FOLDER);
  return published;
}
const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error) => (error instanceof GuardError ? `GuardError: ${error.message}` : error.message),
  );

describe("the first generation", () => {
  it("has every file under its own path, and a manifest that names them in order", async () => {
    const disk = memoryDisk();
    const { changed, generation, id } = await publish(disk, { sections: "b", grades: "a" });
    const { folder, manifest } = generation;
    const files = [fileOf("grades", { year: "2024" }, "a"), fileOf("sections", { year: "2024" }, "b")];
    expect({ changed, folder, id }).toEqual({
      ...{ changed: true, folder: `${ARTIFACTS}/generations/1-${id}`, id: snapshotId(files, null) },
    });
    expect(manifest).toEqual({
      ...{ contract: CONTRACT_VERSION, id, contentId: manifest.contentId, generation: 1, createdAt: NOW.toISOString() },
      ...{ source: { schedule: "a campus" }, changesBefore: null, snapshots: [], files },
    });
    expect(disk.paths()).toEqual(
      [`${ARTIFACTS}/current`, `${folder}/manifest.json`, ...files.map(({ path }) => join(folder, path))].toSorted(),
    );
    expect(await disk.readFile(`${folder}/manifest.json`)).toBe(`${JSON.stringify(manifest, null, 1)}\n`);
    expect(await disk.readlink(`${ARTIFACTS}/current`)).toBe(`generations/1-${id}`);
    expect((await disk.stat(folder))?.modifiedMs).toBe(NOW.getTime());
    expect(await readCurrent(ARTIFACTS, disk)).toEqual(generation);
  });

  it("needs a file; one that is missing is listed, for the next run to fetch", async () => {
    const disk = memoryDisk();
    expect(await messageOf(publish(disk, {}))).toBe("GuardError: nothing to publish: no table has a file");
    const lost = fileOf("grades", { year: "2024" }, "a");
    const { generation } = await publish(disk, {}, { staged: { files: [{ file: lost, at: undefined }] } });
    expect(generation.manifest.files).toEqual([lost]);
    expect(disk.paths()).not.toContain(join(generation.folder, lost.path));
  });

  it("lists files of views with those of the tables, which alone make its ids", async () => {
    const [alone, disk] = [memoryDisk(), memoryDisk()];
    const view = { ...fileOf("views/a", {}, "a view"), madeOf: "1".repeat(64) };
    const at = `${FOLDER}/view`;
    disk.put(at, "a view");
    const files = [{ file: view, at }, ...stage(disk, { grades: "a" })];
    const { generation, id } = await publish(disk, {}, { staged: { files } });
    const grades = fileOf("grades", { year: "2024" }, "a");
    expect(generation.manifest.files).toEqual([grades, view]);
    expect(await disk.readFile(join(generation.folder, view.path))).toBe("a view");
    const without = await publish(alone, { grades: "a" });
    expect([id, generation.manifest.contentId]).toEqual([without.id, without.generation.manifest.contentId]);
    // A damaged file of a view does not keep the snapshot from being offered.
    disk.put(join(generation.folder, view.path), "a View");
    const next = await publish(disk, { grades: "b" });
    expect(next.generation.manifest.snapshots.map((earlier) => earlier.id)).toEqual([id]);
  });
});

describe("the next generation", () => {
  it("has the next number, beyond all that were ever placed, and names the ones before it", async () => {
    const disk = memoryDisk();
    const first = await publish(disk, { grades: "a" });
    putGeneration(disk, { number: 7, texts: { grades: "never switched to" } });
    const later = new Date(NOW.getTime() + 1000);
    const second = await publish(disk, { grades: "b" }, { now: later });
    expect(second.generation.manifest).toMatchObject({
      generation: 8,
      snapshots: [
        { id: first.id, generation: 1, createdAt: NOW.toISOString(), replacedAt: later.toISOString() },
      ] satisfies EarlierSnapshot[],
    });
    // When it was last in service.
    expect((await disk.stat(first.generation.folder))?.modifiedMs).toBe(later.getTime());
    await disk.rm(first.generation.folder);
    const third = await publish(disk, { grades: "c" }, { now: later });
    expect(third.generation.manifest.snapshots.map(({ generation }) => generation)).toEqual([8]);
  });

  it("is the same one where nothing changed, and a new one after damage", async () => {
    const disk = memoryDisk();
    const first = await publish(disk, { grades: "a" });
    expect(await publish(disk, { grades: "a" })).toEqual({ ...first, changed: false });
    const at = join(first.generation.folder, first.generation.manifest.files[0]?.path ?? "");
    disk.put(at, "A");
    const again = await publish(disk, { grades: "a" });
    expect(again).toMatchObject({
      changed: true,
      id: first.id,
      generation: { manifest: { generation: 2, snapshots: [] } },
    });
  });

  it("under a clock that was ahead says nothing that is later than now", async () => {
    const disk = memoryDisk();
    await publish(disk, { grades: "a" }, { now: new Date("2027-01-01T00:00:00Z") });
    const { generation } = await publish(disk, { grades: "b" });
    const [one] = generation.manifest.snapshots;
    expect([one?.createdAt, one?.replacedAt]).toEqual([NOW.toISOString(), NOW.toISOString()]);
  });

  it("keeps the mark of what was taken down", async () => {
    const disk = memoryDisk();
    const mark = "a".repeat(16);
    const first = await publish(disk, { grades: "a" }, { staged: { base: NOTHING, forgotten: mark } });
    const second = await publish(disk, { grades: "b" }, { staged: { forgotten: "b".repeat(16) } });
    expect([first, second].map(({ generation }) => generation.manifest.forgotten)).toEqual([mark, mark]);
  });

  it("has a number beyond that of a generation that is linked and gone", async () => {
    const disk = memoryDisk();
    disk.putLink(`${ARTIFACTS}/current`, `generations/12-${"a".repeat(16)}`);
    const { generation } = await publish(disk, { grades: "a" }, { staged: { base: NOTHING } });
    expect(generation.manifest.generation).toBe(13);
  });

  it("has its files in the order of their paths, whatever the order they came in", async () => {
    const texts = { sections: "a", courses: "b", larc: "c", grades: "d" };
    const { generation } = await publish(memoryDisk(), texts);
    expect(generation.manifest.files.map(({ table }) => table)).toEqual(["courses", "grades", "larc", "sections"]);
    expect(Object.hasOwn(generation.manifest, "forgotten")).toBe(false);
  });

  it("of a migration names the older one as served until now", async () => {
    const disk = memoryDisk();
    const older = putGeneration(disk, {
      number: 3,
      texts: { grades: "a" },
      manifest: { contract: CONTRACT_VERSION - 1 },
      isCurrent: true,
    });
    const { generation } = await publish(disk, { grades: "a" }, { staged: { base: NOTHING, migrated: older } });
    const { createdAt, id } = older.manifest;
    expect(generation.manifest).toMatchObject({
      ...{ generation: 4, snapshots: [{ id, generation: 3, createdAt, replacedAt: NOW.toISOString() }] },
    });
  });
});

describe("a copy", () => {
  it("has the time, number and earlier snapshots of its original, unless there is a higher number", async () => {
    const disk = memoryDisk();
    const createdAt = "2026-11-01T00:00:00.000Z";
    const snapshots = [{ id: "1".repeat(16), generation: 4, createdAt, replacedAt: createdAt }];
    const copyOf = { createdAt, generation: 5, changesBefore: "c".repeat(64), snapshots };
    const { generation } = await publish(disk, { grades: "a" }, { copyOf });
    expect(generation.manifest).toMatchObject({ ...copyOf });
    expect(generation.manifest.id).toBe(snapshotId(generation.manifest.files, copyOf.changesBefore));
    const lower = await publish(
      disk,
      { grades: "b" },
      { copyOf: { ...copyOf, generation: 2, forgotten: "d".repeat(16) } },
    );
    expect(lower.generation.manifest).toMatchObject({ generation: 6, forgotten: "d".repeat(16) });
  });
});

describe("nothing is put in service", () => {
  const refused = async (options: Partial<PublishOptions>) => {
    const disk = memoryDisk();
    await publish(disk, { grades: "a" });
    const before = await disk.readlink(`${ARTIFACTS}/current`);
    const message = await messageOf(publish(disk, { grades: "b" }, options));
    expect(await disk.readlink(`${ARTIFACTS}/current`)).toBe(before);
    return { message, generations: (await disk.readdir(`${ARTIFACTS}/generations`)).length };
  };
  const fail = (message: string) => () => Promise.reject(new Error(message));

  it("when it could not be published elsewhere first, or the lock is lost", async () => {
    expect(await refused({ publishFirst: fail("the store is away") })).toEqual({
      message: "the store is away",
      generations: 1,
    });
    expect(await refused({ assertHeld: fail("another run took over") })).toEqual({
      message: "another run took over",
      generations: 1,
    });
    let asked = 0;
    const lostLater = () => (++asked === 2 ? fail("taken over")() : Promise.resolve());
    expect(await refused({ assertHeld: lostLater })).toEqual({ message: "taken over", generations: 2 });
  });

  it("is told the complete tree first", async () => {
    const disk = memoryDisk();
    const told: string[] = [];
    const publishFirst: PublishOptions["publishFirst"] = async ({ folder, manifest }) => {
      told.push(
        folder,
        ...manifest.files.map(({ path }) => join(folder, path)).filter((path) => disk.paths().includes(path)),
      );
      expect(await disk.stat(`${ARTIFACTS}/current`)).toBeUndefined();
    };
    await publish(disk, { grades: "a" }, { publishFirst });
    expect(told).toEqual([`${FOLDER}/generation`, expect.stringContaining("/grades/")]);
  });

  it("when another run published in the meantime", async () => {
    const disk = memoryDisk();
    await publish(disk, { grades: "a" });
    const other = async () => void putGeneration(disk, { number: 5, texts: { grades: "other" }, isCurrent: true });
    expect(await messageOf(publish(disk, { grades: "b" }, { publishFirst: other }))).toBe(
      "GuardError: another run published in the meantime",
    );
  });

  it("where current is a folder of somebody's", async () => {
    const disk = memoryDisk();
    disk.put(`${ARTIFACTS}/current/file`, "");
    expect(await messageOf(publish(disk, { grades: "a" }, { staged: { base: NOTHING } }))).toBe(
      `GuardError: ${ARTIFACTS}/current is no symbolic link: move it away, then run again`,
    );
  });
});

describe("a disk", () => {
  /** The names of the changes, in order. */
  const traced = (disk: MemoryDisk, change: Partial<Disk> = {}): [MemoryDisk, string[]] => {
    const steps: string[] = [];
    const noted = Object.entries({ ...disk, ...change }).map(([name, act]) => [
      name,
      (...args: string[]) => {
        if (/^(?:rename|syncFolder|syncFile|copyFile|symlink)$/.test(name)) steps.push([name, args[0]].join(" "));
        return (act as (...given: unknown[]) => unknown)(...args);
      },
    ]);
    return [Object.fromEntries(noted) as MemoryDisk, steps];
  };

  it("that has no hard links has copies, which are synced", async () => {
    const refusal = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
    for (const code of ["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]) {
      const [disk, steps] = traced(memoryDisk(), { link: refusal(code) });
      const { generation } = await publish(disk, { grades: "a" });
      const path = generation.manifest.files[0]?.path ?? "";
      expect(await disk.readFile(join(generation.folder, path))).toBe("a");
      expect(steps).toContain(`syncFile ${join(FOLDER, "generation", path)}`);
    }
    const [full] = traced(memoryDisk(), { link: refusal("ENOSPC") });
    expect(await messageOf(publish(full, { grades: "a" }))).toBe("ENOSPC");
  });

  it("has the whole tree on it before its name, and that before the link", async () => {
    const [disk, steps] = traced(memoryDisk());
    const { generation } = await publish(disk, { grades: "a" });
    const tree = `${FOLDER}/generation`;
    expect(steps).toEqual([
      `syncFile ${tree}/manifest.json`,
      `syncFolder ${tree}`,
      `syncFolder ${tree}/grades`,
      `rename ${tree}`,
      `syncFolder ${ARTIFACTS}/generations`,
      `syncFolder ${ARTIFACTS}`,
      `symlink generations/${generation.folder.split("/").at(-1)}`,
      `rename ${FOLDER}/current`,
      `syncFolder ${ARTIFACTS}`,
    ]);
  });
});
