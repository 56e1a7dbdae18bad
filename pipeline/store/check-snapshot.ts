/** Checks a manifest from elsewhere, before any of its paths is used. */
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { filePath, hashInPath } from "../generations/layout.ts";
import { snapshotId } from "../generations/snapshot-id.ts";
import { relationNamed } from "../generations/schema.ts";

/** @throws UpstreamBadResponse for another contract version, when a path does not follow from table, partition and hash, or the id from the files */
export function assertSnapshot({ changesBefore, contract, files, id }: Manifest, store: string): void {
  if (contract !== CONTRACT_VERSION)
    throw new UpstreamBadResponse(store, `it has contract version ${contract}, this server reads ${CONTRACT_VERSION}`);
  for (const file of files)
    if (!isValid(file))
      throw new UpstreamBadResponse(store, `a file of ${file.table.slice(0, 40)} has an invalid path`);
  if (new Set(files.map(({ path }) => path)).size !== files.length || snapshotId(files, changesBefore) !== id)
    throw new UpstreamBadResponse(store, "the snapshot id is not that of the listed files");
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
