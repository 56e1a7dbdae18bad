/** The ids that follow from the files of a generation. */
import { createHash } from "node:crypto";
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION, FACT_TABLES, TABLES_BESIDE_ID } from "../contract/tables.ts";

/**
 * 16 hexadecimal digits over the contract version, the changes before, and the partition and hash of every table's file but those of `changes` and `sources`.
 * Equal inputs have equal ids; neither the time nor the generation number is in it.
 */
export function snapshotId(files: readonly PublishedFile[], changesBefore: string | null): string {
  return createHash("sha256")
    .update(JSON.stringify([CONTRACT_VERSION, changesBefore, ...dataPlaces(files)]))
    .digest("hex")
    .slice(0, 16);
}

/** 16 hexadecimal digits over the contract version and the files of the tables of facts. */
export function contentId(files: readonly PublishedFile[]): string {
  const places = placesOf(files.filter(({ table }) => FACT_TABLES.includes(table)));
  return createHash("sha256")
    .update(JSON.stringify([CONTRACT_VERSION, ...places]))
    .digest("hex")
    .slice(0, 16);
}

const dataPlaces = (files: readonly PublishedFile[]): string[] =>
  placesOf(files.filter((file) => !isMade(file) && !TABLES_BESIDE_ID.includes(file.table)));

function placesOf(files: readonly PublishedFile[]): string[] {
  return files
    .map(({ table, partition, sha256 }) =>
      JSON.stringify([table, partition.year ?? null, partition.quarter ?? null, partition.month ?? null, sha256]),
    )
    .sort();
}

/** What the id of the next snapshot covers besides its data, so that data which comes back gets another id; null without any changes. */
export function changesDigest(files: readonly PublishedFile[]): string | null {
  const recorded = files.filter(({ table }) => table === "changes").map(({ path, sha256 }) => `${path} ${sha256}`);
  return recorded.length === 0 ? null : digestOf(recorded.sort());
}

const digestOf = (texts: readonly string[]): string => createHash("sha256").update(JSON.stringify(texts)).digest("hex");

/** What identifies a snapshot, and its files. */
export type Identified = Pick<Manifest, "id" | "changesBefore" | "files">;

/**
 * The snapshot that these files make after `before`: the same one when the data and the changes before are the same.
 * @param found the files that the run started with; in them changes may be lost, or restored
 */
export function nextSnapshot(
  before: Identified | undefined,
  files: readonly PublishedFile[],
  found: readonly PublishedFile[] = before?.files ?? [],
): Pick<Manifest, "id" | "changesBefore"> {
  const [known, changes] = [changesDigest(before?.files ?? []), changesDigest(found)];
  const isSame = before && known === changes && snapshotId(files, before.changesBefore) === before.id;
  // Where all changes are lost, null would give the id back that the snapshot had with them.
  const changesBefore = isSame ? before.changesBefore : (changes ?? (known === null ? null : digestOf([])));
  return { id: snapshotId(files, changesBefore), changesBefore };
}
