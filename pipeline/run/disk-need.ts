/** About how much room a run needs, and what to do about a disk that does not take it. */
import type { PublishedFile } from "../contract/documents/manifest.ts";

/** Before anything is published: the sample campus of that size, with its landing files. */
export const FIRST_BUILD_BYTES = { standard: 200_000_000, full: 2_000_000_000 } as const;

/** Every table is written beside the published one at worst, and the largest is sorted on disk. */
export function diskNeed(files: readonly PublishedFile[]): number {
  const tables = new Map<string, number>();
  for (const { table, bytes } of files) tables.set(table, (tables.get(table) ?? 0) + bytes);
  const sizes = [...tables.values()];
  return sizes.reduce((sum, bytes) => sum + bytes, 0) + Math.max(0, ...sizes);
}
