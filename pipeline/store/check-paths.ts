/** Checks a manifest from elsewhere, before any of its paths is used. */
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { filePath, hashInPath } from "../generations/layout.ts";
import { relationNamed } from "../generations/schema.ts";

/** @throws UpstreamBadResponse when a path does not follow from table, partition and hash, or stands twice */
export function assertPaths({ files }: Pick<Manifest, "files">, store: string): void {
  for (const file of files)
    if (!isValid(file))
      throw new UpstreamBadResponse(store, `a file of ${file.table.slice(0, 40)} has an invalid path`);
  if (new Set(files.map(({ path }) => path)).size !== files.length)
    throw new UpstreamBadResponse(store, "a path stands twice in the manifest");
}

function isValid(file: PublishedFile): boolean {
  const { partition, path, sha256, table: name } = file;
  const table = relationNamed(name);
  const columns = Object.keys(partition);
  const isWithoutRows = isMade(file) && columns.length === 0;
  const hash = hashInPath(path);
  return (
    table !== undefined &&
    hash !== undefined &&
    (isWithoutRows || columns.length === table.partitionedBy.length) &&
    (isWithoutRows || table.partitionedBy.every((column) => columns.includes(column))) &&
    (partition.year === undefined || /^\d{4}$/.test(partition.year)) &&
    sha256.startsWith(hash) &&
    path === filePath(name, partition, hash)
  );
}
