/** What can be wrong with a snapshot that was published whole. */
import { createHash } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import type { Pointer } from "../../../pipeline/contract/documents/pointer.ts";
import { filePath, layoutOf, nameOf } from "../../../pipeline/store/layout.ts";
import { snapshotId } from "../../../pipeline/store/snapshot-id.ts";

export async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 255;
  await writeFile(path, bytes);
}

/** Makes this the manifest of the current snapshot, whatever it says. */
export async function setCurrent(artifacts: string, manifest: Manifest): Promise<void> {
  const { pointer, snapshots } = layoutOf(artifacts);
  const before = JSON.parse(await readFile(pointer, "utf8")) as Pointer;
  await writeFile(join(snapshots, `${nameOf(manifest)}.json`), JSON.stringify(manifest));
  await writeFile(`${pointer}.next`, JSON.stringify({ ...before, snapshot: manifest }));
  await rename(`${pointer}.next`, pointer);
}

/** Gives a table other bytes under their right hash. Returns the manifest that says so. */
export async function withObject(
  artifacts: string,
  manifest: Manifest,
  table: string,
  content: Buffer,
): Promise<Manifest> {
  const sha256 = createHash("sha256").update(content).digest("hex");
  const changed = manifest.files.find((file) => file.table === table);
  if (!changed) throw new Error(`no file of ${table}`);
  const path = filePath(table, changed.partition, sha256);
  await writeFile(join(artifacts, path), content);
  const files = manifest.files.map((file) =>
    file === changed ? { ...file, path, sha256, bytes: content.length } : file,
  );
  return { ...manifest, id: snapshotId(files, manifest.changesBefore), files };
}

const pathOf = (artifacts: string, { files }: Manifest, table: string) =>
  join(artifacts, files.find((file) => file.table === table)?.path ?? "");

export const DAMAGES: readonly [
  what: string,
  harm: (artifacts: string, manifest: Manifest) => Promise<void>,
  why: RegExp,
][] = [
  [
    "a file with another content of the same size",
    (artifacts, manifest) => flipByte(pathOf(artifacts, manifest, "grades")),
    /^grades.*: the content has another SHA-256$/,
  ],
  [
    "a file that is missing",
    (artifacts, manifest) => rm(pathOf(artifacts, manifest, "terms")),
    /^terms.*\.parquet: missing$/,
  ],
  [
    "a pointer that is no JSON",
    (artifacts) => writeFile(layoutOf(artifacts).pointer, "{"),
    /^current\.json is no JSON$/,
  ],
  [
    "another contract version",
    (artifacts, manifest) => setCurrent(artifacts, { ...manifest, contract: 999 }),
    /contract version 999/,
  ],
  [
    "a file that matches its hash but is no table",
    async (artifacts, manifest) =>
      setCurrent(artifacts, await withObject(artifacts, manifest, "terms", Buffer.from("nothing"))),
    /^\d+-[0-9a-f]{16} does not load$/,
  ],
];
