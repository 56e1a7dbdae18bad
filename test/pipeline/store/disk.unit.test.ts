/** The disk as runs read and write it, and what is read of it by the file system's own rules: in a temporary folder. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { NO_FRESHNESS, readFreshness, writeFreshness } from "../../../pipeline/store/freshness.ts";
import { hasCode, isLinkRefused, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { verifyFiles } from "../../../pipeline/store/file-check.ts";
import { readAsOf, readPublished } from "../../../pipeline/store/published.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { memoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, fileOf, putGeneration } from "../../support/memory-generations.ts";

const folder = mkdtempSync(join(tmpdir(), "disk-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const open = (): string => {
  const at = join(folder, String(++count));
  mkdirSync(at);
  return at;
};
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error) => `${error.name}: ${error.message}`,
  );

it("tells what a path is, sorted names of a folder, and nothing of what is not there", async () => {
  const at = open();
  for (const name of ["b", "a"]) writeFileSync(join(at, name), name);
  await nodeDisk.symlink("a", join(at, "link"));
  await nodeDisk.mkdir(join(at, "deep/er"));
  expect(await nodeDisk.readdir(at)).toEqual(["a", "b", "deep", "link"]);
  expect(await nodeDisk.readdir(join(at, "none"))).toEqual([]);
  expect(await codeOf(nodeDisk.readdir(join(at, "a")))).toBe("ENOTDIR");
  const kinds = await Promise.all(["a", "deep", "link", "none", "a/b"].map((name) => nodeDisk.stat(join(at, name))));
  expect(kinds.map((kind) => kind?.kind)).toEqual(["file", "folder", "link", undefined, undefined]);
  expect((await nodeDisk.stat("/dev/null"))?.kind).toBe("other");
  expect(await codeOf(nodeDisk.stat("\0"))).toBe("ERR_INVALID_ARG_VALUE");
  await nodeDisk.link(join(at, "a"), join(at, "same"));
  const [one, same] = [await nodeDisk.stat(join(at, "a")), await nodeDisk.stat(join(at, "same"))];
  expect(one).toEqual({ ...same, bytes: 1, links: 2 });
  expect([await nodeDisk.readlink(join(at, "link")), await nodeDisk.readFile(join(at, "a"))]).toEqual(["a", "a"]);
});

it("hashes a file of any size, and no folder", async () => {
  const at = open();
  for (const text of ["", "abc", "x".repeat(3_000_000)]) {
    const { bytes, sha256 } = fileOf("grades", {}, text);
    writeFileSync(join(at, "file"), text);
    expect(await nodeDisk.digest(join(at, "file"))).toEqual({ bytes, sha256 });
  }
  expect(await codeOf(nodeDisk.digest(at))).not.toBe("");
});

it("writes and copies only where nothing is, and removes what is or is not there", async () => {
  const at = open();
  const [from, to] = [join(at, "from"), join(at, "to")];
  await nodeDisk.writeFile(from, "text");
  expect(await codeOf(nodeDisk.writeFile(from, "other"))).toBe("EEXIST");
  for (const copy of [nodeDisk.copyFile, nodeDisk.copyBytes]) {
    await copy(from, to);
    expect(readFileSync(to, "utf8")).toBe("text");
    expect(await codeOf(copy(from, to))).toBe("EEXIST");
    await nodeDisk.rm(to);
  }
  await nodeDisk.mkdir(join(at, "full/of"));
  for (const path of [join(at, "full"), join(at, "full")]) await nodeDisk.rm(path);
  expect(existsSync(join(at, "full"))).toBe(false);
  await nodeDisk.rename(from, to);
  await nodeDisk.touch(to, new Date(5000));
  expect([existsSync(from), statSync(to).mtimeMs]).toEqual([false, 5000]);
  await Promise.all([nodeDisk.syncFile(to), nodeDisk.syncFolder(at)]);
  expect(await codeOf(nodeDisk.syncFile(from))).toBe("ENOENT");
  expect(await nodeDisk.writtenBy(to, () => Promise.resolve(7))).toBe(7);
});

it("an error is known by its code", () => {
  const error = (code: string) => Object.assign(new Error("x"), { code });
  expect([
    hasCode(error("A"), "B", "A"),
    hasCode(error("A"), "B"),
    hasCode(new Error("A"), "A"),
    hasCode({ code: "A" }, "A"),
  ]).toEqual([true, false, false, false]);
  for (const code of ["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])
    expect(isLinkRefused(error(code))).toBe(true);
  expect(isLinkRefused(error("EEXIST"))).toBe(false);
});

it("the freshness file is replaced as a whole; a missing or damaged one says nothing", async () => {
  const disk = memoryDisk();
  disk.put(`${ARTIFACTS}/x`, "");
  expect(await readFreshness(ARTIFACTS, disk)).toEqual(NO_FRESHNESS);
  const freshness = { ...NO_FRESHNESS, nextRefresh: "2026-11-20T00:00:00.000Z" };
  await writeFreshness(ARTIFACTS, freshness, disk);
  expect(await disk.readFile(`${ARTIFACTS}/freshness.json`)).toBe(`${JSON.stringify(freshness, null, 2)}\n`);
  expect(await readFreshness(ARTIFACTS, disk)).toEqual(freshness);
  expect(await disk.readdir(`${ARTIFACTS}/staging`)).toEqual([]);
  for (const text of ["{", '{"products":1}']) {
    disk.put(`${ARTIFACTS}/freshness.json`, text);
    expect(await readFreshness(ARTIFACTS, disk)).toEqual(NO_FRESHNESS);
  }
  await disk.rm(`${ARTIFACTS}/freshness.json`);
  await disk.mkdir(`${ARTIFACTS}/freshness.json`);
  expect(await codeOf(readFreshness(ARTIFACTS, disk))).toBe("EISDIR");
});

it("a file is hashed again when anything of it changed, and the first damaged one is named", async () => {
  const at = open();
  const files = ["one", "other"].map((text) => ({ ...fileOf("grades", {}, text), path: text }));
  for (const { path } of files) writeFileSync(join(at, path), path);
  const keys = await verifyFiles(at, files, () => false);
  expect(keys.every((key, i) => key.endsWith(`:${files[i]?.sha256}`)) && new Set(keys).size).toBe(2);
  expect(await verifyFiles(at, files, (key) => keys.includes(key))).toEqual(keys);
  const { mtime } = statSync(join(at, "other"));
  writeFileSync(join(at, "other"), "OTHER");
  await nodeDisk.touch(join(at, "other"), mtime);
  // Size and time are the same: only a hash shows the difference.
  expect(await verifyFiles(at, files, () => true)).toHaveLength(2);
  const damaged = "DamagedSnapshot: other: the content has another SHA-256";
  expect(await messageOf(verifyFiles(at, files, () => false))).toBe(damaged);
  await nodeDisk.touch(join(at, "other"), new Date(5000));
  expect(await messageOf(verifyFiles(at, files, (key) => keys.includes(key)))).toBe(damaged);
  writeFileSync(join(at, "one"), "");
  expect(await messageOf(verifyFiles(at, files, () => true))).toBe("DamagedSnapshot: one: 0 bytes, not 3");
});

it("a file that cannot be read is damaged; another failure is none of the file's", async () => {
  const { fileProblem } = await import("../../../pipeline/store/file-check.ts");
  const disk = memoryDisk();
  disk.put("/file", "text");
  const file = fileOf("grades", {}, "text");
  const failing = (error: Error) => ({ ...disk, digest: () => Promise.reject(error) });
  const code = (value: string) => failing(Object.assign(new Error("x"), { code: value }));
  expect(await fileProblem("/file", file, disk)).toBeUndefined();
  expect(await fileProblem("/file", file, code("EIO"))).toBe("cannot be read (EIO)");
  expect(await fileProblem("/file", file, code("ENOENT"))).toBe("missing");
  expect(await messageOf(fileProblem("/file", file, failing(new Error("a fault"))))).toBe("Error: a fault");
  await disk.rm("/file");
  disk.putLink("/file", "text");
  expect(await fileProblem("/file", file, disk)).toBe("missing");
});

it("a snapshot is asked for by id, day or time; others are refused with what is nearest", async () => {
  const artifacts = join(open(), "artifacts");
  expect(await messageOf(readPublished(artifacts))).toMatch(/^UsageError: /);
  const disk = memoryDisk();
  const older = putGeneration(disk, { number: 1, texts: { grades: "a" } });
  const migrated = putGeneration(disk, {
    number: 2,
    texts: { grades: "b" },
    manifest: { contract: CONTRACT_VERSION - 1 },
  });
  const earlier = [migrated, older].map(({ manifest: { createdAt, generation, id } }) => ({
    ...{ id, generation, createdAt, replacedAt: new Date(Date.UTC(2026, 10, generation + 1)).toISOString() },
  }));
  putGeneration(disk, { number: 3, texts: { grades: "c" }, retained: earlier, isCurrent: true });
  for (const path of disk.paths()) {
    const at = path.replace(ARTIFACTS, artifacts);
    await nodeDisk.mkdir(join(at, ".."));
    writeFileSync(at, await disk.readFile(path));
  }
  const now = new Date("2026-11-20T00:00:00Z");
  const numberOf = async (asOf: string) => (await readAsOf(artifacts, asOf, now)).manifest.generation;
  expect([
    await numberOf(older.manifest.id),
    await numberOf("2026-11-01T12:00:00Z"),
    await numberOf("2026-11-10"),
  ]).toEqual([1, 1, 3]);
  expect(await messageOf(numberOf("yesterday"))).toBe(
    'UsageError: ASOF must be a snapshot id, a day such as 2026-11-20 or a time such as 2026-11-20T18:00:00Z, not "yesterday"',
  );
  expect(await messageOf(numberOf("2026-10-01T00:00:00Z"))).toBe(
    `UsageError: no snapshot is retained for "2026-10-01T00:00:00Z"; the nearest: ${older.manifest.id}, served from 2026-11-01T00:00:00.000Z to 2026-11-02T00:00:00.000Z`,
  );
  expect(await messageOf(numberOf(migrated.manifest.id))).toBe(
    `UsageError: snapshot ${migrated.manifest.id} is of contract version ${CONTRACT_VERSION - 1}, not ${CONTRACT_VERSION}: it would need a migration, which only the snapshot got that was in service then`,
  );
  writeFileSync(join(artifacts, "snapshots", `${older.name}.json`), "{");
  expect(await messageOf(numberOf(older.manifest.id))).toMatch(/^DamagedSnapshot: /);
});
