/** A run that restores the content of a retained snapshot is not a loss: it ends one. */
import type { Losses } from "./profile.ts";
import type { RetainedFile } from "./references.ts";

/** Two versions of a table describe the same things when they share this part of their keys. */
const SAME_KEYS = 0.95;

/** The distance between two versions, as relations, in the breached columns. @throws for a damaged version */
export type Distance = (a: string, b: string) => Promise<number>;

/**
 * Finds the snapshot whose rows come back: it describes the same things, it is nearer to the staged rows than the
 * published rows are in every breach, and no earlier snapshot resembles the published rows. `versions` are those of the
 * retained snapshots, the published one first.
 */
export async function findHealed(
  staged: string,
  versions: readonly RetainedFile[],
  distances: readonly Distance[],
  lossesOf: (previous: string, now: string) => Promise<Losses>,
): Promise<string | undefined> {
  const [published] = versions;
  if (!published) return undefined;
  const isNearer = async (version: string, to: string, than: string): Promise<boolean> => {
    for (const distance of distances)
      if ((await distance(version, to)) >= (await distance(version, than))) return false;
    return true;
  };
  let healed: string | undefined;
  for (const version of versions.toSorted((a, b) => (a.since < b.since ? -1 : 1))) {
    try {
      if (await isNearer(version.from, published.from, staged)) break;
      const isBack = await isNearer(version.from, staged, published.from);
      if (isBack && haveSameKeys(await lossesOf(version.from, staged))) healed = version.snapshot;
    } catch {
      // A file of an earlier snapshot may be damaged: skip it. If the published file is damaged, no version is nearer
      // to it.
    }
  }
  return healed;
}

const haveSameKeys = ({ common, keysBefore, keysNow }: Losses): boolean =>
  common >= SAME_KEYS * Math.max(keysBefore, keysNow);
