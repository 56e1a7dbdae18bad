/** Generations of text files on a disk in memory. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Manifest, Partition, PublishedFile } from "../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../pipeline/contract/tables.ts";
import { filePath, generationName } from "../../pipeline/generations/layout.ts";
import { contentId, snapshotId } from "../../pipeline/generations/snapshot-id.ts";
import type { MemoryDisk } from "./memory-disk.ts";

export const ARTIFACTS = "/artifacts";

/** The columns of every table, as databases without a database say them: the pipeline asks for those of a table once. */
export const COLUMN_TYPES: readonly string[] = ["a INTEGER", "b VARCHAR", "c DATE"];

/** What a generation would list of a file with this text. */
export function fileOf(table: string, partition: Partition, content: string): PublishedFile {
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { table, partition, path: filePath(table, partition, sha256), sha256, rows: 1, bytes: content.length };
}

export interface Written {
  readonly number: number;
  /** Texts by table. */
  readonly texts: Readonly<Record<string, string>>;
  /** Files that are made from others; their content is not put there. */
  readonly made?: readonly PublishedFile[];
  /** What its manifest says otherwise. */
  readonly manifest?: Partial<Manifest>;
  /** `current` leads to it. */
  readonly isCurrent?: boolean;
}

/** Puts a generation on the disk, as it would be published. */
export function putGeneration(
  disk: MemoryDisk,
  { isCurrent = false, made = [], manifest: given, number, texts }: Written,
): { readonly name: string; readonly folder: string; readonly manifest: Manifest } {
  const files = Object.entries(texts).map(([table, text]) => fileOf(table, { year: "2024" }, text));
  const manifest: Manifest = {
    contract: CONTRACT_VERSION,
    id: snapshotId(files, given?.changesBefore ?? null),
    contentId: contentId(files),
    generation: number,
    createdAt: new Date(Date.UTC(2026, 10, number)).toISOString(),
    source: {},
    changesBefore: null,
    snapshots: [],
    files: [...files, ...made],
    ...given,
  };
  const name = generationName(manifest.generation, manifest.id);
  const folder = join(ARTIFACTS, "generations", name);
  for (const [i, text] of Object.values(texts).entries()) disk.put(join(folder, files[i]?.path ?? ""), text);
  disk.put(join(folder, "manifest.json"), JSON.stringify(manifest));
  if (isCurrent) disk.putLink(join(ARTIFACTS, "current"), `generations/${name}`);
  return { name, folder, manifest };
}
