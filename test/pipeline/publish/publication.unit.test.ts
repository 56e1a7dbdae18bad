/** How a snapshot is made, numbered and put in service, on a disk in memory. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EarlierSnapshot } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { GuardError } from "../../../pipeline/errors.ts";
import { type Base, readBase } from "../../../pipeline/store/open.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { nameOf } from "../../../pipeline/store/layout.ts";
import { snapshotId } from "../../../pipeline/store/snapshot-id.ts";
import { checkoutProblems } from "../../../pipeline/store/verify.ts";
import { publishFiles, type PublishOptions, type Staged } from "../../../pipeline/publish/staging.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, fileOf, putGeneration } from "../../support/memory-generations.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const POINTER = `${ARTIFACTS}/current.json`;
const FOLDER = `${ARTIFACTS}/staging/run`;
const NOTHING: Base = { published: undefined, etag: null, damage: undefined, lost: [], unreadable: undefined };

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

describe("the first snapshot", () => {
  it("has objects, a manifest that names them in order, a pointer, and a checkout that shares their blocks", async () => {
    const disk = memoryDisk();
    const { changed, published, id } = await publish(disk, { sections: "b", grades: "a" });
    const { folder, manifest } = published;
    const files = [fileOf("grades", { year: "2024" }, "a"), fileOf("sections", { year: "2024" }, "b")];
    expect({ changed, folder, id }).toEqual({ changed: true, folder: ARTIFACTS, id: snapshotId(files, null) });
    expect(manifest).toEqual({
      ...{ contract: CONTRACT_VERSION, id, contentId: manifest.contentId, generation: 1, createdAt: NOW.toISOString() },
      ...{ source: { schedule: "a campus" }, changesBefore: null, files },
    });
    const checkout = `checkouts/1-${id}`;
    const paths = files.map(({ path }) => path);
    expect(disk.paths().filter((path) => !path.includes("/staging/"))).toEqual(
      [
        ...["current", "current.json", `snapshots/1-${id}.json`, `${checkout}/manifest.json`],
        ...[...paths, ...paths.map((path) => `${checkout}/${path}`)],
      ]
        .map((path) => join(ARTIFACTS, path))
        .toSorted(),
    );
    const text = `${JSON.stringify(manifest, null, 1)}\n`;
    for (const path of [`snapshots/1-${id}.json`, `${checkout}/manifest.json`])
      expect(await disk.readFile(join(ARTIFACTS, path))).toBe(text);
    expect(JSON.parse(await disk.readFile(POINTER))).toEqual({ snapshot: manifest, retained: [] });
    expect(await disk.readlink(`${ARTIFACTS}/current`)).toBe(checkout);
    for (const path of paths)
      expect((await disk.stat(join(ARTIFACTS, checkout, path)))?.inode).toBe(
        (await disk.stat(join(ARTIFACTS, path)))?.inode,
      );
    expect(await readCurrent(ARTIFACTS, disk)).toEqual(published);
  });

  it("needs a file", async () => {
    expect(await messageOf(publish(memoryDisk(), {}))).toBe("GuardError: nothing to publish: no table has a file");
  });

  it("lists files of views with those of the tables, which alone make its ids", async () => {
    const [alone, disk] = [memoryDisk(), memoryDisk()];
    const view = { ...fileOf("views/a", {}, "a view"), madeOf: "1".repeat(64) };
    const at = `${FOLDER}/view`;
    disk.put(at, "a view");
    const files = [{ file: view, at }, ...stage(disk, { grades: "a" })];
    const { published, id } = await publish(disk, {}, { staged: { files } });
    const grades = fileOf("grades", { year: "2024" }, "a");
    expect(published.manifest.files).toEqual([grades, view]);
    expect(await disk.readFile(join(ARTIFACTS, view.path))).toBe("a view");
    const without = await publish(alone, { grades: "a" });
    expect([id, published.manifest.contentId]).toEqual([without.id, without.published.manifest.contentId]);
    // A damaged file of a view does not keep the snapshot from being offered.
    disk.put(join(ARTIFACTS, view.path), "a View");
    const next = await publish(disk, { grades: "b" });
    expect(next.published.retained.map((earlier) => earlier.id)).toEqual([id]);
  });
});

describe("the next snapshot", () => {
  it("has the next number, beyond that of every manifest, and the ones before it are retained", async () => {
    const disk = memoryDisk();
    const first = await publish(disk, { grades: "a" });
    putGeneration(disk, { number: 7, texts: { grades: "never switched to" } });
    const later = new Date(NOW.getTime() + 1000);
    const second = await publish(disk, { grades: "b" }, { now: later });
    expect(second.published).toMatchObject({
      manifest: { generation: 8 },
      retained: [
        { id: first.id, generation: 1, createdAt: NOW.toISOString(), replacedAt: later.toISOString() },
      ] satisfies EarlierSnapshot[],
    });
    const third = await publish(disk, { grades: "c" }, { now: later });
    expect(third.published.retained.map(({ generation }) => generation)).toEqual([8, 1]);
    expect(await readCurrent(ARTIFACTS, disk)).toEqual(third.published);
  });

  it("is the same one where nothing changed, and a new one after damage, which is not offered", async () => {
    const disk = memoryDisk();
    const first = await publish(disk, { grades: "a" });
    expect(await publish(disk, { grades: "a" })).toEqual({ ...first, changed: false });
    disk.put(join(ARTIFACTS, first.published.manifest.files[0]?.path ?? ""), "A");
    const again = await publish(disk, { grades: "a" });
    expect(again).toMatchObject({
      ...{ changed: true, id: first.id },
      published: { manifest: { generation: 2 }, retained: [] },
    });
    expect(await disk.readFile(join(ARTIFACTS, first.published.manifest.files[0]?.path ?? ""))).toBe("a");
  });

  it("of the same data makes a checkout again that is missing or damaged", async () => {
    const disk = memoryDisk();
    const { published } = await publish(disk, { grades: "a" });
    for (const harm of [
      () => disk.rm(`${ARTIFACTS}/current`),
      () => disk.rm(`${ARTIFACTS}/checkouts`),
      async () => disk.put(`${ARTIFACTS}/checkouts/${nameOf(published.manifest)}/mine`, ""),
    ]) {
      await harm();
      expect(await publish(disk, { grades: "a" })).toMatchObject({ changed: false });
      expect(await checkoutProblems(published, disk)).toEqual([]);
    }
  });

  it("under a clock that was ahead says nothing that is later than now", async () => {
    const disk = memoryDisk();
    await publish(disk, { grades: "a" }, { now: new Date("2027-01-01T00:00:00Z") });
    const { published } = await publish(disk, { grades: "b" });
    const [earlier] = published.retained;
    expect([earlier?.createdAt, earlier?.replacedAt]).toEqual([NOW.toISOString(), NOW.toISOString()]);
  });

  it("keeps the mark of what was taken down", async () => {
    const disk = memoryDisk();
    const mark = "a".repeat(16);
    const first = await publish(disk, { grades: "a" }, { staged: { base: NOTHING, forgotten: mark } });
    const second = await publish(disk, { grades: "b" }, { staged: { forgotten: "b".repeat(16) } });
    expect([first, second].map(({ published }) => published.manifest.forgotten)).toEqual([mark, mark]);
  });

  it("has its files in the order of their paths, whatever the order they came in", async () => {
    const texts = { sections: "a", courses: "b", larc: "c", grades: "d" };
    const { published } = await publish(memoryDisk(), texts);
    expect(published.manifest.files.map(({ table }) => table)).toEqual(["courses", "grades", "larc", "sections"]);
    expect(Object.hasOwn(published.manifest, "forgotten")).toBe(false);
  });

  it("of a migration names the older one as served until now, and lists a missing file for the next run", async () => {
    const disk = memoryDisk();
    const older = putGeneration(disk, {
      number: 3,
      texts: { grades: "a" },
      manifest: { contract: CONTRACT_VERSION - 1, forgotten: "a".repeat(16) },
      isCurrent: true,
    });
    const lost = fileOf("sections", { year: "2024" }, "b");
    const files = [...stage(disk, { grades: "a" }), { file: lost, at: undefined }];
    const { published } = await publish(disk, {}, { staged: { files, migrated: older } });
    const { createdAt, id } = older.manifest;
    expect(published.manifest).toMatchObject({ generation: 4, createdAt, forgotten: "a".repeat(16) });
    expect(published.manifest.id).toBe(snapshotId(published.manifest.files, null));
    expect(published.retained).toEqual([{ id, generation: 3, createdAt, replacedAt: NOW.toISOString() }]);
    expect((await readBase(ARTIFACTS, disk)).lost).toEqual([{ file: lost, problem: "missing" }]);
  });
});

describe("nothing is put in service", () => {
  const refused = async (options: Partial<PublishOptions>) => {
    const disk = memoryDisk();
    await publish(disk, { grades: "a" });
    const before = await disk.readFile(POINTER);
    const message = await messageOf(publish(disk, { grades: "b" }, options));
    expect(await disk.readFile(POINTER)).toBe(before);
    return message;
  };
  const fail = (message: string) => () => Promise.reject(new Error(message));

  it("when it could not be published elsewhere first, or the lock is lost", async () => {
    expect(await refused({ publishFirst: fail("the store is away") })).toBe("the store is away");
    expect(await refused({ assertHeld: fail("another run took over") })).toBe("another run took over");
    let asked = 0;
    const lostLater = () => (++asked === 2 ? fail("taken over")() : Promise.resolve());
    expect(await refused({ assertHeld: lostLater })).toBe("taken over");
  });

  it("before every object could be read by whoever publishes it elsewhere", async () => {
    const disk = memoryDisk();
    const told: string[] = [];
    const publishFirst: PublishOptions["publishFirst"] = async ({ manifest, pathOf }) => {
      for (const { path } of manifest.files) told.push(await disk.readFile(pathOf(path) ?? ""));
      expect(await disk.stat(POINTER)).toBeUndefined();
    };
    await publish(disk, { grades: "a", larc: "b" }, { publishFirst });
    expect(told).toEqual(["a", "b"]);
  });

  it("when another run published in the meantime", async () => {
    const disk = memoryDisk();
    await publish(disk, { grades: "a" });
    const other = async () => void putGeneration(disk, { number: 5, texts: { grades: "other" }, isCurrent: true });
    expect(await messageOf(publish(disk, { grades: "b" }, { publishFirst: other }))).toBe(
      `another publisher published to ${ARTIFACTS} in the meantime`,
    );
    expect((await readCurrent(ARTIFACTS, disk))?.manifest.generation).toBe(5);
  });

  it("where current is a folder of somebody's", async () => {
    const disk = memoryDisk();
    disk.put(`${ARTIFACTS}/current/file`, "");
    expect(await messageOf(publish(disk, { grades: "a" }))).toBe(
      `GuardError: ${ARTIFACTS}/current is no symbolic link: move it away, then run again`,
    );
    expect(await disk.stat(POINTER)).toBeUndefined();
  });
});

describe("a disk", () => {
  const refusing = (code: string): MemoryDisk => ({
    ...memoryDisk(),
    link: () => Promise.reject(Object.assign(new Error(code), { code })),
  });

  it("that has no hard links has copies, which are synced", async () => {
    const disk = refusing("EPERM");
    const synced: string[] = [];
    const { published } = await publish({ ...disk, syncFile: async (path) => void synced.push(path) }, { grades: "a" });
    const path = published.manifest.files[0]?.path ?? "";
    for (const folder of ["", `checkouts/${nameOf(published.manifest)}`])
      expect(await disk.readFile(join(ARTIFACTS, folder, path))).toBe("a");
    expect(synced).toContain(join(FOLDER, "checkout", path));
    expect(await checkoutProblems(published, disk)).toEqual([]);
    expect(await messageOf(publish(refusing("ENOSPC"), { grades: "a" }))).toBe("ENOSPC");
  });
});
