import { once } from "../snapshot/shared-work.ts";

/** Returns a function that reads a value once for each snapshot and key; values of former snapshots are dropped. */
export function oncePerSnapshot<T>(
  read: (snapshot: string, key: string) => Promise<T>,
): (snapshot: string, key: string) => Promise<T> {
  let current = "";
  const values = new Map<string, Promise<T>>();
  return (snapshot, key) => {
    if (snapshot !== current) values.clear();
    current = snapshot;
    return once(values, key, () => read(snapshot, key));
  };
}
