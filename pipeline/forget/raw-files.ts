/**
 * Removes names from the files that crawl and operator left on disk besides Parquet files: kept exports, landings,
 * reports, dropped files.
 */
import { createHash, randomUUID } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { unzipSync, zipSync } from "fflate";
import { type Disk, replaceFile } from "../disk/disk.ts";
import { layoutOf, REPORT_FILES } from "../store/layout.ts";
import { readRegularFile } from "../regular-files.ts";
import { withoutNames } from "./names-in-text.ts";
import type { Forgotten } from "./tombstones.ts";

/** Returns a sheet, plain or packed, without the names that were taken down; the same bytes when it names nobody. */
export function sheetWithoutNames(bytes: Buffer, forgotten: Forgotten): Buffer {
  const key = `${forgotten.mark} ${createHash("sha256").update(bytes).digest("hex")}`;
  if (clean.has(key)) return bytes;
  const left = readWithoutNames(bytes, forgotten);
  if (left === bytes) {
    if (clean.size >= MAX_CLEAN) clean.clear();
    clean.add(key);
  }
  return left;
}

/** Sheets that name nobody on a list: a take-down looks at each before it asks, and again when it removes names. */
const clean = new Set<string>();
const MAX_CLEAN = 10_000;

function readWithoutNames(bytes: Buffer, forgotten: Forgotten): Buffer {
  if (bytes.subarray(0, 2).equals(GZIP)) {
    const inner = gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
    const left = readWithoutNames(inner, forgotten);
    return left === inner ? bytes : gzipSync(left);
  }
  if (bytes.subarray(0, 4).equals(ZIP)) return workbookWithoutNames(bytes, forgotten);
  const encoding = encodingOf(bytes);
  const text = bytes.toString(encoding);
  const left = withoutNames(text, forgotten, { isSheet: true });
  return left === text ? bytes : Buffer.from(left, encoding);
}

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from([0x50, 0x4b, 3, 4]);
/** Unpacked. */
const MAX_BYTES = 209_715_200;

function workbookWithoutNames(bytes: Buffer, forgotten: Forgotten): Buffer {
  let unpacked = 0;
  const entries = unzipSync(bytes, {
    filter: ({ originalSize }) => {
      unpacked += originalSize;
      if (unpacked > MAX_BYTES) throw new Error(`a workbook has more than ${MAX_BYTES} bytes`);
      return true;
    },
  });
  let isChanged = false;
  for (const [name, content] of Object.entries(entries)) {
    if (!name.endsWith(".xml")) continue;
    const text = Buffer.from(content).toString();
    const left = withoutNames(text, forgotten, { isSheet: true });
    if (left === text) continue;
    entries[name] = Buffer.from(left);
    isChanged = true;
  }
  return isChanged ? Buffer.from(zipSync(entries)) : bytes;
}

/** Names can be found in each of these encodings; bytes that are not UTF-8 are preserved. */
function encodingOf(bytes: Buffer): "utf8" | "utf16le" | "latin1" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf16le";
  return Buffer.from(bytes.toString("utf8")).equals(bytes) ? "utf8" : "latin1";
}

/**
 * Names the kept copy of an export: by the hash of the received bytes, and that of the kept bytes where names were
 * removed.
 */
export const keptName = (sha256: string, kept: Buffer): string => {
  const now = createHash("sha256").update(kept).digest("hex");
  return now === sha256 ? sha256 : `${sha256}.${now}`;
};

/** @param name of a kept copy */
export const isForgottenExport = (name: string, bytes: Buffer, forgotten: Forgotten): boolean =>
  forgotten.isExport(name.slice(0, 64)) || sheetWithoutNames(bytes, forgotten) !== bytes;

/** Rewrites the kept copies of exports below `data/exports`, and removes those that were taken down themselves. */
export async function rewriteExports(dataDir: string, forgotten: Forgotten, disk: Disk): Promise<void> {
  const root = join(dataDir, "exports");
  for (const from of await disk.readdir(root)) {
    const folder = join(root, from, "files");
    if ((await disk.stat(folder))?.kind !== "folder") continue;
    const replaced: string[] = [];
    for (const name of await disk.readdir(folder)) {
      const path = join(folder, name);
      const [, sha256] = /^([0-9a-f]{64})(?:\.[0-9a-f]{64})?$/.exec(name) ?? [];
      // A leftover of a killed run.
      if (sha256 === undefined || forgotten.isExport(sha256)) {
        replaced.push(path);
        continue;
      }
      const bytes = await readRegularFile(path);
      const left = sheetWithoutNames(bytes, forgotten);
      if (left === bytes) continue;
      await replaceBytes(disk, join(folder, keptName(sha256, left)), left);
      replaced.push(path);
    }
    // No power loss may take the old copy and leave no new one.
    await disk.syncFolder(folder);
    for (const path of replaced) await disk.rm(path);
    await disk.syncFolder(folder);
  }
}

async function replaceBytes(disk: Disk, path: string, bytes: Buffer): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  await disk.writeFile(part, bytes);
  await disk.syncFile(part);
  await disk.rename(part, path);
}

/** The folders of operators' files. */
const DROPPED = ["grades", "enrollment"] as const;

/**
 * Returns the operators' files that name somebody who was taken down, or were taken down themselves, relative to the
 * data folder.
 */
export async function findDropped(
  dataDir: string,
  forgotten: Forgotten,
  disk: Disk,
): Promise<{ name: string; as: string; left: Buffer | undefined }[]> {
  const dropped = [];
  for (const folder of DROPPED)
    for (const file of await disk.readdir(join(dataDir, folder))) {
      const path = join(dataDir, folder, file);
      const bytes = await readRegularFile(path).catch(() => undefined);
      if (!bytes) continue;
      const isTaken = forgotten.isExport(createHash("sha256").update(bytes).digest("hex"));
      const left = isTaken ? undefined : sheetWithoutNames(bytes, forgotten);
      const as = withoutNames(file, forgotten, { isSheet: true });
      if (left !== bytes || as !== file) dropped.push({ name: `${folder}/${file}`, as: `${folder}/${as}`, left });
    }
  return dropped;
}

/**
 * Removes names from the operators' files and their file names, and removes the files that were taken down. A link is
 * replaced by a file, and its target stays as it is.
 */
export async function rewriteDropped(dataDir: string, forgotten: Forgotten, disk: Disk): Promise<void> {
  for (const { as, left, name } of await findDropped(dataDir, forgotten, disk)) {
    const path = join(dataDir, name);
    if (left) await replaceBytes(disk, as === name ? path : await freePath(join(dataDir, as), left, disk), left);
    if (!left || as !== name) await disk.rm(path);
  }
  for (const folder of DROPPED)
    if (await disk.stat(join(dataDir, folder))) await disk.syncFolder(join(dataDir, folder));
}

/** Another file may have the name. */
async function freePath(path: string, bytes: Buffer, disk: Disk): Promise<string> {
  if (!(await disk.stat(path))) return path;
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  return join(dirname(path), `${hash}-${basename(path)}`);
}

/** Texts of the artifacts folder that may name people and exports, whether or not they are there. */
export const namingTexts = (artifacts: string): string[] => [
  ...REPORT_FILES.map((name) => join(artifacts, name)),
  layoutOf(artifacts).freshness,
];

/** Takes the names out of these texts. */
export async function rewriteTexts(
  artifacts: string,
  { disk, folder, forgotten }: { disk: Disk; folder: string; forgotten: Forgotten },
): Promise<void> {
  for (const path of namingTexts(artifacts)) {
    if ((await disk.stat(path))?.kind !== "file") continue;
    const text = await disk.readFile(path);
    const left = withoutNames(text, forgotten, { isSheet: true });
    if (left === text) continue;
    await replaceFile(disk, path, left, join(folder, `${randomUUID()}.txt`));
  }
}
