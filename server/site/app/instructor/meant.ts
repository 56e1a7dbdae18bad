/** Rows of a shortened name, and whom it means in each of them: several people may have it. */

export interface Named {
  /** For each name the netids of those whom it may mean; empty where that is not known. */
  readonly instructorIds?: readonly (readonly string[])[] | undefined;
}

/** False where the row's names mean others. */
export function mayMean(netid: string, { instructorIds = [] }: Named): boolean {
  const all = instructorIds.flat();
  return all.length === 0 || all.includes(netid);
}

export const isClear = (netid: string, { instructorIds = [] }: Named): boolean =>
  instructorIds.some((ids) => ids.length === 1 && ids[0] === netid);
