/**
 * Locates data that was, or is to be, taken down: `make forget` shows it before it asks, and `make verify` reports what
 * is left.
 */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Manifest } from "../contract/documents/manifest.ts";
import { openBackups, readBackups } from "../backup/backups.ts";
import { backupFolderOf, partitionTitle } from "../store/layout.ts";
import { readPublishedVersions } from "../store/versions.ts";
import type { Disk } from "../disk/disk.ts";
import { readRegularFile } from "../regular-files.ts";
import { withoutNames } from "./names-in-text.ts";
import { findTaken } from "./file-rows.ts";
import { findDropped, isForgottenExport, namingTexts } from "./raw-files.ts";
import type { Forgotten } from "./tombstones.ts";

export interface Remains {
  /** `snapshots`, `backups`, `kept exports`, or the path of a file. */
  readonly place: string;
  /** The parts of it, such as `sections 2026 Fall`. */
  readonly parts: readonly string[];
}

export interface Places {
  readonly artifacts: string;
  readonly dataDir: string;
  readonly connection: DuckDBConnection;
  readonly disk: Disk;
}

export async function findRemains(places: Places, forgotten: Forgotten): Promise<Remains[]> {
  const { artifacts, connection, dataDir, disk } = places;
  const remains: Remains[] = [];
  const looked = new Map<string, Promise<boolean>>();
  const names = (table: string, path: string, sha256: string): Promise<boolean> => {
    const isNaming = looked.get(sha256) ?? findTaken(connection, table, path, forgotten).then(Boolean);
    looked.set(sha256, isNaming);
    return isNaming;
  };
  const look = async (place: string, folder: string, manifests: readonly Manifest[]) => {
    const parts = new Set<string>();
    for (const file of manifests.flatMap(({ files }) => files))
      if (await names(file.table, join(folder, file.path), file.sha256).catch(() => false))
        parts.add(partitionTitle(file));
    if (parts.size > 0) remains.push({ place, parts: [...parts].sort() });
  };
  const published = await readPublishedVersions(artifacts, disk);
  await look(
    "snapshots",
    artifacts,
    published.map(({ manifest }) => manifest),
  );
  await look("backups", backupFolderOf(dataDir), await readBackups(openBackups(dataDir, disk)));

  const exports = join(dataDir, "exports");
  const inExports: string[] = [];
  for (const from of await disk.readdir(exports))
    for (const name of await disk.readdir(join(exports, from, "files"))) {
      const bytes = await readRegularFile(join(exports, from, "files", name)).catch(() => undefined);
      if (bytes && isForgottenExport(name, bytes, forgotten)) inExports.push(`${from}/files/${name.slice(0, 8)}…`);
    }
  if (inExports.length > 0) remains.push({ place: "kept exports", parts: inExports });
  for (const { name } of await findDropped(dataDir, forgotten, disk))
    remains.push({ place: `data/${name}`, parts: [] });
  for (const path of namingTexts(artifacts)) {
    if ((await disk.stat(path))?.kind !== "file") continue;
    const text = await disk.readFile(path);
    if (withoutNames(text, forgotten, { isSheet: true }) !== text) remains.push({ place: path, parts: [] });
  }
  return remains;
}

/** A line for each place. */
export const remainsLines = (remains: readonly Remains[]): string[] =>
  remains.map(({ parts, place }) => {
    const shown = parts.slice(0, SHOWN).join(", ");
    const more = parts.length > SHOWN ? ` and ${parts.length - SHOWN} more` : "";
    return parts.length === 0 ? place : `${place}: ${shown}${more}`;
  });

const SHOWN = 12;
