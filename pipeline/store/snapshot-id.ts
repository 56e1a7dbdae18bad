/** Computes the ids that follow from the files of a snapshot. */
import { createHash } from "node:crypto";
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION, FACT_TABLES, TABLES_BESIDE_ID } from "../contract/tables.ts";

/**
 * 16 hexadecimal digits over the contract version, the changes before, and the partition and hash of every table's file
 * but those of `changes` and `sources`. Equal inputs have equal ids; neither the time nor the generation number is in
 * it.
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

/**
 * A digest of the changes so far, which the id of the next snapshot covers besides its data: data that comes back gets
 * another id. Null without any changes.
 */
export function changesDigest(files: readonly PublishedFile[]): string | null {
  const recorded = files.filter(({ table }) => table === "changes").map(({ path, sha256 }) => `${path} ${sha256}`);
  return recorded.length === 0 ? null : digestOf(recorded.sort());
}

const digestOf = (texts: readonly string[]): string => createHash("sha256").update(JSON.stringify(texts)).digest("hex");

/** The parts of a manifest that identify a snapshot, and its files. */
export type Identified = Pick<Manifest, "id" | "changesBefore" | "files">;

/**
 * Identifies the snapshot that these files make after `previous`: the same one when the data and the changes so far are
 * the same.
 * @param startFiles the files that the run started with; in them changes may be lost, or restored
 */
export function nextSnapshot(
  previous: Identified | undefined,
  files: readonly PublishedFile[],
  startFiles: readonly PublishedFile[] = previous?.files ?? [],
): Pick<Manifest, "id" | "changesBefore"> {
  const [publishedDigest, changes] = [changesDigest(previous?.files ?? []), changesDigest(startFiles)];
  const isSame = previous && publishedDigest === changes && snapshotId(files, previous.changesBefore) === previous.id;
  // When all changes are lost, null would reuse the id that the snapshot had with them.
  const changesBefore = isSame ? previous.changesBefore : (changes ?? (publishedDigest === null ? null : digestOf([])));
  return { id: snapshotId(files, changesBefore), changesBefore };
}
