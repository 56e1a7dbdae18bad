/** The files of a table in a published snapshot, and a version of each table. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { TABLE_NAMES, type TableName } from "../../pipeline/contract/tables.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import type { PublishedSnapshot } from "../../pipeline/store/published.ts";
import { nameOf } from "../../pipeline/store/layout.ts";

export type { PublishedSnapshot };

/** The name of a snapshot in addresses. */
export const nameIn = ({ manifest }: PublishedSnapshot): string => nameOf(manifest);

/** A term, a year, or all terms. */
export type TermPart = { readonly [K in keyof Term]?: Term[K] | undefined };

/** The files of a table, or of its partition, and a key of their content. */
export function filesOf(
  published: PublishedSnapshot,
  table: TableName,
  term?: TermPart,
): { paths: string[]; key: string } {
  const files = published.manifest.files.filter(
    (file) =>
      file.table === table &&
      (term?.year === undefined || file.partition.year === term.year) &&
      (term?.quarter === undefined || file.partition.quarter === term.quarter),
  );
  return {
    paths: files.map((file) => join(published.folder, file.path)),
    key: [table, ...files.map((file) => file.sha256).sort()].join(" "),
  };
}

/** Characters of six bits each: more bits than a snapshot id has. */
const VERSION_LENGTH = 16;

/** By table: the same for snapshots with the same files of it. */
export function versionsOf({ manifest }: PublishedSnapshot): Readonly<Record<TableName, string>> {
  const contents = new Map<string, string[]>(TABLE_NAMES.map((table) => [table, []]));
  for (const { table, partition, sha256 } of manifest.files)
    contents.get(table)?.push(JSON.stringify([partition, sha256]));
  const versions = [...contents].map(([table, files]) => {
    const hash = createHash("sha256").update(JSON.stringify([table, ...files.sort()]));
    return [table, hash.digest("base64url").slice(0, VERSION_LENGTH)] as const;
  });
  return Object.fromEntries(versions) as Record<TableName, string>;
}
