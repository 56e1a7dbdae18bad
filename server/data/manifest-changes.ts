/**
 * `/v1/data/manifest.json?since=…`: lists the files that a copy of an earlier snapshot lacks, and those it no longer
 * needs.
 */
import { z } from "zod";
import { BULK_BASE, bulkFile } from "../../pipeline/contract/documents/bulk-manifest.ts";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import { toServed } from "../../pipeline/contract/documents/served-manifest.ts";

const snapshot = z.object({
  id: z.string().describe("the snapshot id"),
  generation: z.int(),
  name: z.string().describe("the generation as it stands in the addresses of its files"),
});
const changedFile = bulkFile.extend({
  table: z.string().describe("name of its table, or `views/` and that of its view"),
});

export const manifestChanges = z.object({
  since: snapshot.describe("the earlier snapshot"),
  now: snapshot.describe("the snapshot in service"),
  added: z.array(changedFile).describe("files that only the snapshot in service has"),
  removed: z.array(changedFile).describe("files that only the earlier snapshot has"),
});
export type ManifestChanges = z.infer<typeof manifestChanges>;

/** The media type of `since`, because the JSON is not a manifest. */
export const MANIFEST_CHANGES_TYPE = "application/vnd.academic-data.manifest-delta+json";

interface Named {
  /** The name of the snapshot's folder. */
  readonly name: string;
  readonly manifest: Manifest;
}

/** Compares two snapshots by paths, which contain the hash of each file. */
export function toManifestChanges(since: Named, now: Named): ManifestChanges {
  const only = ({ name, manifest }: Named, other: Named) => {
    const otherPaths = new Set(other.manifest.files.map(({ path }) => path));
    const { derived, files } = toServed(manifest);
    return [...files, ...derived]
      .filter(({ path }) => !otherPaths.has(path))
      .map(({ table, path, sha256, rows, bytes, partition }) => ({
        ...{ table, path, url: `${BULK_BASE}/${name}/${path}` },
        ...{ sha256, bytes, rows, partition },
      }));
  };
  const described = ({ name, manifest: { id, generation } }: Named) => ({ id, generation, name });
  return { since: described(since), now: described(now), added: only(now, since), removed: only(since, now) };
}
