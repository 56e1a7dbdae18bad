/** The range of snapshots in which a data file belongs to its table. */
import { isMade, type Manifest, type PublishedFile } from "../../contract/documents/manifest.ts";
import { nameOf } from "../../store/layout.ts";

export interface Lifetime {
  readonly file: PublishedFile;
  /** The first snapshot with the file. */
  readonly begin: number;
  /** The first snapshot after it without the file; null if it is in the newest. */
  readonly end: number | null;
  /** The newest generation with the file, which is retained for longest. */
  readonly newest: string;
}

/**
 * Computes the lifetimes. @param manifests oldest first. A file that comes back has several lifetimes; they are ordered
 * by their begin, then as the manifests are.
 */
export function lifetimesOf(manifests: readonly Manifest[]): Lifetime[] {
  const newest = new Map<string, string>();
  for (const { generation, id, files } of manifests)
    for (const { path } of files) newest.set(path, nameOf({ generation, id }));
  const lifetimes: { file: PublishedFile; begin: number; end: number | null; newest: string }[] = [];
  let open = new Map<string, (typeof lifetimes)[number]>();
  for (const manifest of manifests) {
    const now = new Map<string, (typeof lifetimes)[number]>();
    for (const file of manifest.files.filter((listed) => !isMade(listed))) {
      const started = open.get(file.path);
      const lifetime = started ?? { file, begin: manifest.generation, end: null, newest: newest.get(file.path) ?? "" };
      if (!started) lifetimes.push(lifetime);
      now.set(file.path, lifetime);
    }
    for (const [path, lifetime] of open) if (!now.has(path)) lifetime.end = manifest.generation;
    open = now;
  }
  return lifetimes;
}
