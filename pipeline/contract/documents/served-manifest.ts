/**
 * The manifest of a snapshot over HTTP (`/v1/snapshots/{id}`). Files that are built from other files are below
 * `derived`.
 */
import { z } from "zod";
import { emptyName, emptyTable, TABLE_NAMES } from "../tables.ts";
import { byPath, isMade, type Manifest, manifest, publishedFile } from "./manifest.ts";

export const servedManifest = manifest.extend({
  files: z.array(publishedFile.omit({ madeOf: true })),
  /** `table` is the name of a table without rows, or `views/<view>`. */
  derived: z.array(publishedFile.extend({ madeOf: publishedFile.shape.madeOf.unwrap() })),
});
export type ServedManifest = z.infer<typeof servedManifest>;

export const toServed = ({ files, ...rest }: Manifest): ServedManifest => ({
  ...rest,
  files: files.filter((file) => !isMade(file)),
  derived: files.flatMap(({ table, madeOf, ...file }) =>
    madeOf === undefined ? [] : [{ table: emptyTable(table) ?? table, ...file, madeOf }],
  ),
});

/** Converts the JSON of a served manifest to that of a manifest. Returns any other value unchanged. */
export function fromServed(json: unknown): unknown {
  const served = servedManifest.safeParse(json);
  if (!served.success) return json;
  const { derived, files, ...rest } = served.data;
  const nameOf = (table: string) => ((TABLE_NAMES as string[]).includes(table) ? emptyName(table) : table);
  const derivedFiles = derived.map((file) => ({ ...file, table: nameOf(file.table) }));
  return { ...rest, files: [...files, ...derivedFiles].sort(byPath) };
}
