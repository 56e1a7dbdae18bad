/** A run that brings back what a retained snapshot held is no loss: it ends one. */
import type { Losses } from "./profile.ts";
import type { RetainedFile } from "./references.ts";

/** Two versions of a table are of the same things when they share this part of their keys. */
const SAME_KEYS = 0.95;

/** How far two versions, as relations, are from each other in what is breached. @throws for a damaged version */
export type Distance = (a: string, b: string) => Promise<number>;

/**
 * The snapshot whose rows come back: it is of the same things, in everything that is breached it is nearer to what is staged than what is published is,
 * and nothing like what is published stood before it. `versions` are those of the retained snapshots, the published one first.
 */
export async function findHealed(
  staged: string,
  versions: readonly RetainedFile[],
  distances: readonly Distance[],
  lossesOf: (before: string, now: string) => Promise<Losses>,
): Promise<string | undefined> {
  const [published] = versions;
  if (!published) return undefined;
  const isNearer = async (one: string, to: string, than: string): Promise<boolean> => {
    for (const distance of distances) if ((await distance(one, to)) >= (await distance(one, than))) return false;
    return true;
  };
  let found: string | undefined;
  for (const one of versions.toSorted((a, b) => (a.since < b.since ? -1 : 1))) {
    try {
      if (await isNearer(one.from, published.from, staged)) break;
      const isBack = await isNearer(one.from, staged, published.from);
      if (isBack && haveSameKeys(await lossesOf(one.from, staged))) found = one.snapshot;
    } catch {
      // A file of an earlier snapshot may be damaged: then it says nothing. When it is the published one, nothing is nearer to it.
    }
  }
  return found;
}

const haveSameKeys = ({ common, keysBefore, keysNow }: Losses): boolean =>
  common >= SAME_KEYS * Math.max(keysBefore, keysNow);
