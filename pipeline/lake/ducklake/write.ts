/**
 * Writes a frozen DuckLake: a catalogue of the retained snapshots, over their files in place. DuckDB
 * attaches it read-only; nothing ever writes to it.
 */
import { randomUUID } from "node:crypto";
import { chmod, rename, rm } from "node:fs/promises";
import type { Manifest, PublishedFile } from "../../contract/documents/manifest.ts";
import { type CatalogueRows, DUCKLAKE_VERSION, UNWRITABLE, writeCatalogue } from "./catalogue.ts";
import { changesBySnapshot, fileRows, lifetimesOf } from "./file-rows.ts";
import { NEXT_ID, SCHEMA_VERSION, schemaRows } from "./schema-rows.ts";

export interface DuckLakeOptions {
  /** Snapshots of this contract, in any order; at least one. */
  readonly snapshots: readonly { readonly manifest: Manifest }[];
  /**
   * The folder that the files' paths start from, as a reader writes it, with a trailing slash. DuckLake has no paths
   * relative to the catalogue, but a reader of a copy can name another folder: `ATTACH … (READ_ONLY, DATA_PATH
   * 's3://…/', OVERRIDE_DATA_PATH true)`.
   */
  readonly base: string;
  /** Returns the path of a file below `base`. `generation` is the name of the newest snapshot with the file. */
  readonly pathOf: (generation: string, file: PublishedFile) => string;
}

/** Writes the catalogue to `path`, read-only and atomically. Equal options yield equal bytes. */
export async function writeDuckLake(path: string, options: DuckLakeOptions): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeCatalogue(draft, catalogueRows(options));
    // Copies of the file inherit its mode.
    await chmod(draft, 0o444);
    await rename(draft, path);
  } finally {
    await Promise.all([draft, `${draft}.wal`].map((left) => rm(left, { force: true })));
  }
}

function catalogueRows({ snapshots, base, pathOf }: DuckLakeOptions): CatalogueRows {
  const manifests = snapshots.map(({ manifest }) => manifest).sort((a, b) => a.generation - b.generation);
  const lifetimes = lifetimesOf(manifests);
  const changes = changesBySnapshot(lifetimes);
  return {
    ducklake_metadata: Object.entries({
      version: DUCKLAKE_VERSION,
      created_by: "academic-data-rest-service",
      data_path: base,
      encrypted: "false",
      ...UNWRITABLE,
    }).map(([key, value]) => ({ key, value })),
    ducklake_snapshot: manifests.map(({ generation, createdAt }) => ({
      snapshot_id: generation,
      snapshot_time: createdAt,
      schema_version: SCHEMA_VERSION,
      next_catalog_id: NEXT_ID,
      next_file_id: lifetimes.length,
    })),
    ducklake_snapshot_changes: manifests.map(({ generation, id }) => ({
      snapshot_id: generation,
      changes_made: [...(changes.get(generation) ?? [])].join(","),
      commit_message: id,
    })),
    ...schemaRows(manifests[0]?.generation ?? 0),
    ...fileRows(lifetimes, pathOf),
  };
}
