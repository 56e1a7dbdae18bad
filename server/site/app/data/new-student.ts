/** True for a reader who is a new student, for whom some seats are reserved. The browser keeps the answer. */
import { useEffect, useState } from "preact/hooks";
import { readStored, store } from "./storage.ts";

const KEY = "new-student";
const CHANGED = "new-student-changed";

export const isNewStudent = (): boolean => readStored(KEY) === "1";

export function storeIsNew(isNew: boolean): void {
  store(KEY, isNew ? "1" : "0");
  dispatchEvent(new Event(CHANGED));
}

export function useIsNew(): boolean {
  const [isNew, setIsNew] = useState(isNewStudent);
  useEffect(() => {
    const update = () => setIsNew(isNewStudent());
    for (const name of [CHANGED, "storage"]) addEventListener(name, update);
    return () => {
      for (const name of [CHANGED, "storage"]) removeEventListener(name, update);
    };
  }, []);
  return isNew;
}
