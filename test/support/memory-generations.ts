/** Snapshots of text files on a disk in memory. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type {
  EarlierSnapshot,
  Manifest,
  Partition,
  PublishedFile,
} from "../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../pipeline/contract/tables.ts";
import type { PublishedSnapshot } from "../../pipeline/store/published.ts";
import { filePath, layoutOf, nameOf } from "../../pipeline/store/layout.ts";
import { contentId, snapshotId } from "../../pipeline/store/snapshot-id.ts";
import { CHECKOUT_MANIFEST } from "../../pipeline/store/verify.ts";
import { manifestText, pointerText } from "../../pipeline/store/pointer.ts";
import type { MemoryDisk } from "./memory-disk.ts";

export const ARTIFACTS = "/artifacts";

/** The columns of every table as a database in memory says them: the pipeline asks for those of a table once. */
export const COLUMN_TYPES: readonly string[] = ["a INTEGER", "b VARCHAR", "c DATE"];

/** The entry of a manifest for a file with this text. */
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
  /** The properties in which its manifest differs. */
  readonly manifest?: Partial<Manifest>;
  /** The pointer names it, and `current` leads to its checkout. */
  readonly isCurrent?: boolean;
  /** The snapshots that the pointer retained then. */
  readonly retained?: readonly EarlierSnapshot[];
}

/** Puts a snapshot on the disk, as it would be published. */
export function putGeneration(
  disk: MemoryDisk,
  { isCurrent = false, made = [], manifest: given, number, retained = [], texts }: Written,
): PublishedSnapshot & { readonly name: string } {
  const files = Object.entries(texts).map(([table, text]) => fileOf(table, { year: "2024" }, text));
  const manifest: Manifest = {
    contract: CONTRACT_VERSION,
    id: snapshotId(files, given?.changesBefore ?? null),
    contentId: contentId(files),
    generation: number,
    createdAt: new Date(Date.UTC(2026, 10, number)).toISOString(),
    source: {},
    changesBefore: null,
    files: [...files, ...made],
    ...given,
  };
  const name = nameOf(manifest);
  const { checkouts, current, pointer, snapshots } = layoutOf(ARTIFACTS);
  for (const [i, text] of Object.values(texts).entries()) disk.put(join(ARTIFACTS, files[i]?.path ?? ""), text);
  disk.put(join(snapshots, `${name}.json`), manifestText(manifest));
  if (isCurrent) {
    const checkout = join(checkouts, name);
    for (const [i, text] of Object.values(texts).entries()) {
      const { path = "" } = files[i] ?? {};
      disk.put(join(checkout, path), text, join(ARTIFACTS, path));
    }
    disk.put(join(checkout, CHECKOUT_MANIFEST), manifestText(manifest));
    disk.put(pointer, pointerText({ snapshot: manifest, retained: [...retained] }));
    disk.putLink(current, `checkouts/${name}`);
  }
  return { name, folder: ARTIFACTS, manifest, retained };
}
