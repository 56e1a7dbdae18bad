/** The ids that follow from the files of a generation. */
import { createHash } from "node:crypto";
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION, FACT_TABLES, TABLES_BESIDE_ID } from "../contract/tables.ts";

/**
 * 16 hexadecimal digits over the contract version, the changes before, and the partition and hash of every file but those of `changes` and `sources`.
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
  placesOf(files.filter(({ table }) => !TABLES_BESIDE_ID.includes(table)));

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
  if (recorded.length === 0) return null;
  return createHash("sha256").update(JSON.stringify(recorded.sort())).digest("hex");
}

/** Whether these files can be those of that id. Which changes came before is only known from the last readable manifest. */
export function canHaveId(files: readonly PublishedFile[], id: string, before: Manifest | undefined): boolean {
  const known = [null, before?.changesBefore ?? null, changesDigest(before?.files ?? [])];
  return known.some((changesBefore) => snapshotId(files, changesBefore) === id);
}

/** The snapshot that these files make after `before`: the same one when the data is the same. */
export function nextSnapshot(
  before: Manifest | undefined,
  files: readonly PublishedFile[],
): Pick<Manifest, "id" | "changesBefore"> {
  const isSame = before && dataPlaces(before.files).join() === dataPlaces(files).join();
  const changesBefore = isSame ? before.changesBefore : changesDigest(before?.files ?? []);
  return { id: snapshotId(files, changesBefore), changesBefore };
}
