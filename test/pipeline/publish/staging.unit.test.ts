/**
 * The next snapshot while a run builds it: what is carried over, replaced, missing and removed, on a disk in memory.
 */
import { join } from "node:path";
import { expect, it } from "vitest";
import { GuardError } from "../../../pipeline/errors.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { createStaging, type Keeper, type Staging } from "../../../pipeline/publish/staging.ts";
import { memoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, fileOf, putGeneration } from "../../support/memory-generations.ts";

const YEAR = { year: "2024" };
const [GRADES, LARC] = [fileOf("grades", YEAR, "a"), fileOf("larc", YEAR, "b")];
const NEW = fileOf("grades", YEAR, "new");
const OPTIONS = { source: {}, now: new Date("2026-11-20T12:00:00Z") };

async function open({ damaged = "", keeper }: { damaged?: string; keeper?: Keeper } = {}) {
  const disk = memoryDisk();
  const base = putGeneration(disk, { number: 1, texts: { grades: "a", larc: "b" }, isCurrent: true });
  if (damaged !== "") disk.put(join(base.folder, damaged), "?");
  const staging = createStaging(ARTIFACTS, await readBase(ARTIFACTS, disk), disk, keeper);
  const write = (file = NEW, text = "new") => {
    disk.put(join(staging.filesFolder, file.path), text);
    staging.put(file);
  };
  return { base, disk, staging, write };
}
const pathsOf = (staging: Staging): string[] =>
  staging
    .files()
    .map(({ path }) => path)
    .toSorted();

it("begins with the files of the base, which stay where they are", async () => {
  const { base, disk, staging } = await open();
  expect(staging.files()).toEqual([GRADES, LARC]);
  expect(staging.before()).toEqual(base.manifest);
  expect([staging.find("grades", YEAR), staging.find("grades", { year: "2023" }), staging.find("larc", YEAR)]).toEqual([
    GRADES,
    undefined,
    LARC,
  ]);
  expect([staging.paths("grades"), staging.paths("grades", { year: "2023" })]).toEqual([
    [join(base.folder, GRADES.path)],
    [],
  ]);
  expect([staging.lost(), staging.isSound(GRADES), staging.nextId()]).toEqual([[], true, undefined]);
  expect(await staging.publish(OPTIONS)).toMatchObject({ changed: false, id: base.manifest.id });
  expect(staging.folder).toMatch(new RegExp(`^${ARTIFACTS}/staging/run-[0-9a-f-]{36}$`));
  expect(await disk.readdir(`${ARTIFACTS}/snapshots`)).toHaveLength(1);
});

it("a file takes the place of that of its part; the same content stays the base's file", async () => {
  const { base, staging, write } = await open();
  write();
  expect(staging.files()).toEqual([LARC, NEW]);
  expect(staging.paths("grades", YEAR)).toEqual([join(staging.filesFolder, NEW.path)]);
  expect(staging.nextId()).toMatch(/^[0-9a-f]{16}$/);
  staging.put({ ...GRADES, rows: 99 });
  expect(staging.find("grades", YEAR)).toEqual(GRADES);
  expect(staging.pathOf(staging.find("grades", YEAR) ?? NEW)).toBe(join(base.folder, GRADES.path));
  // A file of another part is another file.
  staging.put({ ...GRADES, partition: { year: "2023" }, rows: 99 });
  expect(staging.find("grades", { year: "2023" })?.rows).toBe(99);
  staging.put({ ...LARC, table: "sections", rows: 99 });
  expect(staging.find("sections", YEAR)?.rows).toBe(99);
});

it("parts and tables can be removed and replaced", async () => {
  const { staging } = await open();
  staging.remove("grades", { year: "2023" });
  expect(pathsOf(staging)).toEqual([GRADES.path, LARC.path]);
  staging.remove("grades", YEAR);
  expect(pathsOf(staging)).toEqual([LARC.path]);
  const more = ["2022", "2023"].map((year) => fileOf("larc", { year }, year));
  staging.replaceTable("larc", more);
  expect(staging.files()).toEqual(more);
  staging.replaceTable("larc", [{ ...LARC, rows: 9 }]);
  expect(staging.files()).toEqual([LARC]);
});

it("nothing is published while a file is damaged or missed, and the first is named with the number of others", async () => {
  const { staging, write } = await open({ damaged: GRADES.path });
  const [lost = NEW] = staging.lost();
  expect([lost, staging.isSound(lost), staging.paths("grades")]).toEqual([GRADES, false, []]);
  await expect(staging.publish(OPTIONS)).rejects.toThrow(new GuardError(`${GRADES.path} is lost`));
  const missed = fileOf("sections", YEAR, "published elsewhere");
  staging.expect(missed);
  expect([staging.find("sections", YEAR), staging.paths("sections")]).toEqual([missed, []]);
  await expect(staging.publish(OPTIONS)).rejects.toThrow(`${GRADES.path} is lost, and 1 more files are`);
  staging.remove("sections", YEAR);
  write();
  expect((await staging.publish(OPTIONS)).changed).toBe(true);
});

it("publishes what it has as the next generation, and leaves nothing when it is discarded", async () => {
  const withoutForgotten: Keeper["withoutForgotten"] = () => Promise.reject(new Error("nothing is forgotten"));
  const { base, disk, staging, write } = await open({ keeper: { mark: "5".repeat(16), withoutForgotten } });
  expect(staging.withoutForgotten).toBe(withoutForgotten);
  write();
  const id = staging.nextId();
  const { published } = await staging.publish(OPTIONS);
  expect([published.manifest.id, published.manifest.generation]).toEqual([id, 2]);
  expect(published.retained.map(({ id: earlier }) => earlier)).toEqual([base.manifest.id]);
  await staging.discard();
  expect(await disk.stat(staging.folder)).toBeUndefined();
  expect(staging.tempFolder.startsWith(staging.folder)).toBe(true);
});

it("goes on from a later snapshot where one was found", async () => {
  const { base, staging } = await open();
  const later = { ...base.manifest, id: "7".repeat(16), files: [...base.manifest.files, fileOf("changes", YEAR, "c")] };
  const alone = staging.nextId();
  staging.goOnFrom(later);
  expect(staging.before()).toBe(later);
  expect(staging.nextId()).not.toBe(alone);
});

it("has files that are made from others only once they are put: those of the base, or new ones", async () => {
  const view = { ...fileOf("views/a", {}, "v"), madeOf: "1".repeat(64) };
  const disk = memoryDisk();
  const { folder } = putGeneration(disk, { number: 1, isCurrent: true, texts: { grades: "g" }, made: [view] });
  disk.put(join(folder, view.path), "v");
  const staging = createStaging(ARTIFACTS, await readBase(ARTIFACTS, disk), disk);
  expect(staging.files().map(({ table }) => table)).toEqual(["grades"]);
  staging.put({ ...view });
  expect(staging.pathOf(staging.files().at(-1) ?? NEW)).toBe(join(folder, view.path));
  // Other inputs may make the same rows.
  const other = { ...view, madeOf: "2".repeat(64) };
  staging.put(other);
  expect(staging.files().slice(1)).toEqual([other]);
  expect(staging.pathOf(other)).toBe(join(staging.filesFolder, view.path));
});
